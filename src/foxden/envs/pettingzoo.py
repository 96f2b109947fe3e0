"""Every game as a PettingZoo environment: agents act one after another, with action masks.

    env(GAME, seats=4, options={OPTION: True}, render_mode="ansi")

Seats are the agents `seat_0`, `seat_1`, …; each observes only what its seat may know.
Rewards come with the end of the match (see `foxden.envs.rewards`).
"""

from __future__ import annotations

import copy
import secrets
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from rich.console import Console

import foxden
from foxden.engine import compiled
from foxden.engine.game import Game
from foxden.engine.match import Match
from foxden.engine.rng import SEED_BITS, check_seed, derive_seed
from foxden.envs import module_name
from foxden.envs.rewards import rewards
from foxden.terminal import draw

RENDER_MODES = ("human", "ansi")
ILLEGAL = -1.0  # the reward of a seat that ends the match by an illegal action
WIDTH = 80  # columns of a drawn table

Observation = dict[str, Any]


def env(
    name: str,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    parts: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
) -> AECEnv[str, Observation, int | None]:
    """Makes the environment as PettingZoo's own are wrapped.

    An illegal action ends the match: the seat gets -1, the others nothing.
    """
    bare = RawEnv(
        name,
        seats=seats,
        options=options,
        parts=parts,
        render_mode=render_mode,
        max_cycles=max_cycles,
    )
    ending = wrappers.TerminateIllegalWrapper(bare, illegal_reward=ILLEGAL)
    bounded = wrappers.AssertOutOfBoundsWrapper(ending)
    return Env(bounded)


class Env(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """The environment as `env` makes it: PettingZoo's outermost wrapper, with copies that work."""

    def __copy__(self) -> Env:
        """Returns a deep copy: a shared match would advance in both."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        """Names the environment."""
        return str(self.env)


class RawEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc]
    """A match behind PettingZoo's interface; an illegal action raises IllegalAction."""

    def __init__(
        self,
        name: str,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        parts: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        """Checks the table's setup; `max_cycles` truncates after that many actions."""
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode}.")
        self.game: Game = foxden.game(name)
        setup = self.game.setup(seats, options, parts)
        compiled.ensure(self.game)
        self.seats, self.options, self.parts = setup.seats, setup.options, setup.parts
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"{module_name(name)}_v{self.game.rules_version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.game.actions) for agent in self.possible_agents
        }
        self._seed = secrets.randbits(
            SEED_BITS
        )  # of the series that resets without a seed continue
        self._resets = 0
        self.match: Match | None = None

    def _space(self) -> Any:
        box = gymnasium.spaces.Box
        return gymnasium.spaces.Dict(
            {
                "observation": box(-1.0, 1.0, (self.game.tensor_size,), np.float32),
                "action_mask": box(0, 1, (self.game.actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> Any:
        """Returns the agent's space: the tensor of the spec sheet, and the mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns the agent's space: the action ids of the spec sheet."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals; a seed deals as in `foxden.new`, and later resets follow from it."""
        if seed is None:
            self._resets += 1
            dealt = derive_seed(self._seed, self._resets)
        else:
            dealt = check_seed(seed)
            self._seed, self._resets = dealt, 0
        self.match = Match(
            self.game, seats=self.seats, seed=dealt, options=self.options, parts=self.parts
        )
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()
        if self.render_mode == "human":
            self.render()

    def _dealt(self) -> Match:
        if self.match is None:
            raise gymnasium.error.ResetNeeded("Call reset before anything else.")
        return self.match

    def _select(self) -> None:
        asked = self._dealt().to_act
        self.agent_selection = self.possible_agents[0 if asked is None else asked]

    def observe(self, agent: str) -> Observation:
        """Returns what the seat may know, and its mask, empty out of turn."""
        match, seat = self._dealt(), self._seat_of[agent]
        tensor = np.zeros(self.game.tensor_size, np.float32)
        compiled.features_of(match.wiped(seat), 0, seat, tensor)
        mask = np.zeros(self.game.actions, np.int8)
        if match.to_act == seat:
            mask[[action.id for action in match.legal()]] = 1
        return {"observation": tensor, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays for the agent selected; at the end of the match everyone is rewarded."""
        match, agent = self._dealt(), self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is asked, and None is no action.")
        match.play(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if match.is_over:
            self._end(match)
        elif self.max_cycles is not None and match.ply >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, match: Match) -> None:
        worth = rewards(self.seats, match.scores, match.winners, together=match.together)
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = worth[seat]
            self.terminations[agent] = True
            self.infos[agent] = {
                "score": match.scores[seat],
                "scores": list(match.scores),
                "winners": list(match.winners),
            }

    def render(self) -> str | None:
        """Draws the table as the seat to act sees it, or a spectator at the end."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: no render_mode was given.")
            return None
        match = self._dealt()
        drawing = draw(self.game, match.view(match.to_act))
        if self.render_mode == "human":
            Console(width=WIDTH).print(drawing)
            return None
        console = Console(width=WIDTH, color_system=None)
        with console.capture() as capture:
            console.print(drawing)
        return capture.get()

    def __copy__(self) -> RawEnv:
        """Returns a deep copy: a shared match would advance in both."""
        return copy.deepcopy(self)

    def close(self) -> None:
        """Does nothing: there is nothing to release."""
