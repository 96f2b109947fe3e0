"""Recorded matches through the server's own store, and `foxden verify` on good and bad records."""

import asyncio
import re
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import foxden
from foxden.__main__ import main
from foxden.engine.match import Match
from foxden.engine.record import Record, parse_record
from foxden.engine.rng import seed_hash
from foxden.games import NAMES
from foxden.server.store import MoveRow, SeatRow
from tests.server.inside import NOW, ROW, Inside, inside

FOLDER = Path(__file__).parents[1] / "records"
FILES = sorted(FOLDER.rglob("*.record"))


def names(record: Record) -> tuple[SeatRow, ...]:
    told = [record.names.get(seat, f"Seat {seat}") for seat in range(record.seats)]
    return tuple(SeatRow("person", "somebody00", name) for name in told)


async def put_into_store(server: Inside, id: str, record: Record) -> None:
    """Writes a recorded match as a server would have that died right after its last move."""
    game, store = foxden.game(record.game), server.hub.store
    options = game.setup(record.seats, dict(record.options), dict(record.parts)).options
    assert record.seed is not None
    row = replace(
        ROW,
        id=id,
        game=record.game,
        rules_version=record.rules,
        seats=names(record),
        options=msgspec.to_builtins(options),
        parts=dict(record.parts),
        seed=record.seed,
        stream=record.stream,
    )
    await store.add_table(row)
    for ply, move in enumerate(record.moves, 1):
        action = game.action(move.notation).id
        await store.append(MoveRow(id, ply, move.seat, action, "person", NOW + ply))


@pytest.mark.parametrize("game", NAMES)
def test_recorded_matches_go_through_the_server(game: str, tmp_path: Path) -> None:
    files = [file for file in FILES if file.parent.name == game]
    assert files

    async def run() -> None:
        async with inside(tmp_path) as server:
            for number, file in enumerate(files):
                record = parse_record(file.read_text(encoding="utf-8"))
                id = f"corpus{number:04}"
                await put_into_store(server, id, record)
                told = (await server.ask("GET", f"/tables/{id}", None)).json()
                assert told["ply"] == len(record.moves), file.name
                assert told["status"] == ("over" if record.scores else "running"), file.name
                if record.scores is None:
                    continue
                assert tuple(told["scores"]) == record.scores, file.name
                assert tuple(told["winners"]) == record.winners, file.name
                stored = await server.hub.store.table(id)
                assert stored is not None
                assert (stored.status, stored.scores) == ("over", record.scores), file.name
                assert stored.ended == NOW + len(record.moves), file.name
                written = (await server.ask("GET", f"/tables/{id}/record", None)).text
                again = parse_record(written)
                assert (again.seed, again.moves) == (record.seed, record.moves), file.name
                assert again.stream == record.stream, file.name
                assert Match.from_record(written).scores == record.scores, file.name
            assert server.faults == []

    asyncio.run(run())


GOOD = (FOLDER / "happy-fox" / "one-winner.record").read_text(encoding="utf-8")
PROMISED = seed_hash(parse_record(GOOD).seed or 0)


def other_score(text: str) -> str:
    return re.sub(r"^scores: (\d+)", lambda found: f"scores: {int(found[1]) + 1}", text, flags=re.M)


BAD = {
    "seed": (re.sub(r"^seed: .*", "seed: 2", GOOD, flags=re.M), r"line \d+"),
    "move": (GOOD.replace("1. [0] lay dog", "1. [0] lay goose", 1), r"line \d+"),
    "score": (other_score(GOOD), r"The scores are .*, not "),
    "version": (GOOD.replace("rules: 1", "rules: 2", 1), r"version 2 of the rules.*version 1"),
    "game": (GOOD.replace("game: happy-fox", "game: sad-fox", 1), "sad-fox"),
    "nonsense": ("no record at all\n", r"line 1"),
}


def verify(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: str
) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["foxden", "verify", *args])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    return int(ended.value.code or 0), f"{told.out} {told.err}"


def test_a_good_record_is_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "good.record"
    file.write_text(GOOD, encoding="utf-8")
    status, told = verify(monkeypatch, capsys, str(file), "--hash", PROMISED)
    assert (status, "every line holds" in told, "as promised" in told) == (0, True, True)
    status, told = verify(monkeypatch, capsys, str(file), "--hash", seed_hash(7))
    assert status == 2
    assert f"not the promised one: its seed hashes to {PROMISED}" in " ".join(told.split())


@pytest.mark.parametrize("what", BAD)
def test_a_bad_record_is_not(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, says = BAD[what]
    assert text != GOOD
    file = tmp_path / "bad.record"
    file.write_text(text, encoding="utf-8")
    status, told = verify(monkeypatch, capsys, str(file))
    assert status == 2
    assert re.search(says, " ".join(told.split())), told
