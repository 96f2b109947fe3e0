"""Matches on the processor, for training without a card: `VectorEnv` as a `CardEnv`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from foxden.engine.game import Game
from foxden.envs.vector import VectorEnv
from foxden.training.plan import Table


def listed(masks: torch.Tensor, most: int) -> torch.Tensor:
    """Lists the legal actions of each row, padded with -1, in that many columns."""
    order = masks.to(torch.uint8).argsort(dim=1, descending=True, stable=True)[:, :most]
    order = torch.where(masks.gather(1, order), order, -1)
    return torch.nn.functional.pad(order, (0, most - order.shape[1]), value=-1)


class ProcessorEnv:
    """Steps many matches; match i sits at table i mod T, as on a card."""

    def __init__(
        self,
        game: Game,
        tables: Sequence[Table],
        num_envs: int,
        *,
        truths: bool = False,
        standings: bool = False,
        choices: int = 0,
    ) -> None:
        """Makes a vector for each kind of table."""
        self.num_envs, self.actions = num_envs, game.actions
        self.tensor_size, self.truth_size = game.tensor_size, game.truth_size
        self.seats_most = most = game.most_seats
        self.advise: bool | int = False  # for cards only; here every match is advised
        self._listed = choices
        kinds = len(tables)
        self._parts = [slice(k, None, kinds) for k in range(kinds)]
        self._vectors = [
            VectorEnv(
                game,
                len(range(k, num_envs, kinds)),
                seats=table.seats,
                options=dict(table.options),
                skip_forced=True,
                truths=truths,
                standings=standings,
                advise=True,
                unchecked=True,
            )
            for k, table in enumerate(tables)
        ]
        n, whole, flag = num_envs, torch.int64, torch.bool
        self.observations = torch.zeros(n, game.tensor_size)
        self.truths = torch.zeros(n, game.truth_size * truths)
        self.masks = torch.zeros(n, game.actions, dtype=flag)
        self.seats = torch.zeros(n, dtype=whole)
        self.advice = torch.zeros(n, dtype=whole)
        self.terminations = torch.zeros(n, dtype=flag)
        self.truncations = torch.zeros(n, dtype=flag)
        self.rewards = torch.zeros(most, n)
        self.scores = torch.zeros(most, n, dtype=whole)
        self.winners = torch.zeros(most, n, dtype=flag)
        self.standings = torch.zeros(most * standings, n, dtype=whole)

    @property
    def choices(self) -> torch.Tensor:
        """Returns lists of the legal actions, [matches, choices]."""
        return listed(self.masks, self._listed)

    def reset(self, seed: int) -> None:
        """Deals every match; each kind of table has its own deals."""
        for k, vector in enumerate(self._vectors):
            vector.reset(seed=seed * len(self._vectors) + k)
        self._collect()

    def step(self, actions: torch.Tensor) -> None:
        """Plays one action in every match."""
        for part, vector in zip(self._parts, self._vectors, strict=True):
            vector.step(actions[part].contiguous().numpy())
        self._collect()

    def _collect(self) -> None:
        for part, vector in zip(self._parts, self._vectors, strict=True):
            arrays = vector.arrays
            for name in vector.shapes():
                rows = torch.from_numpy(getattr(arrays, name))
                if name in ("rewards", "scores", "winners", "standings"):
                    getattr(self, name)[: rows.shape[1], part].copy_(rows.t())
                else:
                    getattr(self, name)[part].copy_(rows)

    def snapshot(self) -> dict[str, Any]:
        """Returns everything that later matches depend on."""
        return {
            "vectors": [
                torch.frombuffer(bytearray(vector.snapshot()), dtype=torch.uint8)
                for vector in self._vectors
            ]
        }

    def restore(self, kept: dict[str, Any]) -> None:
        """Goes back to a snapshot."""
        for vector, snapshot in zip(self._vectors, kept["vectors"], strict=True):
            vector.restore(snapshot.numpy().tobytes())
        self._collect()
