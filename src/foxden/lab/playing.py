"""One piece of an experiment: some deals of one variant, played the same everywhere."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

import foxden
from foxden.arena.chance import deal_seed, dice_seed
from foxden.bots import Bot, Position
from foxden.engine import compiled
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Game, Setup
from foxden.engine.kernel import as_array, copied, new_states, to_known, write_field
from foxden.engine.rng import deal_key, derive_seed, split_seed
from foxden.lab.chances import MOMENTS, STRONG, UNKNOWN, chances_of
from foxden.lab.players import COMPILED, all_compiled, find_player
from foxden.lab.question import (
    BadQuestion,
    Question,
    Variant,
    bots_of,
    reached,
    setup_of,
    variants_of,
)
from foxden.lab.tracing import DEAL, PLIES, ROTATION, SCORE, SCRIPT, play_and_note, play_bare
from foxden.review.rollouts import GREEDY

COMPILED_DEALS, CHANCES_DEALS, DEALS = 64, 16, 4  # of one piece


class Piece(NamedTuple):
    """Some deals of one variant."""

    variant: int
    first: int
    deals: int


class BotFailed(FoxdenError):
    """Is raised when a bot of an experiment fails; its matches would not count."""


def piece_deals(question: Question) -> int:
    """Returns how many deals one piece has."""
    if not is_compiled(question):
        return DEALS
    return CHANCES_DEALS if question.chances else COMPILED_DEALS


def is_compiled(question: Question) -> bool:
    """Returns whether whole matches of all variants run compiled."""
    return all(all_compiled(bots_of(question, variant)) for variant in variants_of(question))


def players_differ(question: Question) -> bool:
    """Returns whether seating matters in any variant."""
    return any(one.players or len(set(bots_of(question, one))) > 1 for one in variants_of(question))


def rotations(question: Question, variant: Variant) -> int:
    """Returns how often a deal is played: where players differ, so that each sits everywhere."""
    return setup_of(question, variant).seats if players_differ(question) else 1


def player_at(seat: Any, rotation: Any, seats: int) -> Any:
    """Returns which player sits there; everybody moves one seat on with each rotation."""
    return (seat - rotation) % seats


class _Notes(NamedTuple):
    """What is recorded besides the rows; empty arrays record nothing."""

    groups: Any = None  # of actions, by id
    counts: Any = np.zeros((0, 0, 0, 3), np.int64)  # [match, seat, group, (open, played, …)]
    held: Any = np.zeros((0, 0, 0, 3), np.int8)  # [match, seat, component, (dealt, had, used)]
    kept: Any = np.zeros((0, 0), np.int64)  # [match, ply] the actions

    def of(self, at: slice) -> _Notes:
        """Returns the notes of some matches."""
        return _Notes(self.groups, self.counts[at], self.held[at], self.kept[at])


def play_piece(question: Question, piece: Piece) -> Any:
    """Plays a piece and returns a row of whole numbers for each match."""
    return Table.of(question, piece.variant).rows(piece.first, piece.deals)


class Table:
    """A variant of a question, ready to be dealt."""

    def __init__(self, question: Question, number: int) -> None:
        """Checks the variant and compiles the game."""
        self.question = question
        self.variant = variants_of(question)[number]
        self.game = foxden.game(question.game)
        compiled.ensure(self.game)
        self.setup = setup_of(question, self.variant)
        self.seats = self.setup.seats
        self.rotations = rotations(question, self.variant)
        bots = bots_of(question, self.variant)
        self.bots = [bots[k % len(bots)] for k in range(self.seats)]
        self.compiled = all_compiled(bots)
        self.blank = _configured(self.game, self.setup)
        self.others = {
            int(name) - 1: _configured(self.game, setup_of(question, self.variant, int(name) - 1))
            for name in self.variant.players
        }

    @staticmethod
    @cache
    def _kept(question: bytes, number: int) -> Table:
        return Table(msgspec.json.decode(question, type=Question), number)

    @classmethod
    def of(cls, question: Question, number: int) -> Table:
        """Returns the table of a variant; one that was made before is used again."""
        return cls._kept(msgspec.json.encode(question), number)

    def rows(self, first: int, deals: int) -> Any:
        """Plays deals and returns their rows."""
        return self._rows(first, deals, _Notes())

    def tracked(self, first: int, deals: int, groups: Any) -> tuple[Any, Any, Any]:
        """Plays deals and returns their rows; also what seats did by groups of actions, and had.

        The second is [match, seat, group, (open, played)], the third [match, seat, component,
        (dealt, had, used)].
        """
        matches, many = deals * self.rotations, int(groups.max()) + 1
        counts = np.zeros((matches, self.seats, many, 3), np.int64)
        held = np.zeros((matches, self.seats, len(self.game.components), 3), np.int8)
        rows = self._rows(first, deals, _Notes(groups, counts, held))
        return rows, counts[..., :2], held

    def _rows(self, first: int, deals: int, notes: _Notes) -> Any:
        numbers = [(d, r) for d in range(first, first + deals) for r in range(self.rotations)]
        states = self.dealt(numbers)
        longest = self.game.longest(to_known(states, 0))
        seeds = self.dice(numbers)
        ends = reached(self.question)
        shown = self.seats * MOMENTS if self.question.chances else 0
        width = SCORE + 2 * self.seats + len(ends)
        rows = np.zeros((len(numbers), width + shown), np.int64)
        rows[:, DEAL] = [d for d, _ in numbers]
        rows[:, ROTATION] = [r for _, r in numbers]
        if notes.groups is None:
            notes = notes._replace(groups=np.zeros(self.game.actions, np.int64))
        leaders = np.zeros(longest + 1, np.int8)
        sampled = [m for m, (d, r) in enumerate(numbers) if r == 0 and d < self.question.chances]
        if self.compiled:
            if sampled:
                notes = notes._replace(kept=np.zeros((len(numbers), longest + 1), np.int64))
            self._note(states, self.kinds(numbers), seeds, leaders, notes, rows)
            self._note_ends(states, ends, rows)
            scripts = dict(enumerate(notes.kept))
        else:
            bots = [find_player(name) for name in self.bots]
            scripts = {}
            for m, (deal, rotation) in enumerate(numbers):
                luck = dice_seed(self.question.chance[1], deal, rotation)
                script = scripts[m] = self.play(copied(states, m), bots, rotation, luck)
                kinds, at = np.full((1, self.seats), SCRIPT, np.int64), slice(m, m + 1)
                here = copied(states, m)
                self._note(here, kinds, seeds[at], leaders, notes.of(at), rows[at], script)
                self._note_ends(here, ends, rows[at])
        rows[:, width:] = UNKNOWN
        way = GREEDY if self.compiled else STRONG
        for m in sampled:
            script, dealt = scripts[m][: rows[m, PLIES]], self.dealt([numbers[m]])
            rows[m, width:] = chances_of(self.game, dealt, script, self.seats, way)
        return rows

    def bare(self, first: int, deals: int) -> int:
        """Plays deals as `rows` does, recording only the actions, which it returns."""
        numbers = [(d, r) for d in range(first, first + deals) for r in range(self.rotations)]
        states = self.dealt(numbers)
        wiped, dice, out = self._scratch(states)
        kinds, seeds = self.kinds(numbers), self.dice(numbers)
        return int(play_bare(states, wiped, kinds, seeds, dice, out, len(numbers)))

    def _scratch(self, states: Any) -> tuple[Any, Any, Any]:
        form = isinstance(states, np.ndarray)
        return (
            new_states(self.game.state, 1, compiled=form),
            new_states(self.game.state, 1, compiled=form),
            np.zeros(self.game.actions, np.int64),
        )

    def _note(
        self,
        states: Any,
        kinds: Any,
        seeds: Any,
        leaders: Any,
        notes: _Notes,
        rows: Any,
        script: Any = None,
    ) -> None:
        wiped, dice, out = self._scratch(states)
        script = np.zeros(1, np.int64) if script is None else script
        points = np.zeros(self.seats, np.int64)
        having = np.zeros(max(1, len(self.game.components)), np.int64)
        play_and_note(
            *(states, wiped, kinds, seeds, dice, out, script, points, leaders),
            *(notes.groups, notes.counts, having, notes.held, notes.kept, rows, len(rows)),
        )

    def _note_ends(self, states: Any, ends: list[tuple[str, str, int]], rows: Any) -> None:
        """Counts the seats whose final state reaches the value in question."""
        for k, (_, name, least) in enumerate(ends):
            for m in range(len(rows)):
                values = np.asarray(_field(states, m, name))[: self.seats]
                most = values.reshape(self.seats, -1).max(axis=1)
                rows[m, SCORE + 2 * self.seats + k] = (most >= least).sum()

    # Deals

    def dealt(self, numbers: list[tuple[int, int]]) -> Any:
        """Deals the matches; applies players' own options."""
        seed = self.question.chance[0]
        keys = {deal: deal_key(deal_seed(seed, deal)) for deal, _ in numbers}
        states = _dealt(self.game, self.blank, [keys[deal] for deal, _ in numbers])
        for player, blank in self.others.items():
            theirs = _dealt(self.game, blank, [keys[deal] for deal, _ in numbers])
            own = {option.name for option in self.game.options}
            for m, (_, rotation) in enumerate(numbers):
                _give(self.game, states, theirs, m, (player + rotation) % self.seats, own)
        return states

    def dice(self, numbers: list[tuple[int, int]]) -> Any:
        """Returns the two words of every match's dice."""
        luck = self.question.chance[1]
        words = [split_seed(dice_seed(luck, deal, rotation)) for deal, rotation in numbers]
        return np.array(words, np.int64).reshape(-1, 2)

    def kinds(self, numbers: list[tuple[int, int]]) -> Any:
        """Returns how every seat of every match chooses."""
        kinds = [COMPILED[name] for name in self.bots]
        seats = range(self.seats)
        return np.array(
            [[kinds[player_at(s, r, self.seats)] for s in seats] for _, r in numbers], np.int64
        )

    def play(self, states: Any, bots: list[Bot], rotation: int, luck: int) -> Any:
        """Lets bots play a dealt match, each from what its seat may know; returns the actions."""
        game, played = self.game, list[int]()
        out = np.zeros(game.actions, np.int64)
        count = compiled.legal_of(states, 0, out)
        while count:
            seat = int(to_act(states))
            position = self.position(states, seat, out[:count].tolist(), luck, len(played))
            bot = bots[player_at(seat, rotation, self.seats)]
            try:
                action = game.action(bot.choose(position)).id
            except FoxdenError:
                raise
            except Exception as error:
                message = f"{bot.name} raised {type(error).__name__}: {error}."
                raise BotFailed(message) from error
            count = compiled.move(states, 0, action, out)
            if count < 0:
                raise BotFailed(f"{bot.name} answered illegally: {game.labels[action]}.")
            played.append(action)
        return np.array(played, np.int64)

    def position(self, states: Any, seat: int, legal: list[int], luck: int, ply: int) -> Position:
        """Returns the position a bot gets for the seat to act."""
        form = isinstance(states, np.ndarray)
        wiped = new_states(self.game.state, 1, compiled=form)
        compiled.wipe(states, 0, wiped, 0, seat)
        return Position(
            game=self.game,
            seat=seat,
            wiped=wiped,
            legal=tuple(self.game.labels[action] for action in legal),
            seed=derive_seed(luck, ply),
        )


def to_act(states: Any) -> Any:
    """Returns the seat asked in the first state."""
    return states["to_act"][0] if isinstance(states, np.ndarray) else states[0].to_act


def _configured(game: Game, setup: Setup) -> Any:
    states = new_states(game.state, 1)
    game.configure(states, 0, setup)
    return as_array(states)


def _dealt(game: Game, blank: Any, keys: list[tuple[int, int, int, int]]) -> Any:
    if isinstance(blank, np.ndarray):
        states = np.repeat(blank, len(keys))
    else:
        states = new_states(game.state, len(keys), compiled=False)
        for m in range(len(keys)):
            states[m] = blank[0]
    for m, key in enumerate(keys):
        compiled.start_keyed(states, m, *key)
    return states


def _give(game: Game, states: Any, theirs: Any, m: int, seat: int, options: set[str]) -> None:
    """Applies a seat's own options to its state; refuses options that affect others."""
    for name in game.state.names or ():
        mine, other = _field(states, m, name), _field(theirs, m, name)
        if name in options or np.array_equal(mine, other):
            continue
        shape = game.state[name].shape
        if not shape or shape[0] < game.most_seats:
            message = f"This option cannot be one player's own: it changes {name} for all."
            raise BadQuestion(message)
        changed = np.array(mine)
        changed[seat] = other[seat]
        write_field(states, m, name, changed)


def _field(states: Any, m: int, name: str) -> Any:
    return states[name][m] if isinstance(states, np.ndarray) else getattr(states[m], name, 0)
