"""The no-leak law through the server itself: what is sent does not depend on what is hidden.

Two tables of one server are played alike. Then the hidden pieces of one change places, in a way
that a seat cannot notice by the rulebook, and everything that the two send to that seat over real
sockets and by HTTP must be the same bytes.
"""

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import foxden
from foxden.bots import Position, position_of
from foxden.engine import compiled
from foxden.engine.kernel import Known, bytes_of, to_known, write_field
from foxden.engine.match import SPECTATOR, Match
from foxden.engine.rng import split_seed
from foxden.games import NAMES
from foxden.server import chat, live_match, tables, thinking
from foxden.server.audience import Viewer
from foxden.server.store import PersonRow
from foxden.server.tables import Table
from foxden.server.uptime import Uptime
from tests.games.truths import truth
from tests.server.inside import NOW, Inside, inside

SEED = 0x5EC2E7 << 96 | 12345678901234567890
TWINS = ("aaaaaaaaaa", "bbbbbbbbbb")
TRIES = 6  # scrambles for each position and viewer, until one can be compared whole
LOOKS = (0, 3, 9, 20, 45)  # positions that are looked at
WRONG = 8  # actions that are tried though they are not open


class Swapped(Match):
    """A match whose hidden pieces have changed places; looked back at, they still have."""

    __slots__ = ()

    def at(self, ply: int) -> Match:
        twin = super().at(ply)
        if ply == self.ply:
            twin.replace_truth(partial(_copy, self._states))
        return twin


def _copy(source: Any, states: Any) -> None:
    states[0] = source[0]


@dataclass
class Cloak:
    """A server in this process, and twin tables in it."""

    inside: Inside
    people: list[PersonRow] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)  # what bots were given to think about

    async def open_twins(self, game: str, seats: int) -> list[Table]:
        self.people = await self.inside.arrive(*(f"Fox {n}" for n in range(seats)))
        return [await self.inside.open_table(id, game, self.people, seed=SEED) for id in TWINS]

    async def reload(self) -> list[Table]:
        """Makes both tables anew from what is on disk."""
        hub, found = self.inside.hub, []
        for id in TWINS:
            if (table := await hub.find(id)) is not None:
                hub._drop(table)
            table = await hub.find(id)
            assert table is not None
            found.append(table)
        return found

    def person(self, viewer: int) -> PersonRow | None:
        return None if viewer == SPECTATOR else self.people[viewer]

    def connect(self, id: str, viewer: int) -> Any:
        return self.inside.connect(id, self.person(viewer))

    async def ask(self, method: str, path: str, viewer: int) -> str:
        answer = await self.inside.ask(method, path, self.person(viewer))
        return f"{answer.status_code} {answer.text}"

    async def get(self, path: str, viewer: int) -> str:
        return await self.ask("GET", path, viewer)

    def to_known(self, id: str, text: str) -> str:
        """Takes out by what the twins differ in any case: their id, what is derived from it, and
        how long somebody has been away, which goes by who looked where last."""
        people = self.inside.hub.people
        for n, person in enumerate(self.people):
            text = text.replace(people.voice(id, person.id), f"VOICE {n}")
        text = re.sub(r'"replace_in":[^,]*', '"replace_in":TIME', text)
        return text.replace(people.invite_key(id), "KEY").replace(id, "TABLE")


def under_cloak(data: Path, game: str, work: Callable[[Cloak], Any]) -> Any:
    """Does something with a server of a game; its rules are compiled before the clock runs."""
    compiled.prepare(foxden.game(game))

    async def run() -> Any:
        async with inside(data) as server:
            cloak = Cloak(server)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(thinking, "hints", partial(_think, cloak))
                patch.setattr(server.hub.workers, "owns", lambda id: False)  # no bot plays on
                return await work(cloak)

    return asyncio.run(run())


def _think(cloak: Cloak, position: Position, seconds: float) -> list[Any]:
    """Writes down all that a bot could think about."""
    legal = [action.id for action in position.legal]
    cloak.thoughts.append(f"{position.seat} {legal} {bytes_of(position.wiped, 0).hex()}")
    return []


@pytest.fixture(autouse=True)
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stops the tables' clocks, so that times do not tell the twins apart."""
    monkeypatch.setattr(Uptime, "__call__", lambda uptime: 1000.0)
    still = SimpleNamespace(
        time=lambda: NOW, monotonic=time.monotonic, perf_counter=time.perf_counter
    )
    for room in (chat, live_match, tables):
        monkeypatch.setattr(room, "time", still)


def match_of(table: Table) -> Match:
    assert table.match is not None
    return table.match


def scramble(table: Table, viewer: int, dice: random.Random) -> bool:
    """Moves hidden pieces about behind a viewer's back; tells whether anything changed."""
    match = match_of(table)
    before = match.state_bytes()
    known = to_known(match.truth(), 0)
    truth(table.row.game).scramble(known, viewer, dice)
    match.replace_truth(partial(_write, known))
    match.__class__ = Swapped
    table.audience.forget_views()
    return match.state_bytes() != before


def _write(known: Known, states: Any) -> None:
    for name, value in vars(known).items():
        write_field(states, 0, name, value)


def quiet_action(one: Match, other: Match, viewer: int, dice: random.Random) -> int | None:
    """Finds an action after which a viewer still cannot tell the twins apart by the rules."""
    shared = sorted({a.id for a in one.legal()} & {a.id for a in other.legal()})
    dice.shuffle(shared)
    for action in shared:
        seen = set()
        for match in (one, other):
            then = Match.at(match, match.ply)
            then.replace_truth(partial(_copy, match.truth()))
            seat = None if viewer == SPECTATOR else viewer
            label = then.seen(then.game.action(action), seat)
            then.play(action)
            seen.add((label, bytes_of(then.wiped(seat), 0)))
        if len(seen) == 1:
            return action
    return None


def wrong_actions(one: Table, other: Table) -> list[int]:
    """Returns some actions that are open to nobody at either table."""
    legal = {action.id for table in (one, other) for action in match_of(table).legal()}
    closed = [action for action in range(one.game.actions) if action not in legal]
    return closed[:: max(1, len(closed) // WRONG)]


class Ear:
    """A socket, and all that is heard over it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.heard: list[str] = []
        self.ref = 0

    async def ask(self, type: str, **fields: Any) -> None:
        """Sends a message, and listens up to the answer."""
        self.ref += 1
        await self.socket.send(json.dumps({"type": type, "ref": self.ref, **fields}))
        await self.hear(f'"ref":{self.ref},')

    async def hear(self, *words: str) -> str:
        """Listens until a frame has all these words."""
        while True:
            frame = str(await asyncio.wait_for(self.socket.recv(), 60))
            self.heard.append(frame)
            if all(word in frame for word in words):
                return frame

    async def all(self) -> list[str]:
        """Returns everything that was sent up to now, without what tells the time."""
        await self.ask("ping")
        return [frame for frame in self.heard if not frame.startswith('{"type":"pong"')]


async def everything_sent(
    cloak: Cloak, table: Table, viewer: int, seat: int, tries: list[int], action: int | None
) -> list[str]:
    """Gathers what a person is sent who looks through a seat, and then the action played."""
    id, match = table.row.id, match_of(table)
    asked, ply = match.to_act, match.ply
    assert asked is not None
    async with cloak.connect(id, viewer) as socket:
        ear = Ear(socket)
        await ear.hear('{"type":"sync"')
        out = await everything_asked(cloak, ear, id, match, viewer, seat, tries)
        if action is not None and seat == asked:
            await ear.ask("play", seat=seat, ply=ply, action=action)
        elif action is not None:
            await table.play(asked, ply, action, "person")
            await ear.hear('{"type":"update"')
        out += await ear.all()
    while table.audience.onlookers:
        await asyncio.sleep(0)
    return [cloak.to_known(id, text) for text in out]


async def everything_asked(
    cloak: Cloak, ear: Ear, id: str, match: Match, viewer: int, seat: int, tries: list[int]
) -> list[str]:
    """Asks for all that can be asked in one position, allowed or not."""
    ply, mine = match.ply, max(seat, 0)
    other = (mine + 1) % match.seats
    for wrong in tries:
        await ear.ask("play", seat=mine, ply=ply, action=wrong)
        await ear.ask("play", seat=other, ply=ply, action=wrong)
    await ear.ask("play", seat=mine, ply=ply + 1, action=0)
    await ear.ask("look", seat=other)
    await ear.ask("hint")
    here = f"/tables/{id}"
    seen = "" if seat == SPECTATOR else f"?seat={seat}"
    back = [f"{here}/positions/{then}{seen}" for then in (ply, ply // 2)]
    forbidden = [f"{here}/positions/{ply}?open=true", f"{here}/positions/{ply}?seat={other}"]
    out = [await cloak.get(path, viewer) for path in (here, *back, *forbidden, f"{here}/record")]
    thoughts, cloak.thoughts = cloak.thoughts, []
    return out + thoughts


@dataclass
class Found:
    """What looking from everywhere came to."""

    looked: int = 0
    updates: int = 0  # of them, with an action that tells nothing
    leaks: list[str] = field(default_factory=list)


async def look_from_everywhere(
    cloak: Cloak, game: str, seats: int, looks: tuple[int, ...] = LOOKS
) -> Found:
    """Plays twins, and compares what they send in some positions."""
    one, other = await cloak.open_twins(game, seats)
    dice, found = random.Random(game), Found()
    ahead = list(looks)
    while ahead and not match_of(one).is_over:
        if match_of(one).ply >= ahead[0]:
            ahead.pop(0)
            for viewer in range(SPECTATOR, seats):
                if not match_of(one).is_over:
                    await compare(cloak, one, other, viewer, viewer, dice, found)
                    one, other = await cloak.reload()
        else:
            action = dice.choice(match_of(one).legal()).id
            for table in (one, other):
                match = match_of(table)
                await table.play(match.to_act or 0, match.ply, action, "person")
    return found


async def compare(
    cloak: Cloak,
    one: Table,
    other: Table,
    viewer: int,
    seat: int,
    dice: random.Random,
    found: Found,
) -> None:
    """Scrambles one twin behind a seat, and compares what the two send to who looks through it."""
    action = None
    changed = False
    for _ in range(TRIES):
        changed = scramble(other, seat, dice) or changed
        action = quiet_action(match_of(one), match_of(other), seat, dice)
        if changed and action is not None:
            break
    if not changed:
        return
    tries = wrong_actions(one, other)
    sent = [
        await everything_sent(cloak, table, viewer, seat, tries, action) for table in (one, other)
    ]
    found.looked += 1
    found.updates += action is not None
    where = f"{one.row.game}, position {match_of(one).ply}, viewer {viewer}"
    if len(sent[0]) != len(sent[1]):
        found.leaks.append(f"{where}: {len(sent[0])} and {len(sent[1])} messages")
    found.leaks += [f"{where}:\n{a}\n{b}" for a, b in zip(*sent, strict=False) if a != b]


@pytest.mark.parametrize("game", foxden.games())
def test_what_is_sent_does_not_depend_on_what_is_hidden(game: str, tmp_path: Path) -> None:
    seats = foxden.game(game).about.usual
    found = under_cloak(tmp_path, game, lambda c: look_from_everywhere(c, game, seats))
    assert not found.leaks, found.leaks[0]
    # Foxy & Woolly hides nothing but what is still to come.
    short = game not in NAMES  # a foreign game may be over after a few moves
    assert found.looked >= (2 if short else 3)
    assert found.updates >= (1 if short else 2)


@pytest.mark.parametrize("game", NAMES)
def test_who_gave_up_a_seat_is_told_what_spectators_are(game: str, tmp_path: Path) -> None:
    """The socket stays open; from the moment that the seat is given up it is a spectator's."""

    async def work(cloak: Cloak) -> tuple[list[list[str]], Found]:
        one, other = await cloak.open_twins(game, foxden.game(game).about.usual)
        dice, sent, found = random.Random(game), [], Found()
        for _ in range(9):
            action = dice.choice(match_of(one).legal()).id
            for table in (one, other):
                match = match_of(table)
                await table.play(match.to_act or 0, match.ply, action, "person")
        assert scramble(other, SPECTATOR, dice)
        tries = wrong_actions(one, other)
        for table in (one, other):
            id, match = table.row.id, match_of(table)
            async with cloak.connect(id, 1) as socket:
                ear = Ear(socket)
                await ear.hear('{"type":"sync"')
                await cloak.ask("DELETE", f"/tables/{id}/seats/1", 1)
                sync = await ear.hear('{"type":"sync"')
                assert json.loads(sync)["seat"] is None
                ear.heard = [sync]
                out = await everything_asked(cloak, ear, id, match, 1, SPECTATOR, tries)
                out.append(await cloak.get(f"/tables/{id}/positions/{match.ply}?seat=1", 1))
                sent.append([cloak.to_known(id, text) for text in out + await ear.all()])
        one, other = await cloak.reload()
        await compare(cloak, one, other, 1, SPECTATOR, dice, found)
        return sent, found

    (one, other), found = under_cloak(tmp_path, game, work)
    assert one == other
    assert found.looked == 1
    assert not found.leaks, found.leaks[0]


def show_spectators_a_seat(patch: pytest.MonkeyPatch) -> None:
    honest = Viewer.__init__

    def loose(self: Viewer, match: Match, seat: int | None) -> None:
        honest(self, match, 0 if seat is None else seat)

    patch.setattr(Viewer, "__init__", loose)


def think_with_open_cards(patch: pytest.MonkeyPatch) -> None:
    honest = position_of

    def loose(match: Match, **more: Any) -> Position:
        return replace(honest(match, **more), wiped=match.truth())

    patch.setattr(thinking, "position_of", loose)


def look_back_with_open_cards(patch: pytest.MonkeyPatch) -> None:
    honest = Match.at

    def loose(match: Match, ply: int) -> Match:
        twin = honest(match, ply)
        twin.names = (*twin.names[:-1], repr(match.state_bytes()))
        return twin

    patch.setattr(Match, "at", loose)


@pytest.mark.parametrize(
    "mutate", [show_spectators_a_seat, think_with_open_cards, look_back_with_open_cards]
)
def test_the_law_finds_a_server_that_shows_cards(
    mutate: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate(monkeypatch)
    work = partial(look_from_everywhere, game="happy-fox", seats=3, looks=(9,))
    assert under_cloak(tmp_path, "happy-fox", work).leaks


def spellings(seed: int) -> list[str]:
    """Writes a seed, and the words it is split into, as anybody would."""
    numbers = (seed, *split_seed(seed))
    return [text for n in numbers for text in (str(n), f"{n:x}") if len(text) > 6]


@pytest.mark.parametrize("game", foxden.games())
def test_the_seed_is_sent_when_the_match_is_over_and_not_before(game: str, tmp_path: Path) -> None:
    seats = foxden.game(game).seats[0]
    secret = spellings(SEED)
    assert len(secret) >= 4

    async def work(cloak: Cloak) -> None:
        table, _ = await cloak.open_twins(game, seats)
        id, match = table.row.id, match_of(table)
        dice, viewers = random.Random(1), range(SPECTATOR, seats)
        paths = (f"/tables/{id}", "/tables", f"/tables/{id}/positions/7", f"/tables/{id}/record")
        async with contextlib.AsyncExitStack() as stack:
            ears = [
                Ear(await stack.enter_async_context(cloak.connect(id, viewer)))
                for viewer in viewers
            ]
            bodies = []
            while not match.is_over:
                action = dice.choice(match.legal()).id
                await table.play(match.to_act or 0, match.ply, action, "person")
                if match.ply % 16 == 0:
                    await asyncio.sleep(0)  # lets the sockets be told
                if match.ply == 8:
                    bodies = [await cloak.get(path, v) for path in paths for v in viewers]
                    bodies += [
                        await cloak.get(path, 0) for path in ("/metrics", "/games", "/ready")
                    ]
            for ear in ears:
                over = await ear.hear('"type":"table"', '"status":"over"')
                assert json.loads(over)["table"]["seed"] == str(SEED)
                bodies += [frame for frame in ear.heard if '"status":"over"' not in frame]
        assert [text for text in bodies if any(word in text for word in secret)] == []
        assert str(SEED) in await cloak.get(f"/tables/{id}/record", SPECTATOR)

    under_cloak(tmp_path, game, work)
