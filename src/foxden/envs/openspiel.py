"""Every game as an OpenSpiel game; importing this module registers them.

    pyspiel.load_game("foxden_GAME(seats=4,OPTION=true,parts=NAME:12;NAME.NAME:3)")

Chance moves first: seven chance nodes at the root draw the bytes of the seed, which determines the
deal and all later draws. OpenSpiel's tree is thus the usual game with nature's moves brought
forward, invisibly to the seats; histories replay, clone and serialise exactly.

    pyspiel.load_game("foxden_GAME(deals=256)")

One chance node draws one of 256 deals, and the tree can be searched completely: for exact values,
for exploitability and for algorithms that visit every deal.

A state resampled from an information state is a world that no seed leads to. Its history holds
what the seat has seen: chance drawn anew, and hidden actions as their labels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel

import foxden
from foxden.engine import compiled
from foxden.engine.errors import BadParts
from foxden.engine.game import Game
from foxden.engine.kernel import Known, bytes_of, field_names, new_states, to_known
from foxden.engine.match import SPECTATOR
from foxden.engine.native import digits
from foxden.engine.options import Flag, Number, Option, Texts
from foxden.engine.rng import split_seed
from foxden.engine.voice import Voice
from foxden.envs import module_name
from foxden.envs.rewards import rewards

SEED_BYTES = 7  # 56 bits, as a new match draws 53
OUTCOMES = 256
MOST_DEALS = 1 << 16
MOST_POINTS = 10_000  # bounds the utility of a table that plays together
MEMORY = 1024  # actions at most that the information state tensor holds; the string holds all
DIGEST = 8  # bytes of the digest of a seat's past knowledge
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
ACTOR, LABELS = 0, 1  # columns of a log: who acted, then the label for a spectator and each seat


def parameter(option: Option) -> bool | int | str:
    """Returns an option's standard value as a parameter; texts are counted, as in the state."""
    if isinstance(option, (Flag, Number)):
        return option.standard
    return option.code(option.standard) if isinstance(option, Texts) else str(option.standard)


def option_value(option: Option, given: bool | int | str) -> Any:
    """Returns the option's value that a parameter stands for."""
    if isinstance(option, Texts):
        return [*option.default, *(f"Text {k}" for k in range(option.most))][: int(given)]
    return given


def changed_numbers(text: str) -> dict[str, int]:
    """Reads the parameter `parts`: printed numbers by their paths, as in `geese:12;dogs:6`."""
    changes = {}
    for change in filter(None, (part.strip() for part in text.split(";"))):
        path, colon, value = (piece.strip() for piece in change.partition(":"))
        if not colon or digits(value.removeprefix("-")) is None:
            raise BadParts(f"Write it as NAME:NUMBER, not {change!r}.", where="parts")
        changes[path] = int(value)
    return changes


def game_type(game: Game, utility: Any = pyspiel.GameType.Utility.ZERO_SUM) -> Any:
    """Describes a game to OpenSpiel."""
    return pyspiel.GameType(
        short_name=f"foxden_{module_name(game.name)}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.about.seats),
        min_num_players=min(game.about.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": game.usual_seats(), "parts": "", "deals": 0}
        | {option.name: parameter(option) for option in game.options},
    )


class Table:
    """The data shared by all states of one loaded game."""

    def __init__(self, game: Game, parameters: Mapping[str, Any]) -> None:
        """Checks seats, options and parts, and keeps a state ready to deal."""
        self.game = game
        deals = parameters.get("deals", 0)
        if not 0 <= deals <= MOST_DEALS:
            raise pyspiel.SpielError(
                f"deals is {deals}; it can be 1 to {MOST_DEALS}, or 0 for all."
            )
        # One node that draws a deal, or several that draw the bytes of a seed.
        self.nodes: int = 1 if deals else SEED_BYTES
        self.outcomes: int = deals or OUTCOMES
        asked = {
            option.name: option_value(option, parameters[option.name])
            for option in game.options
            if option.name in parameters
        }
        self.blank = new_states(game.state, 1, compiled=True)
        changes = changed_numbers(parameters.get("parts", ""))
        setup = game.setup(parameters.get("seats"), asked, changes)
        self.seats, self.options = setup.seats, setup.options
        game.configure(self.blank, 0, setup)
        self.names = tuple(f"Seat {seat}" for seat in range(self.seats))
        self.together = game.together(self.seats, self.options)
        # Fields fixed by the table are parameters of the game, and not repeated.
        settled = {"seats", "together", *game.fit_parts(setup.parts)}
        settled |= {option.name for option in game.options}
        self.told = tuple(name for name in field_names(game.state) if name not in settled)
        # The last output: the fields as read, and each one's line.
        self.read: Known | None = None
        self.lines: dict[str, tuple[Any, str]] = dict.fromkeys(self.told, (None, ""))
        self.out = np.zeros(game.actions, np.int64)
        first = self.dealt(0)
        self.longest = game.longest(to_known(first, 0))

    def seed(self, drawn: Sequence[int]) -> int:
        """Returns the seed that chance has drawn."""
        return drawn[0] if self.nodes == 1 else int.from_bytes(bytes(drawn))

    def dealt(self, seed: int) -> Any:
        """Deals a state."""
        states = self.copy(self.blank)
        compiled.start(states, 0, *split_seed(seed))
        return states

    def copy(self, states: Any) -> Any:
        """Copies a state."""
        twin = new_states(self.game.state, 1, compiled=True)
        twin[0] = states[0]
        return twin

    def wiped(self, states: Any, viewer: int) -> Any:
        """Copies a state and wipes what the viewer may not know."""
        twin = new_states(self.game.state, 1, compiled=True)
        compiled.wipe(states, 0, twin, 0, viewer)
        return twin

    def text(self, states: Any) -> str:
        """Writes a state, or a wiped one, field by field."""
        # Little changes between calls: the rest is neither read nor written again.
        self.read = read = to_known(states, 0, self.read)
        known, lines = vars(read), self.lines
        for name in self.told:
            value = known[name]
            if lines[name][0] is not value:
                lines[name] = value, f"{name}: {value}"
        return "\n".join(lines[name][1] for name in self.told)


class FoxdenGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its seats and options."""

    game: Game

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Describes the game to OpenSpiel."""
        game, parameters = self.game, parameters or {}
        self.table = table = Table(game, parameters)
        utility = pyspiel.GameType.Utility.ZERO_SUM
        won = rewards(table.seats, [0] * table.seats, [0], together=False)
        least, most = min(won), max(won)
        if table.together:
            utility = pyspiel.GameType.Utility.IDENTICAL
            least, most = rewards(2, [-MOST_POINTS, MOST_POINTS], [], together=True)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=table.outcomes,
            num_players=table.seats,
            min_utility=least,
            max_utility=most,
            utility_sum=None if table.together else 0.0,
            max_game_length=table.longest,
        )
        super().__init__(game_type(game, utility), info, dict(parameters))

    def new_initial_state(self) -> FoxdenState:
        """Returns a state whose seed is still to be drawn."""
        return FoxdenState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Counts the nodes that draw the seed."""
        return self.table.nodes

    def make_py_observer(
        self, kind: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer | None:
        """Makes an observer of what a seat, or a spectator, may know, the only kind."""
        if params:
            raise ValueError(f"Observers take no parameters, and were given {params}.")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        private = pyspiel.PrivateInfoType
        if not kind.public_info or kind.private_info == private.ALL_PLAYERS:
            return None
        return Observer(self.table, kind.private_info == private.NONE, kind.perfect_recall)


class FoxdenState(pyspiel.State):  # type: ignore[misc]
    """A match as an OpenSpiel state.

    OpenSpiel copies, pickles and restores all attributes, so they are few and cheap to copy.
    """

    def __init__(self, game: FoxdenGame) -> None:
        """Begins before the deal."""
        super().__init__(game)
        self.drawn: tuple[int, ...] = ()  # the bytes of the seed, or the number of the deal
        self.truth: Any = None  # the state, once dealt
        self.asked = CHANCE  # then the seat asked
        self.seen = b""  # a row of 16-bit numbers for each action; see `log`
        self.recall = b""  # a digest for each seat; see `recalled`

    @property
    def table(self) -> Table:
        """Returns what all states of the game share."""
        table: Table = self.get_game().table
        return table

    @property
    def log(self) -> Any:
        """Returns a row for each action: who acted, and how spectator and seats saw it."""
        return np.frombuffer(self.seen, np.int16).reshape(-1, LABELS + 1 + self.table.seats)

    def recalled(self, seat: int) -> bytes:
        """Returns a digest of what the seat knew at each of its earlier turns.

        Log and wiped state alone forget, for instance, in which order cards were drawn.
        """
        return self.recall[seat * DIGEST : (seat + 1) * DIGEST]

    # OpenSpiel's interface

    def current_player(self) -> int:
        """Returns the seat to act, chance before the deal, or the end."""
        return self.asked

    def is_terminal(self) -> bool:
        """Returns whether the match has ended."""
        return self.asked == TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns every byte, or every deal, all equally likely."""
        outcomes = self.table.outcomes
        return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

    def _legal_actions(self, player: int) -> list[int]:
        """Returns the legal actions of the seat to act."""
        table = self.table
        count = compiled.legal_of(self.truth, 0, table.out)
        legal: list[int] = table.out[:count].tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        """Draws a byte of the seed, the last of which deals, or plays."""
        table = self.table
        if self.truth is None:
            self.drawn += (action,)
            if len(self.drawn) == table.nodes:
                self.truth = table.dealt(table.seed(self.drawn))
                self.recall = bytes(DIGEST * table.seats)
                self._ask()
            return
        known = table.wiped(self.truth, self.asked)
        row = [self.asked, *(self._label(action, v) for v in range(SPECTATOR, table.seats))]
        if compiled.move(self.truth, 0, action, table.out) < 0:
            voice = Voice(table.names, self.asked, table.options)
            reason, rule = table.game.words.refuse(to_known(known, 0), action, voice)
            notation = table.game.labels[action].notation
            raise pyspiel.SpielError(f"{notation!r} is not open now: {reason} ({rule})")
        self.seen += np.array(row, np.int16).tobytes()
        told = self.recalled(self.asked) + bytes_of(known, 0)
        at = self.asked * DIGEST
        digest = hashlib.blake2b(told, digest_size=DIGEST).digest()
        self.recall = self.recall[:at] + digest + self.recall[at + DIGEST :]
        self._ask()

    def _ask(self) -> None:
        asked = int(
            self.truth["to_act"][0] if isinstance(self.truth, np.ndarray) else self.truth[0].to_act
        )
        self.asked = TERMINAL if asked < 0 else asked

    def _label(self, action: int, viewer: int) -> int:
        return int(compiled.seen_of(self.truth, 0, action, viewer))

    def _action_to_string(self, player: int, action: int) -> str:
        """Returns an action's notation, or the byte drawn."""
        if player == CHANCE:
            return f"draw {action}"
        return self.table.game.labels[action].notation

    def returns(self) -> list[float]:
        """Returns what the match was worth to each seat; nothing while it runs."""
        table = self.table
        if not self.is_terminal():
            return [0.0] * table.seats
        return rewards(
            table.seats, self.scores(), self._read(compiled.winners_of).nonzero()[0].tolist(),
            together=table.together,
        )  # fmt: skip

    def scores(self) -> list[int]:
        """Returns each seat's points, once the match is over."""
        points: list[int] = self._read(compiled.scores_of).tolist()
        return points

    def _read(self, write: Callable[[Any, int, Any], None]) -> Any:
        out = np.zeros(self.table.seats, np.int64)
        write(self.truth, 0, out)
        return out

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> FoxdenState:
        """Returns a random world that fits everything the seat knows."""
        if self.truth is None:
            raise pyspiel.SpielError("Before the deal there is nothing to know.")
        table = self.table
        drawn = tuple(int(rng() * table.outcomes) for _ in range(table.nodes))
        log = self.log
        labels = log[:, LABELS + 1 + player]
        past = [f"{CHANCE}:{outcome}" for outcome in drawn]
        past += [f"{seat}:{label}" for seat, label in zip(log[:, ACTOR], labels, strict=True)]
        _, moves, fields = self.serialize().split("\n", 2)
        twin: FoxdenState = self.get_game().deserialize_state(
            f"history={','.join(past)}\n{moves}\n{fields}"
        )
        twin.drawn = drawn
        twin.truth = table.wiped(self.truth, player)
        luck = int(rng() * (1 << 53))
        compiled.resample_of(twin.truth, 0, player, *split_seed(luck))
        # In that world everybody remembers only what the seat knows of the past.
        known = np.repeat(labels[:, None], 1 + table.seats, axis=1)
        twin.recall = self.recalled(player) * table.seats
        twin.seen = np.column_stack([log[:, ACTOR], known]).astype(np.int16).tobytes()
        return twin

    def __str__(self) -> str:
        """Writes the whole truth."""
        if self.truth is None:
            return f"before the deal: {' '.join(map(str, self.drawn))}"
        return self.table.text(self.truth)


class Observer:
    """What a seat, or a spectator, may know, as OpenSpiel's tensors and strings.

    With perfect recall it includes the log of actions, as the viewer saw them, and in strings a
    digest of what a seat knew before.
    """

    def __init__(self, table: Table, spectator: bool, recall: bool) -> None:
        """Lays out the tensor: the blocks of the spec sheet, then the log."""
        self.table = table
        self.spectator = spectator
        self.recall = recall
        size = table.game.tensor_size
        memory = min(table.longest, MEMORY) if recall else 0
        self.tensor = np.zeros(size + memory * 2, np.float32)
        self.features = self.tensor[:size]
        self.past = self.tensor[size:].reshape(memory, 2)
        self.dict: dict[str, Any] = {}
        at = 0
        for feature in table.game.tensor:
            self.dict[feature.name] = self.tensor[at : at + feature.size].reshape(feature.shape)
            at += feature.size
        if recall:
            self.dict["log"] = self.past

    def set_from(self, state: FoxdenState, player: int) -> None:
        """Fills the tensor; before the deal there is nothing to know."""
        self.tensor.fill(0)
        if state.truth is None:
            return
        viewer = SPECTATOR if self.spectator else player
        compiled.features_of(self.table.wiped(state.truth, viewer), 0, viewer, self.features)
        if self.recall:
            log = state.log[-len(self.past) :]
            seats, labels = self.table.seats, len(self.table.game.labels)
            self.past[: len(log), 0] = ((log[:, ACTOR] - max(viewer, 0)) % seats + 1) / seats
            self.past[: len(log), 1] = (log[:, LABELS + 1 + viewer] + 1) / labels

    def string_from(self, state: FoxdenState, player: int) -> str:
        """Writes the wiped state, with recall after the log."""
        if state.truth is None:
            return ""
        viewer = SPECTATOR if self.spectator else player
        text = f"viewer: {viewer}\n{self.table.text(self.table.wiped(state.truth, viewer))}"
        if self.recall:
            labels = self.table.game.labels
            rows = state.log[:, [ACTOR, LABELS + 1 + viewer]].tolist()
            log = "; ".join(f"[{actor}] {labels[label].notation}" for actor, label in rows)
            text = f"log: {log}\n{text}"
            if not self.spectator:
                text += f"\nrecalled: {state.recalled(player).hex()}"
        return text


def register(game: Game) -> None:
    """Registers a game with OpenSpiel."""
    name = f"{module_name(game.name).title().replace('_', '')}Game"
    # A class, not a closure: OpenSpiel releases it after the interpreter has ended. It is in this
    # module, where pickle looks for it.
    kind = type(name, (FoxdenGame,), {"game": game, "__module__": __name__})
    globals()[name] = kind
    pyspiel.register_game(game_type(game), kind)


for _name in foxden.games():
    register(foxden.game(_name))
