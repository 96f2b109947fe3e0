"""The interface between a game and the rest of Foxden."""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from pickle import PicklingError
from types import ModuleType, SimpleNamespace
from typing import Any, Protocol

import numpy as np

from foxden.engine import contract
from foxden.engine.errors import BadNotation, BadOption, BadSeats
from foxden.engine.kernel import Known, has_gaps, marked, write_field
from foxden.engine.native import native, whole
from foxden.engine.options import Option, check_options
from foxden.engine.parts import Parts, changed_parts, read_parts
from foxden.engine.registry import About, find, folder_of, read_about, registered
from foxden.engine.view import Choice, Played, Views
from foxden.engine.voice import Voice


def _digest(told: Any) -> str:
    text = json.dumps(told, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Action:
    """One choice: `int(a)` is its id, `str(a)` its notation."""

    id: int
    notation: str

    def __int__(self) -> int:
        """Returns the id."""
        return self.id

    __index__ = __int__

    def __str__(self) -> str:
        """Returns the notation."""
        return self.notation


@dataclass(frozen=True)
class Feature:
    """One block of the observation tensor, for spec sheets."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    own: bool = False  # of the viewer alone: even an unwiped state shows no other seat's there

    @property
    def size(self) -> int:
        """Counts its numbers."""
        return math.prod(self.shape)


class Words(Protocol):
    """A game's words: the module `words` of its folder.

    `known` is always a wiped state, so words cannot leak a secret.
    """

    def notation(self, label: int) -> str:
        """Writes an action, or a hidden action as others see it."""

    def question(self, known: Known, voice: Voice) -> str:
        """Asks the seat to act its question, in a sentence."""

    def explain(self, known: Known, action: int, voice: Voice) -> str:
        """Says what a legal action does."""

    def refuse(self, known: Known, action: int, voice: Voice) -> tuple[str, str]:
        """Says why an action is not legal, and by which rule."""

    def tell(self, events: Sequence[Any], voice: Voice) -> list[str]:
        """Tells events in sentences."""

    def tally(self, known: Known, scores: Sequence[int]) -> list[list[tuple[str, int]]]:
        """Explains each seat's score line by line; the lines add up to it."""

    def rules_now(self, known: Known) -> tuple[str, ...]:
        """Names the rules for the current decision."""


Compiled = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Setup:
    """Validated seats, options and parts."""

    seats: int
    options: dict[str, Any]
    parts: Parts


@dataclass(frozen=True, eq=False)
class Game:
    """Everything of one game. The compiled functions are described in `contract`.

    `Game.from_package` makes it from a game's folder.
    """

    about: About
    package: str  # holds guide.md, and modules found by name
    rules_version: int
    state: np.dtype[Any]
    actions: int  # action ids are 0 … actions - 1
    hidden_actions: int  # this many further labels show others a hidden action
    options: tuple[Option, ...]
    tensor: tuple[Feature, ...]
    words: Words
    view: Views
    # Returns the state fields for the printed numbers, or raises BadParts.
    fit_parts: Callable[[Parts], Mapping[str, Any]]
    # Returns the most actions a match can take, from its dealt state.
    longest: Callable[[Known], int]

    deal: Compiled
    legal: Compiled
    apply: Compiled
    scores: Compiled
    winners: Compiled
    observe: Compiled
    resample: Compiled
    seen: Compiled
    features: Compiled
    greedy: Compiled
    holds: Compiled
    component_of: Compiled

    # Leading words of a state that rules use only while they run, and leave at zero. On a card they
    # may hold anything when a rule begins.
    scratch: int = 0
    # What seats can have, by name: cards, tokens, characters, buildings; experiments track them.
    components: tuple[str, ...] = ()
    # Fills a wiped state like `resample`, but as opponents with some habit would have left it.
    believe: Compiled | None = None
    # Raises BadOption for seats and options that cannot be combined.
    check_setup: Callable[[int, Mapping[str, Any]], None] = lambda seats, options: None
    # Raises BadParts for seats and printed numbers that cannot be combined.
    check_parts: Callable[[int, Parts], None] = lambda seats, parts: None
    # Returns whether all seats play for one result: then nobody wins, and scores are equal.
    together: Callable[[int, Mapping[str, Any]], bool] = lambda seats, options: False
    # Names the list of best results for a cooperative table.
    coop_key: Callable[[int, Mapping[str, Any]], str] = lambda seats, options: f"{seats} seats"

    @classmethod
    def from_package(cls, package: str, *, options: Sequence[Option] = ()) -> Game:
        """Makes a game from the modules and files of its folder.

        `foxden.engine.defaults` supplies what the folder's modules do not define.
        """
        from foxden.engine import defaults, fields

        rules = _Names(package, "rules", "knowledge", "greedy", "components")
        words = _Names(package, "words", "view", "rules")
        view = _Names(package, "view")
        state, declared = rules.get("State"), rules.get("FIELDS", ())
        given: dict[str, Any] = {
            name: rules.get(name, getattr(defaults, name))
            for name in (
                *("observe", "resample", "seen", "winners", "greedy", "fit_parts", "longest"),
                *("holds", "component_of"),
            )
        }
        given |= {name: rules[name] for name in ("deal", "legal", "apply", "scores")}
        for name in ("believe", "check_setup", "check_parts", "together", "coop_key"):
            if name in rules:
                given[name] = rules[name]
        if "longest" not in rules and "LONGEST" in rules:
            given["longest"] = defaults.at_most(rules["LONGEST"])
        features = rules.get("features") or fields.features_of(declared)
        notation = words["notation"]
        spoken = {
            name: words.get(name, getattr(defaults, name))
            for name in ("question", "refuse", "tell", "tally", "rules_now")
        }
        state = fields.state_of(declared) if state is None else state
        if not package.startswith("foxden."):
            state = marked(state, folder_of(package))
        return cls(
            about=read_about(package),
            package=package,
            rules_version=rules.get("RULES_VERSION", 1),
            state=state,
            actions=rules["ACTIONS"],
            hidden_actions=rules.get("HIDDEN_ACTIONS", 0),
            scratch=rules.get("SCRATCH", 0),
            components=tuple(rules.get("COMPONENTS", ())),
            options=tuple(options),
            tensor=rules.get("TENSOR") or fields.tensor_of(declared),
            features=features,
            words=SimpleNamespace(
                notation=notation,
                explain=words.get("explain", defaults.explain(notation)),
                **spoken,
            ),
            view=SimpleNamespace(
                Table=view["Table"],
                table=view["table"],
                Actions=view.get("Actions", Choice),
                Events=view.get("Events", Played),
                facts=view.get("facts", defaults.facts),
                events=view.get("events", defaults.events(notation)),
            ),
            **given,
        )

    def __post_init__(self) -> None:
        """Checks the layout and registers the game for generic code."""
        missing = {name for name, *_ in contract.HEAD} | {o.name for o in self.options}
        missing -= set(self.state.names or ())
        if missing:
            raise TypeError(f"{self.name}: the state lacks {', '.join(sorted(missing))}")
        if has_gaps(self.state):
            raise TypeError(f"{self.name}: the state has gaps; lay it out with kernel.layout")
        contract.register_layout(self)

    def __copy__(self) -> Game:
        """Returns the game itself: games are singletons."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Returns the game itself."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the game as its name."""
        import foxden

        if self.name not in registered() or find(self.name) is not self:
            raise PicklingError(f"{self.title} is on no list of games, so its name does not do.")
        return foxden.game, (self.name,)

    @property
    def name(self) -> str:
        """Returns the name as typed."""
        return self.about.name

    @property
    def title(self) -> str:
        """Returns the name as displayed."""
        return self.about.title

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Lists the numbers of seats that can play with the standard options."""
        return self.seats_with({})

    def seats_with(self, options: Mapping[str, Any]) -> tuple[int, ...]:
        """Lists the numbers of seats possible with some options; other options are standard."""
        checked = check_options(self.options, options)
        return tuple(seats for seats in self.about.seats if self._goes(seats, checked))

    def _goes(self, seats: int, options: Mapping[str, Any]) -> bool:
        try:
            self.check_setup(seats, options)
        except BadOption:
            return False
        return True

    @property
    def most_seats(self) -> int:
        """Returns the most seats that can play with any options."""
        return max(self.about.seats)

    def usual_seats(self, options: Mapping[str, Any] | None = None) -> int:
        """Returns the default seats of a table: the usual number, or the nearest possible."""
        usual = self.about.usual
        fitting = self.seats_with(options or {}) or self.about.seats
        return min(fitting, key=lambda seats: abs(seats - usual))

    @property
    def imagine(self) -> Compiled:
        """Returns `believe` where the game has one, else `resample`."""
        return self.believe or self.resample

    @cached_property
    def folder(self) -> Path:
        """Returns the game's own folder."""
        return Path(str(resources.files(self.package)))

    @cached_property
    def printed(self) -> Parts:
        """Returns the printed numbers of parts.toml, if the game has one."""
        file = self.folder / "parts.toml"
        return read_parts(file) if file.exists() else {}

    @cached_property
    def guide(self) -> str:
        """Returns the guide in Markdown."""
        file = self.folder / "guide.md"
        return (
            file.read_text(encoding="utf-8")
            if file.exists()
            else f"# {self.title}\n\n{self.about.blurb}\n"
        )

    @cached_property
    def labels(self) -> tuple[Action, ...]:
        """Returns every action, then every hidden action as others see it."""
        count = self.actions + self.hidden_actions
        return tuple(Action(label, self.words.notation(label)) for label in range(count))

    @cached_property
    def _by_notation(self) -> dict[str, Action]:
        return {str(action): action for action in self.labels[: self.actions]}

    @cached_property
    def tensor_size(self) -> int:
        """Counts the numbers of the observation tensor."""
        return sum(feature.size for feature in self.tensor)

    @cached_property
    def own_columns(self) -> Any:
        """Returns the places of the observation tensor that are of the viewer alone."""
        own = [np.full(feature.size, feature.own) for feature in self.tensor]
        return np.flatnonzero(np.concatenate(own)).astype(np.int64)

    @property
    def truth_size(self) -> int:
        """Counts the numbers of the tensor of a whole state: every seat's own places are in it."""
        return self.tensor_size + (self.most_seats - 1) * len(self.own_columns)

    @cached_property
    def tensor_hash(self) -> str:
        """Returns a digest of the observation tensor's layout, for networks that read it."""
        return _digest([[block.name, block.shape, block.meaning] for block in self.tensor])

    @cached_property
    def parts_hash(self) -> str:
        """Returns a digest of the printed numbers."""
        return _digest(self.printed)

    def action(self, given: Action | int | str) -> Action:
        """Finds an action by itself, its id or its notation."""
        if isinstance(given, Action):
            number = whole(given.id)
            if number is not None and 0 <= number < self.actions and self.labels[number] == given:
                return self.labels[number]
            raise BadNotation(f"{str(given)!r} is an action of another game.")
        given = native(given)
        if type(given) is int and 0 <= given < self.actions:
            return self.labels[given]
        if isinstance(given, str):
            text = " ".join(given.lower().split())
            found = self._by_notation.get(text)
            if found:
                return found
            near = difflib.get_close_matches(text, self._by_notation, 3)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            raise BadNotation(f"{given!r} is no move of {self.title}.{hint}")
        raise BadNotation(
            f"{given!r} is no move of {self.title}; ids go from 0 to {self.actions - 1}."
        )

    def check_seats(self, seats: int) -> int:
        """Refuses a number of seats that the game does not support."""
        number = whole(seats)
        if number is None or number not in self.about.seats:
            few, many = self.about.seats[0], self.about.seats[-1]
            raise BadSeats(f"{self.title} is for {few} to {many} seats, not {seats!r}.")
        return number

    def setup(
        self,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        parts: Mapping[str, Any] | None = None,
    ) -> Setup:
        """Checks seats, options and parts, and fills in defaults."""
        seats = self.usual_seats(options) if seats is None else self.check_seats(seats)
        checked = check_options(self.options, options or {})
        self.check_setup(seats, checked)
        printed = changed_parts(self.printed, parts or {})
        self.check_parts(seats, printed)
        return Setup(seats, checked, printed)

    def table(
        self,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        parts: Mapping[str, Any] | None = None,
    ) -> tuple[int, dict[str, Any], Parts]:
        """Returns `setup` as a tuple; deprecated, removed in the next version."""
        warnings.warn("Game.table is now Game.setup.", DeprecationWarning, stacklevel=2)
        setup = self.setup(seats, options, parts)
        return setup.seats, setup.options, setup.parts

    def configure(self, states: Any, i: int, setup: Setup) -> None:
        """Writes a setup into a state, ready to be dealt."""
        fields = dict(self.fit_parts(setup.parts))
        together = self.together(setup.seats, setup.options)
        fields |= {"seats": setup.seats, "together": int(together)}
        fields |= {option.name: option.code(setup.options[option.name]) for option in self.options}
        for name, value in fields.items():
            write_field(states, i, name, value)


class _Names:
    """The names defined by a game's package and some of its modules."""

    def __init__(self, package: str, *modules: str) -> None:
        self.package = package
        self._modules = [sys.modules[package]]
        for name in modules:
            module = f"{package}.{name}"
            if find_spec(module) is not None:
                self._modules.append(import_module(module))

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        """Returns the value of a name, ignoring submodules of that name."""
        for module in self._modules:
            value = vars(module).get(name)
            if value is not None and not isinstance(value, ModuleType):
                return value
        return default

    def __getitem__(self, name: str) -> Any:
        value = self.get(name)
        if value is None:
            raise TypeError(f"{self.package} does not define {name}.")
        return value
