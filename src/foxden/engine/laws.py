"""The laws of every game, as a suite for authors of a game: `check_game`.

Besides its rules a game has a `Truth`, written from the rulebook and not from the code: what is
conserved, and how hidden pieces can change places without a seat noticing. The laws play random
matches and check the game against it. A broken law raises `LawBroken` with the match so far.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import msgspec
import numpy as np

from foxden.engine import compiled, defaults
from foxden.engine.errors import LawBroken
from foxden.engine.game import Game
from foxden.engine.kernel import (
    SPARE,
    Known,
    bytes_of,
    field_names,
    new_states,
    to_known,
    write_field,
)
from foxden.engine.match import SPECTATOR, Match, deal_again
from foxden.engine.rng import STREAM
from foxden.engine.view import to_json

WORLDS = 12  # resampled worlds for each position and viewer, …
TRIES = 20  # … and this many times more before identical worlds count as an error
SCRAMBLES = 6
DEPTH = 24  # positions of a match checked from every seat
OFTEN = 6  # resampling must vary a byte that scrambles changed in this many checks


@dataclass(frozen=True)
class Truth:
    """What the rulebook says about a game's pieces, for the laws to compare with."""

    # Returns what never changes while a match runs, such as all pieces sorted.
    conserved: Callable[[Known], object]
    # Moves hidden pieces among places that the seat (-1: a spectator) cannot tell apart.
    scramble: Callable[[Known, int, random.Random], None]
    # Option sets to try; all combinations by default.
    option_sets: tuple[Mapping[str, Any], ...] | None = None


def setups(game: Game, truth: Truth) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Lists every number of seats with every possible set of options."""
    names = [option.name for option in game.options]
    every = itertools.product(*[option.samples() for option in game.options])
    option_sets = truth.option_sets or tuple(
        dict(zip(names, values, strict=True)) for values in every
    )
    for seats in game.about.seats:
        for options in option_sets:
            if seats in game.seats_with(options):
                yield seats, options


def check_game(game: Game, truth: Truth, *, matches: int = 3, seed: int = 0) -> None:
    """Checks every law for every number of seats and every set of options."""
    check_notation(game)
    for seats, options in setups(game, truth):
        for index in range(matches):
            check_match(game, truth, seats, options, seed + index)


def check_notation(game: Game) -> None:
    """Law: every action has a unique notation that parses back to it."""
    written = [str(label) for label in game.labels]
    _require(len(set(written)) == len(written), "notation", "two actions are written alike")
    for action in game.labels[: game.actions]:
        _require(game.action(str(action)) is action, "notation", f"{action} leads elsewhere")
        clean = str(action) == " ".join(str(action).lower().split()) and str(action).isprintable()
        _require(clean, "notation", f"{str(action)!r} has capitals or odd spaces")


def check_match(
    game: Game, truth: Truth, seats: int, options: Mapping[str, Any], seed: int
) -> Match:
    """Plays one random match, checking all laws; returns the finished match."""
    return _Trial(game, truth, seats, options, seed).run()


def trace(game: Game, seats: int, options: Mapping[str, Any], seed: int) -> str:
    """Hashes everything the rules compute in a random match: equal compiled and interpreted."""
    match = Match(game, seats=seats, seed=seed, options=options)
    dice = random.Random(seed)
    digest = hashlib.sha256(match.state_bytes())
    out = np.zeros(game.actions, np.int64)
    tensor = np.zeros(game.tensor_size, np.float32)
    while not match.is_over:
        viewer = dice.randrange(-1, seats)
        wiped = match.wiped(None if viewer < 0 else viewer)
        digest.update(bytes_of(wiped, 0))
        compiled.features_of(wiped, 0, viewer, tensor)
        digest.update(tensor.tobytes())
        compiled.resample_of(wiped, 0, viewer, match.ply, seed)
        digest.update(bytes_of(wiped, 0))
        imagined = match.wiped(None if viewer < 0 else viewer)
        compiled.imagine_of(imagined, 0, viewer, match.ply, seed)
        digest.update(bytes_of(imagined, 0))
        mine = match.wiped(match.to_act)
        choice = compiled.greedy_of(mine, 0, out, match.ply, seed)
        label = compiled.seen_of(match.truth(), 0, int(choice), viewer)
        digest.update(f"{choice} {label}".encode())
        match.play(int(choice) if dice.random() < 0.2 else dice.choice(match.legal()))
        digest.update(match.state_bytes())
    digest.update(repr((match.scores, match.winners)).encode())
    return digest.hexdigest()


def _require(holds: bool, law: str, message: str) -> None:
    if not holds:
        raise LawBroken(law, message)


class _Trial:
    """One random match under the laws."""

    def __init__(
        self, game: Game, truth: Truth, seats: int, options: Mapping[str, Any], seed: int
    ) -> None:
        self.game = game
        self.truth = truth
        self.dice = random.Random(f"{game.name} {seats} {sorted(options.items())} {seed}")
        self.match = Match(game, seats=seats, seed=seed, options=options)
        self.read = to_known(self.match.truth(), 0)
        self.bound = game.longest(self.read)
        self.pieces = truth.conserved(self.read)
        self.scratch = new_states(game.state, 2)
        self.out = np.zeros(game.actions, np.int64)
        self.tensor = np.zeros(game.tensor_size, np.float32)
        self.by_tensor: dict[tuple[int, bytes], bytes] = {}
        # The last query about refusals, and its answer.
        self.refused: tuple[Any, dict[int, tuple[str, str]]] | None = None
        # How often scrambles have changed each byte, and whether resampling ever has.
        self.scrambled = np.zeros(len(self.match.state_bytes()), np.int64)
        self.resampled = np.zeros(len(self.scrambled), np.bool_)

    def require(self, holds: bool, law: str, message: str) -> None:
        if not holds:
            raise LawBroken(law, f"{message}\n{self.match.record()}")

    def run(self) -> Match:
        match = self.match
        self.check_deal()
        self.check_spare()
        plan = self.dice.sample(range(self.bound), min(self.bound, DEPTH))
        looks = set(plan) | set(range(0, 400, max(1, 400 // DEPTH)))
        while not match.is_over:
            self.require(match.ply < self.bound, "bound", f"over {self.bound} actions")
            self.check_legal()
            if match.ply in looks:
                for viewer in range(SPECTATOR, match.seats):
                    self.check_knowledge(viewer)
            match.play(self.dice.choice(match.legal()))
            self.check_pieces(match.truth())
        self.check_end()
        fixed = self.fields_at(np.flatnonzero((self.scrambled >= OFTEN) & ~self.resampled))
        self.require(not fixed, "resample varies", f"places in {fixed} may vary, and never did")
        return match

    def fields_at(self, offsets: Any) -> str:
        """Names the fields of some bytes of a state."""
        ends = np.cumsum([self.game.state[name].itemsize for name in field_names(self.game.state)])
        places = sorted(set(np.searchsorted(ends, offsets, "right").tolist()))
        return ", ".join(field_names(self.game.state)[place] for place in places)

    def check_deal(self) -> None:
        """Law: a deal depends on seed and table, not on what lay in the state before."""
        fresh = self.match.state_bytes()
        states = self.scratch
        states[0] = self.match.truth()[0]
        compiled.play_randomly(states, 0, self.out)
        deal_again(states, 0, self.match.seed, self.match.stream)
        self.require(bytes_of(states, 0) == fresh, "same seed, same deal", "deals differ")

    def check_spare(self) -> None:
        """Law: bytes outside fields do not matter; the match continues with noise in them."""
        clean, known = self.match.state_bytes(), to_known(self.match.truth(), 0)
        self.match.replace_truth(self.fill_spare)
        same = self.match.state_bytes() == clean and to_known(self.match.truth(), 0) == known
        self.require(same, "spare bytes", "noise between the fields is taken for the state")

    def fill_spare(self, states: Any) -> None:
        """Writes noise wherever no field lies; interpreted states have no such place."""
        if isinstance(states, np.ndarray) and SPARE in (self.game.state.names or ()):
            noise = [self.dice.randint(1, 127) for _ in range(states[SPARE].shape[1])]
            states[SPARE][0] = noise

    def check_legal(self) -> None:
        """Law: while a match runs, legal is not empty, ascends, and stays within the ids."""
        ids = [int(action) for action in self.match.legal()]
        self.require(bool(ids), "legal", "nothing is open to the seat asked")
        self.require(ids == sorted(set(ids)), "legal", f"{ids} does not ascend")
        self.require(ids[0] >= 0 and ids[-1] < self.game.actions, "legal", f"{ids} is out of range")
        asked = self.match.to_act
        self.require(
            asked is not None and 0 <= asked < self.match.seats, "legal", "nobody is asked"
        )

    def check_pieces(self, states: Any) -> None:
        """Law: pieces are conserved."""
        self.read = to_known(states, 0, self.read)  # usually little has changed
        now = self.truth.conserved(self.read)
        if now != self.pieces:
            self.require(False, "conservation", f"{self.pieces} has become {now}")

    def check_knowledge(self, viewer: int) -> None:
        """Checks everything one viewer may and may not know here."""
        seat = None if viewer == SPECTATOR else viewer
        wiped = self.match.wiped(seat)
        seen = bytes_of(wiped, 0)
        known = to_known(wiped, 0)
        stream = [known.rng, *known.key]
        self.require(not any(stream), "no leak", "the random stream is not wiped")
        asked = -1 if self.match.to_act is None else self.match.to_act
        self.require(known.to_act == asked, "no leak", "who is asked is open to all")
        compiled.wipe(wiped, 0, wiped, 0, viewer)
        self.require(bytes_of(wiped, 0) == seen, "no leak", "observing twice wipes more")
        view = self.match.view(seat)
        told = self.all_told(self.match, viewer, view)
        self.check_words(viewer, view)
        self.check_tensor(wiped, 0, viewer)
        changed = self.check_scrambles(viewer, seen, told)
        self.check_worlds(viewer, wiped, seen, changed)

    def all_told(self, match: Match, viewer: int, view: Mapping[str, Any]) -> bytes:
        """Gathers everything sent to a viewer: view, features, choices, refusals."""
        seat = None if viewer == SPECTATOR else viewer
        compiled.features_of(match.wiped(seat), 0, viewer, self.tensor)
        told: list[Any] = [view, self.tensor.tobytes()]
        if seat is not None and match.to_act == seat:
            legal = [int(action) for action in match.legal()]
            choice = int(compiled.greedy_of(match.wiped(seat), 0, self.out, 1, 2))
            self.require(choice in legal, "greedy", f"it chose {choice} of {legal}")
            peeked = int(compiled.greedy_of(match.truth(), 0, self.out, 1, 2))
            self.require(choice == peeked, "greedy", "it chooses by what its seat may not know")
            told += [legal, choice, self.refusals(match, seat, legal)]
        return msgspec.json.encode(told)

    def refusals(self, match: Match, seat: int, legal: list[int]) -> dict[int, tuple[str, str]]:
        """Returns the reason for every illegal action."""
        wiped = match.wiped(seat)
        asked = (seat, bytes_of(wiped, 0), legal)
        if self.refused is None or self.refused[0] != asked:  # reasons depend on nothing else
            known, voice, refuse = to_known(wiped, 0), match.voice(seat), self.game.words.refuse
            closed = sorted(set(range(self.game.actions)) - set(legal))
            self.refused = asked, {action: refuse(known, action, voice) for action in closed}
        return self.refused[1]

    def check_types(self, shown: Any, declared: Any) -> None:
        """Law: views, facts and events have the types that the game declares."""
        try:
            _reader(declared).decode(msgspec.json.encode(shown))
        except msgspec.ValidationError as error:
            self.require(False, "types", str(error))

    def check_words(self, viewer: int, view: Mapping[str, Any]) -> None:
        """Law: every choice is explained, and every refusal names a rule."""
        match = self.match
        self.check_types(view["table"], self.game.view.Table)
        for choice in view["legal"]:
            self.check_types(choice["facts"], self.game.view.Actions)
        self.require(bool(view["question"]), "words", "no question")
        if match.to_act != viewer:
            self.require(view["legal"] == [], "no leak", "choices are shown to a seat not asked")
            return
        legal = [int(action) for action in match.legal()]
        shown = [choice["id"] for choice in view["legal"]]
        self.require(
            shown == legal, "no leak", f"the wiped state allows {shown}, the truth {legal}"
        )
        self.require(all(choice["says"] for choice in view["legal"]), "words", "no explanation")
        for action, (reason, rule) in self.refusals(match, viewer, legal).items():
            named = re.fullmatch(r"[A-Z]{2}-[0-9]+", rule) is not None
            good = bool(reason) and (named or self.game.words.refuse is defaults.refuse)
            self.require(good, "words", f"{action} is refused with {reason!r}, {rule!r}")
        for action in legal:
            label = compiled.seen_of(match.truth(), 0, action, viewer)
            self.require(label == action, "seen", "a seat sees its own action as it is")

    def check_tensor(self, states: Any, i: int, viewer: int) -> None:
        """Law: the tensor is bounded, and distinguishes whatever the viewer can distinguish."""
        seen = bytes_of(states, i)
        self.tensor[:] = np.nan
        compiled.features_of(states, i, viewer, self.tensor)
        good = bool(np.all(np.abs(self.tensor) <= 1))
        self.require(good, "features", "a number is missing or beyond 1")
        before = self.by_tensor.setdefault((viewer, self.tensor.tobytes()), seen)
        self.require(before == seen, "features", "two views have one tensor")

    def check_scrambles(self, viewer: int, seen: bytes, told: bytes) -> int:
        """Law: what a viewer sees does not depend on what it may not know."""
        worlds, scrambled = {self.match.state_bytes()}, set[bytes]()
        for _ in range(SCRAMBLES):
            twin = copy.copy(self.match)
            known = to_known(twin.truth(), 0)
            self.truth.scramble(known, viewer, self.dice)
            known.key = [self.dice.getrandbits(63) for _ in known.key]
            twin.replace_truth(partial(_write, known))
            self.check_pieces(twin.truth())
            if twin.state_bytes() in worlds:
                continue
            worlds.add(twin.state_bytes())
            scrambled.add(_without_stream(twin.truth()))
            seat = None if viewer == SPECTATOR else viewer
            if bytes_of(twin.wiped(seat), 0) != seen:
                different = _difference(self.match, twin, viewer)
                self.require(False, "no leak", f"{viewer} sees {different}")
            same = self.all_told(twin, viewer, twin.view(seat)) == told
            self.require(same, "no leak", f"{viewer} is told more")
            self.check_events(twin, viewer)
            for action in set(self.match.legal()) & set(twin.legal()):
                labels = {
                    int(compiled.seen_of(m.truth(), 0, action.id, viewer))
                    for m in (self.match, twin)
                }
                self.require(len(labels) == 1, "no leak", f"{action} is seen by what is hidden")
        self.scrambled += _varied(scrambled)
        return len(scrambled)

    def check_events(self, twin: Match, viewer: int) -> None:
        """Law: actions that give a viewer the same knowledge look the same to it."""
        common = sorted(set(self.match.legal()) & set(twin.legal()), key=int)
        if not common:
            return
        # Separate dice, so the match's dice do not advance.
        action = random.Random(self.match.ply * 64 + viewer).choice(common)
        seat = None if viewer == SPECTATOR else viewer
        told = []
        for match in (copy.copy(self.match), copy.copy(twin)):
            ((_, entry),) = match.play_and_view([match.seat_view(seat)], action)
            told.append((bytes_of(match.wiped(seat), 0), to_json(entry)))
        (one, first), (other, second) = told
        self.require(one != other or first == second, "no leak", f"{viewer} is told more events")

    def check_worlds(self, viewer: int, wiped: Any, seen: bytes, changed: int) -> None:
        """Law: worlds fit the view and can be played on; resampled ones vary where possible."""
        worlds = self.fill_worlds("resample", compiled.resample_of, viewer, wiped, seen)
        tries = 0
        while changed > 1 and len(worlds) == 1 and tries < TRIES:  # a few alike are normal
            worlds |= self.fill_worlds("resample", compiled.resample_of, viewer, wiped, seen)
            tries += 1
        if changed > 1:
            self.require(
                len(worlds) > 1, "resample varies", f"{viewer} gets one world here, time and again"
            )
        self.resampled |= _varied(worlds)
        if self.game.believe is not None and viewer != SPECTATOR:
            self.fill_worlds("believe", compiled.imagine_of, viewer, wiped, seen)

    def fill_worlds(
        self, name: str, fill: Callable[..., None], viewer: int, wiped: Any, seen: bytes
    ) -> set[bytes]:
        """Fills a wiped state repeatedly, and returns the worlds, each checked."""
        states = self.scratch
        worlds = set()
        for k in range(WORLDS):
            states[0] = wiped[0]
            fill(states, 0, viewer, self.dice.getrandbits(62), k)
            self.check_pieces(states)
            compiled.wipe(states, 0, states, 1, viewer)
            same = bytes_of(states, 1) == seen
            self.require(same, f"{name} fits", f"another view for {viewer} after it")
            if k == 0:
                self.play_out(states)
            # Seen from another seat the worlds differ in little: a good test of its tensor.
            other = self.dice.randrange(self.match.seats)
            compiled.wipe(states, 0, states, 1, other)
            self.check_tensor(states, 1, other)
            worlds.add(_without_stream(states))
        return worlds

    def play_out(self, states: Any) -> None:
        """Plays a world to its end by random actions."""
        states[1] = states[0]
        left = self.bound - self.match.ply
        opens = compiled.legal_of(states, 1, self.out) > 0
        self.require(opens, "resample plays", "nothing is open, and it is not over")
        plies = compiled.play_randomly(states, 1, self.out, left + 1)
        self.require(plies <= left, "bound", "a resampled world does not end in time")
        self.require(
            to_known(states, 1).to_act < 0, "resample plays", "somebody is asked at the end"
        )

    def check_end(self) -> None:
        """Law: results are reported correctly, and a record replays to the same match."""
        match = self.match
        self.require(match.to_act is None and match.legal() == (), "end", "somebody is asked")
        view = match.view(None)
        sums = [sum(points for _, points in lines) for lines in view["tally"]]
        self.require(sums == list(match.scores), "end", f"{sums} add up to {match.scores}")
        alike = len(set(match.scores)) == 1 and not match.winners
        right = alike if match.together else bool(match.winners)
        self.require(right, "together", "who plays together wins nothing alone, others do")
        flag = to_known(match.truth(), 0).together
        self.require(flag == match.together, "together", "the state says otherwise")
        again = Match.from_record(match.record(), game=self.game)
        same = again.state_bytes() == match.state_bytes() and again.record() == match.record()
        self.require(same, "same record, same match", "the replay differs")
        for seat in (None, *range(match.seats)):
            log = match.log(seat)
            told = all(entry["says"] and all(entry["says"]) for entry in log)
            for entry in log:
                self.check_types(entry["events"], list[self.game.view.Events])  # type: ignore[name-defined]
            self.require(told and len(log) == match.ply, "words", "an action is not told")


@cache
def _reader(declared: Any) -> msgspec.json.Decoder[Any]:
    """Returns a cached JSON reader for a type; making one takes longer than using it."""
    return msgspec.json.Decoder(declared)


def _write(known: Known, states: Any) -> None:
    for name, value in vars(known).items():
        write_field(states, 0, name, value)


def _without_stream(states: Any) -> bytes:
    """Returns the bytes of a state after wiping its random stream."""
    for name, *_ in STREAM:
        write_field(states, 0, name, 0)
    return bytes_of(states, 0)


def _varied(worlds: set[bytes]) -> Any:
    """Marks the bytes in which worlds differ."""
    rows = np.array([np.frombuffer(world, np.uint8) for world in worlds])
    return (rows != rows[:1]).any(axis=0)


def _difference(one: Match, other: Match, viewer: int) -> Sequence[str]:
    """Names the fields by which a viewer can tell two worlds apart."""
    seat = None if viewer == SPECTATOR else viewer
    a, b = vars(one.known(seat)), vars(other.known(seat))
    return [name for name in a if a[name] != b[name]]
