"""A match being played, move by checked move.

Compiled rules trust their caller; `Match.play` does not. A refusal leaves the match unchanged, and
everything a seat sees is made from a state already wiped of what the seat may not know.
"""

from __future__ import annotations

import copy
import hashlib
import secrets
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn
from weakref import WeakValueDictionary

import numpy as np

from foxden.engine import compiled, recording
from foxden.engine.errors import (
    BadSeats,
    FoxdenError,
    IllegalAction,
    MatchOver,
    NothingToUndo,
    NotYourTurn,
)
from foxden.engine.game import Action, Game, Setup
from foxden.engine.kernel import (
    Known,
    as_array,
    bytes_of,
    copied,
    is_ready,
    new_states,
    to_known,
)
from foxden.engine.native import native, whole
from foxden.engine.parts import Parts
from foxden.engine.rng import (
    SEED_BITS,
    Stream,
    check_seed,
    check_stream,
    deal_key,
    split_seed,
)
from foxden.engine.view import LegalAction, LogEntry, SeatView, View, to_json
from foxden.engine.voice import Voice

LONGEST_NAME = 40
SPECTATOR = -1


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class _Blank:
    """A state ready to be dealt, shared by all matches of one setup."""

    setup: Setup
    states: Any  # an array with that one state

    def dealt(self, seed: int, stream: Stream) -> Any:
        """Deals into a new one-state array."""
        states = copied(self.states, 0)
        deal_again(states, 0, seed, stream)
        return states


def deal_again(states: Any, i: int, seed: int, stream: Stream) -> None:
    """Deals into a configured state, discarding what was played there."""
    if stream == "fast":
        compiled.start(states, i, *split_seed(seed))
    else:
        compiled.start_keyed(states, i, *deal_key(seed))


_blanks: WeakValueDictionary[tuple[Any, ...], _Blank] = WeakValueDictionary()


def _blank(game: Game, seats: int | None, options: Any, parts: Any) -> _Blank:
    """Checks a setup; returns the cached one if a match still uses it."""
    setup = game.setup(seats, options, parts)
    # Keyed by text after the check: 3.0 equals 3 but is not a valid number of seats.
    key = (game, is_ready(game.state), repr(setup))
    blank = _blanks.get(key)
    if blank is None:
        states = new_states(game.state, 1)
        game.configure(states, 0, setup)
        blank = _blanks[key] = _Blank(setup, states)
    return blank


class _Buffers:
    """Output arrays for the rules of one game, for matches of one form."""

    def __init__(self, game: Game, compiled: bool) -> None:
        viewers = 1 + game.most_seats
        self.out = np.zeros(game.actions, np.int64)  # legal actions
        self.labels = np.zeros(viewers, np.int64)  # how an action looks to each viewer
        # The state, wiped for each viewer.
        self.wiped = new_states(game.state, viewers, compiled=compiled)


class _Scratch(threading.local):
    """The buffers of each thread: compiled calls run side by side."""

    def __init__(self) -> None:
        self.compiled: dict[Game, _Buffers] = {}
        self.plain: dict[Game, _Buffers] = {}

    def of(self, game: Game, states: Any) -> _Buffers:
        """Returns the buffers for a game's states in their form."""
        compiled = type(states) is np.ndarray
        found = self.compiled if compiled else self.plain
        buffers = found.get(game)
        if buffers is None:
            buffers = found[game] = _Buffers(game, compiled)
        return buffers


_scratch = _Scratch()


class Match:
    """One match of one game, from its deal to its last action."""

    __slots__ = (
        *("game", "names", "seats", "seed", "stream"),
        *("_actors", "_blank", "_open", "_played", "_states", "_to_act"),
    )

    def __init__(
        self,
        game: Game,
        *,
        seats: int | None = None,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        parts: Mapping[str, Any] | None = None,
        names: Sequence[str] | Mapping[int, str] = (),
        stream: Stream = "keyed",
    ) -> None:
        """Deals a match, with a random seed if none is given.

        Nobody at the table can compute the deal unless they know the seed. `stream="fast"` deals
        as batch environments do, and as in records of version 1.
        """
        self.game = game
        self._blank = _blank(game, seats, options, parts)
        self.seats = self._blank.setup.seats
        self.seed = secrets.randbits(SEED_BITS) if seed is None else check_seed(seed)
        self.stream = check_stream(stream)
        self.names = _checked_names(self.seats, names)
        self._states = self._blank.dealt(self.seed, self.stream)
        self._played: list[Action] = []
        self._actors = bytearray()  # the seat that played each action
        self._look()

    def _quicken(self) -> None:
        """Switches to compiled rules once they are ready; the state's bytes are the same."""
        if type(self._states) is not np.ndarray and is_ready(self.game.state):
            setup = self._blank.setup
            self._blank = _blank(self.game, setup.seats, setup.options, setup.parts)
            self._states = as_array(self._states)

    def _look(self) -> None:
        """Updates the seat to act and its legal actions."""
        out = _scratch.of(self.game, self._states).out
        self._open: list[int] = out[: compiled.legal_of(self._states, 0, out)].tolist()
        self._to_act = _seat_asked(self._states)

    # State of play

    @property
    def ply(self) -> int:
        """Returns the number of actions played."""
        return len(self._played)

    @property
    def options(self) -> dict[str, Any]:
        """Returns every option with its value."""
        return dict(self._blank.setup.options)

    @property
    def parts(self) -> Parts:
        """Returns the printed numbers in force."""
        return dict(self._blank.setup.parts)

    @property
    def together(self) -> bool:
        """Returns whether the match is cooperative: all seats share one result."""
        return bool(self.game.together(self.seats, self._blank.setup.options))

    @property
    def to_act(self) -> int | None:
        """Returns the seat to act, None when the match is over."""
        return None if self._to_act < 0 else self._to_act

    @property
    def is_over(self) -> bool:
        """Returns whether the match has ended."""
        return self._to_act < 0

    @property
    def scores(self) -> tuple[int, ...]:
        """Returns each seat's current points."""
        out = np.zeros(self.seats, np.int64)
        compiled.scores_of(self._states, 0, out)
        return tuple(out.tolist())

    @property
    def winners(self) -> tuple[int, ...]:
        """Returns the winning seats, empty while the match is running."""
        if not self.is_over:
            return ()
        out = np.zeros(self.seats, np.int64)
        compiled.winners_of(self._states, 0, out)
        return tuple(np.flatnonzero(out).tolist())

    @property
    def played(self) -> tuple[Action, ...]:
        """Returns every action so far: the truth, not what a seat has seen."""
        return tuple(self._played)

    @property
    def is_compiled(self) -> bool:
        """Returns whether compiled rules play the match; until they are ready, Python does."""
        self._quicken()
        return type(self._states) is np.ndarray

    def legal(self) -> tuple[Action, ...]:
        """Returns the legal actions of the seat to act, in ascending order of their ids."""
        return tuple(map(self.game.labels.__getitem__, self._open))

    # Playing

    def play(self, action: Action | int | str, seat: int | None = None) -> Action:
        """Plays an action, its id or its notation; `seat`, if given, must be the one to act."""
        self._quicken()
        game = self.game
        chosen = game.action(action)
        if seat is not None and (type(seat) is not int or seat != self._to_act):
            self._check_turn(seat)
        out = _scratch.of(game, self._states).out
        self._went_on(chosen, compiled.move(self._states, 0, chosen.id, out), out)
        return chosen

    def _went_on(self, chosen: Action, count: int, out: Any) -> None:
        """Records the action played and the next legal ones; a count of -1 means it was refused."""
        if count < 0:
            self._refuse(chosen)
        self._played.append(chosen)
        self._actors.append(self._to_act)
        self._open = out[:count].tolist()
        self._to_act = _seat_asked(self._states)

    def check(self, action: Action | int | str, seat: int | None = None) -> Action:
        """Raises what `play` would raise, without playing."""
        chosen = self.game.action(action)
        if seat is not None and (type(seat) is not int or seat != self._to_act):
            self._check_turn(seat)
        if chosen.id not in self._open:
            self._refuse(chosen)
        return chosen

    def _check_turn(self, seat: int) -> None:
        """Refuses a seat that is not to act; `_refuse` handles finished matches."""
        number = self.check_seat(seat)
        asked = self.to_act
        if asked is not None and asked != number:
            raise NotYourTurn(f"{self.names[number]} cannot act now: {self.names[asked]} is asked.")

    def _refuse(self, action: Action) -> NoReturn:
        if self.to_act is None:
            raise MatchOver(f"{action} cannot be played: the match is over.")
        reason, rule = self.why_not(action)
        raise IllegalAction(
            f"{str(action)!r} is not open now: {reason}",
            action=str(action),
            seat=self.to_act,
            rule=rule or None,
            record=self.record(),
        )

    def undo(self, actions: int = 1) -> None:
        """Takes back the last actions."""
        number = whole(actions)
        if number is None or not 0 <= number <= self.ply:
            raise NothingToUndo(f"{actions} actions cannot be taken back; {self.ply} were played.")
        self._go_to(self.ply - number)

    def _go_to(self, ply: int) -> None:
        self._quicken()
        del self._played[ply:], self._actors[ply:]
        self._states = self._blank.dealt(self.seed, self.stream)
        compiled.replay(self._states, 0, _ids(self._played), ply)
        self._look()

    def at(self, ply: int) -> Match:
        """Returns a copy of the match as it was after `ply` actions."""
        number = whole(ply)
        if number is None or not 0 <= number <= self.ply:
            raise NothingToUndo(f"There is no position {ply}; {self.ply} actions were played.")
        twin = copy.copy(self)
        twin._go_to(number)
        return twin

    def __copy__(self) -> Match:
        """Returns an independent copy of the match."""
        twin = object.__new__(type(self))
        for name in Match.__slots__:
            setattr(twin, name, getattr(self, name))
        twin._states = copied(self._states, 0)
        twin._played, twin._actors = self._played[:], self._actors[:]
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        """Returns the same as a copy: shared data never changes."""
        return copy.copy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the deal and actions; unpickling replays them, and checks the result."""
        deal: dict[str, Any] = {"seats": self.seats, "seed": self.seed, "stream": self.stream}
        deal |= {"options": self.options, "parts": self.parts, "names": self.names}
        moves = [(seat, action.id) for seat, action in self.moves]
        return _unpickled, (type(self), self.game, deal, moves, self._digest())

    def _digest(self) -> bytes:
        return hashlib.blake2b(self.state_bytes(), digest_size=16).digest()

    # What a seat may know

    def check_seat(self, seat: int | None) -> int:
        """Returns the viewer's number, -1 for a spectator; raises if there is no such seat."""
        if seat is None:
            return SPECTATOR
        number = whole(seat)
        if number is None or not 0 <= number < self.seats:
            raise BadSeats(f"There is no seat {seat!r}; seats go from 0 to {self.seats - 1}.")
        return number

    def wiped(self, seat: int | None) -> Any:
        """Returns a copy of the state as a one-state array, wiped of what the seat may not know."""
        self._quicken()
        viewer = self.check_seat(seat)
        wiped = new_states(self.game.state, 1, compiled=isinstance(self._states, np.ndarray))
        compiled.wipe(self._states, 0, wiped, 0, viewer)
        return wiped

    def known(self, seat: int | None) -> Known:
        """Returns the wiped state as plain ints and lists."""
        return to_known(self.wiped(seat), 0)

    def voice(self, seat: int | None) -> Voice:
        """Returns the voice that addresses a seat, or a spectator."""
        return Voice(self.names, self.check_seat(seat), self._blank.setup.options)

    def view(self, seat: int | None) -> dict[str, Any]:
        """Returns what a seat may know, ready for JSON; None means a spectator."""
        view: dict[str, Any] = to_json(self.seat_view(seat).view)
        return view

    def seat_view(self, seat: int | None) -> SeatView:
        """Returns what a seat may know, with the typed view of it; None means a spectator."""
        self._quicken()
        viewer = self.check_seat(seat)
        wiped = _scratch.of(self.game, self._states).wiped
        compiled.wipe(self._states, 0, wiped, viewer + 1, viewer)
        return self._seen_by(viewer, wiped, None)

    def play_and_view(
        self, views: Sequence[SeatView], action: Action | int | str, seat: int | None = None
    ) -> list[tuple[SeatView, LogEntry]]:
        """Plays, and returns for each viewer the new view and the entry that `log` would give.

        It is faster than a new `seat_view`: only what has changed since the last one is read.
        """
        self._quicken()
        chosen = self.check(action, seat)
        buffers = _scratch.of(self.game, self._states)
        viewers = 0
        for before in views:
            viewers |= 1 << before.voice.viewer + 1
        count = compiled.move_and_wipe(
            self._states, 0, chosen.id, buffers.out, viewers, buffers.labels, buffers.wiped
        )
        self._went_on(chosen, count, buffers.out)
        labels, ply = buffers.labels.tolist(), len(self._played)
        told = []
        for before in views:
            viewer = before.voice.viewer
            after = self._seen_by(viewer, buffers.wiped, before)
            label = labels[viewer + 1]
            told.append((after, self._entry(ply, before.known, label, after.known, before.voice)))
        return told

    def _seen_by(self, viewer: int, wiped: Any, before: SeatView | None) -> SeatView:
        """Makes a viewer's view from state viewer + 1, which is wiped for it."""
        game, words = self.game, self.game.words
        if before is None:
            known = to_known(wiped, viewer + 1)
            voice = self.voice(None if viewer == SPECTATOR else viewer)
        else:
            known, voice = to_known(wiped, viewer + 1, before.known), before.voice
        asked: int = known.to_act
        legal = []
        if asked == viewer >= 0:
            # From the wiped state too: a seat's legal actions follow from what it knows.
            out = _scratch.of(game, self._states).out
            labels, explain, facts = game.labels, words.explain, game.view.facts
            for action in out[: compiled.legal_of(wiped, viewer + 1, out)].tolist():
                says = explain(known, action, voice)
                notation = labels[action].notation
                legal.append(LegalAction(action, notation, says, facts(known, action)))
        view = View(
            game.name,
            game.rules_version,
            self._blank.setup.options,
            self.together,
            list(self.names),
            None if viewer == SPECTATOR else viewer,
            len(self._played),
            None if asked < 0 else asked,
            words.question(known, voice),
            list(words.rules_now(known)),
            legal,
            game.view.table(known, viewer),
        )
        if asked < 0:
            view.scores = list(self.scores)
            view.winners = list(self.winners)
            view.tally = words.tally(known, self.scores)
        return SeatView(known, view, voice)

    def open_view(self) -> dict[str, Any]:
        """Returns the view with everything that any seat knows: for finished matches."""
        views = [self.view(seat) for seat in (None, *range(self.seats))]
        return views[0] | {"table": _laid_open([view["table"] for view in views])}

    def question(self, seat: int | None) -> str:
        """Returns the current question, worded for a seat."""
        return self.game.words.question(self.known(seat), self.voice(seat))

    def explain(self, action: Action | int | str) -> str:
        """Explains a legal action to the seat to act."""
        chosen = self.game.action(action)
        return self.game.words.explain(self.known(self.to_act), chosen.id, self.voice(self.to_act))

    def why_not(self, action: Action | int | str) -> tuple[str, str]:
        """Explains to the seat to act why an action is not legal, and by which rule."""
        chosen = self.game.action(action)
        return self.game.words.refuse(self.known(self.to_act), chosen.id, self.voice(self.to_act))

    def log(self, seat: int | None, since: int = 0) -> list[dict[str, Any]]:
        """Returns the log from action `since` on, as the seat saw it, ready for JSON."""
        told: list[dict[str, Any]] = to_json(self.entries(seat, since))
        return told

    def entries(self, seat: int | None, since: int = 0) -> list[LogEntry]:
        """Returns the log from action `since` on, as the seat saw it."""
        self._quicken()
        viewer, number = self.check_seat(seat), whole(since)
        if number is None or number < 0:
            raise NothingToUndo(f"There is no position {since}; {self.ply} actions were played.")
        voice = self.voice(seat)
        states = new_states(self.game.state, 2, compiled=isinstance(self._states, np.ndarray))
        states[0] = self._blank.dealt(self.seed, self.stream)[0]
        compiled.replay(states, 0, _ids(self._played), min(number, self.ply))
        before = self._known_in(states, viewer)
        entries = []
        for ply in range(number, self.ply):
            action = self._played[ply].id
            label = compiled.seen_of(states, 0, action, viewer)
            compiled.replay(states, 0, np.array([action]), 1)
            after = self._known_in(states, viewer, before)
            entries.append(self._entry(ply + 1, before, label, after, voice))
            before = after
        return entries

    def seen(self, action: Action, seat: int | None) -> int:
        """Returns the label under which a seat sees an action about to be played."""
        return int(compiled.seen_of(self._states, 0, action.id, self.check_seat(seat)))

    def _entry(self, ply: int, before: Known, label: int, after: Known, voice: Voice) -> LogEntry:
        game = self.game
        events = game.view.events(before, label, after, voice.viewer)
        says = game.words.tell(events, voice)
        return LogEntry(ply, before.to_act, game.labels[label].notation, says, events)

    @staticmethod
    def _known_in(states: Any, viewer: int, before: Known | None = None) -> Known:
        compiled.wipe(states, 0, states, 1, viewer)
        return to_known(states, 1, before)

    # Former names, removed in the next version

    def glimpse(self, seat: int | None) -> SeatView:
        """Returns `seat_view`, with a warning."""
        warnings.warn("Match.glimpse is now Match.seat_view.", DeprecationWarning, stacklevel=2)
        return self.seat_view(seat)

    # Records

    def record(self, *, tell_seed: bool = True) -> str:
        """Returns the match's record; without the seed, it holds the seed's hash."""
        return recording.record_of(self, tell_seed=tell_seed)

    @classmethod
    def from_record(cls, text: str, *, seed: int | None = None, game: Game | None = None) -> Match:
        """Replays a record, checking every line.

        `seed` is for a record that has only its hash, `game` for a game that is on no list.
        """
        return recording.match_from(cls, text, seed=seed, game=game)

    def replay(self, moves: Sequence[tuple[int, int]]) -> None:
        """Plays many moves, each a seat and an action's id; refuses the first illegal one.

        One compiled call plays them all, so even a long match loads at once.
        """
        self._quicken()
        game, count = self.game, len(moves)
        # What is no seat or no action at all is refused where its turn comes.
        plain = [(_below(self.seats, seat), _below(game.actions, action)) for seat, action in moves]
        seats = np.array([seat for seat, _ in plain], np.int64)
        ids = np.array([action for _, action in plain], np.int64)
        out = _scratch.of(game, self._states).out
        good = compiled.replay_checked(self._states, 0, ids, seats, count, out)
        self._played += [game.labels[action] for _, action in plain[:good]]
        self._actors += bytes(seat for seat, _ in plain[:good])
        self._look()
        if good < count:
            seat, action = moves[good]
            self.play(action, seat)

    @property
    def moves(self) -> list[tuple[int, Action]]:
        """Returns every action so far with its seat: the truth, like `played`."""
        return list(zip(self._actors, self._played, strict=True))

    # The truth, for conformance laws and tests: no seat may see it

    def truth(self) -> Any:
        """Returns a copy of the unwiped state, as a one-state array."""
        return copied(self._states, 0)

    def replace_truth(self, write: Callable[[Any], None]) -> None:
        """Lets `write` change the state; the match can then not be undone, recorded or pickled."""
        write(self._states)
        self._look()

    def state_bytes(self) -> bytes:
        """Returns the unwiped state as bytes, for comparison."""
        return bytes_of(self._states, 0)

    def __repr__(self) -> str:
        """Describes the match without its secrets."""
        where = "over" if self.is_over else f"{self.names[self.to_act or 0]} to act"
        return f"<{self.game.title}, {self.seats} seats, ply {self.ply}, {where}>"


def _unpickled(
    kind: type[Match], game: Game, deal: dict[str, Any], moves: list[tuple[int, int]], digest: bytes
) -> Match:
    """Rebuilds a pickled match."""
    match = kind(game, **deal)
    try:
        match.replay(moves)
    except FoxdenError:
        digest = b""
    if match._digest() != digest:
        raise FoxdenError(
            f"This match of {game.title} does not replay: it was pickled with other rules, or its "
            "state was written to."
        )
    return match


def _laid_open(tellings: Sequence[Any]) -> Any:
    """Merges several viewers' versions of a value; whatever one of them knows is known."""
    known = [telling for telling in tellings if telling is not None]
    if not known:
        return None
    if all(isinstance(telling, dict) for telling in known):
        return {
            key: _laid_open([telling.get(key) for telling in known])
            for key in dict.fromkeys(key for telling in known for key in telling)
        }
    if all(isinstance(telling, list) for telling in known):
        longest = max(known, key=len)
        fitting = [telling for telling in known if len(telling) == len(longest)]
        return [_laid_open(things) for things in zip(*fitting, strict=True)]
    return known[0]


def _below(end: int, value: Any) -> int:
    """Returns a whole number from 0 to an end, and -1 for anything else."""
    number = whole(value)
    return number if number is not None and 0 <= number < end else -1


def _ids(actions: Sequence[Action]) -> Any:
    return np.array([action.id for action in actions], np.int64)


def _seat_asked(states: Any) -> int:
    seat: int = states["to_act"].item(0) if isinstance(states, np.ndarray) else states[0].to_act
    return seat


def _checked_names(seats: int, names: Sequence[str] | Mapping[int, str]) -> tuple[str, ...]:
    """Completes the seats' names; refuses those that a record could not hold."""
    if isinstance(names, str) or not isinstance(names, (Mapping, Sequence)):
        raise BadSeats(f"Names are a list, or by seat, not {names!r}.")
    found = [recording.default_name(seat) for seat in range(seats)]
    for seat, given in names.items() if isinstance(names, Mapping) else enumerate(names):
        number, name = whole(seat), native(given)
        if number is None or not 0 <= number < seats:
            raise BadSeats(f"There is no seat {seat!r} to be named {given!r}.")
        if (
            not isinstance(name, str)
            or not name.isprintable()
            or name != name.strip()
            or not 0 < len(name) <= LONGEST_NAME
        ):
            raise BadSeats(f"A seat's name has 1 to {LONGEST_NAME} printable signs, not {given!r}.")
        found[number] = name
    return tuple(found)
