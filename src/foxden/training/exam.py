"""Exams: a network's strength in matches against `greedy` and other networks, by seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from foxden.training.learner import CLOSED, draw
from foxden.training.network import Network, padded
from foxden.training.plan import Plan


@dataclass(frozen=True)
class Mark:
    """The result at one kind of table."""

    wins: float  # the share of wins of our seats, about half of all seats
    fair: float  # the share equal players would have
    unfinished: float  # the share of unfinished matches at the end of the exam

    @property
    def plain(self) -> list[float]:
        """Lists the numbers for JSON."""
        return [round(self.wins, 4), round(self.fair, 4), round(self.unfinished, 4)]


class Exam:
    """Seats a network at every other seat of many tables, both ways round."""

    def __init__(self, env: Any, plan: Plan, dtype: torch.dtype) -> None:
        """Uses an environment of its own, with advice."""
        self.env, self.plan, self.dtype = env, plan, dtype
        device, kinds = env.seats.device, len(plan.tables)
        i = torch.arange(env.num_envs, device=device)
        self.kind, self.odd = i % kinds, i // kinds % 2
        seats = torch.tensor([table.seats for table in plan.tables], device=device)[self.kind]
        places = torch.arange(env.seats_most, device=device)[:, None]
        self.ours = ((places + self.odd) % 2 == 0) & (places < seats)
        self.fair = self.ours.sum(0) / seats
        shape = (padded(env.tensor_size), env.num_envs)
        self.seen = torch.zeros(shape, dtype=dtype, device=device)  # a column a match

    def _choose(self, network: Network, cast: Any, temperature: float) -> torch.Tensor:
        logits = network(self.seen.t(), cast)[0].masked_fill(~self.env.masks, CLOSED)
        return draw(logits, temperature)

    @torch.no_grad()
    def sit(
        self,
        network: Network,
        other: Network | None = None,
        *,
        seed: int,
        temperature: float = 1.0,
        other_temperature: float = 1.0,
    ) -> dict[str, Mark]:
        """Plays against another network, or `greedy`; at temperature 0 by first choices."""
        env = self.env
        env.advise = other is None
        cast = network.cast(self.dtype)
        others = other.cast(self.dtype) if other else None
        env.reset(seed)
        going = torch.ones(env.num_envs, dtype=torch.bool, device=env.seats.device)
        wins = torch.zeros(env.num_envs, device=env.seats.device)
        for ply in range(self.plan.exam_plies):
            self.seen[: env.tensor_size].copy_(env.observations.t())
            mine = (env.seats + self.odd) % 2 == 0
            chosen = self._choose(network, cast, temperature)
            theirs = self._choose(other, others, other_temperature) if other else env.advice
            env.step(torch.where(mine, chosen, theirs))
            over = going & env.terminations
            won = env.winners.float()
            share = (won * self.ours).sum(0) / won.sum(0).clamp(min=1)
            wins = torch.where(over, share, wins)
            going &= ~over
            if ply % 32 == 31 and not bool(going.any()):
                break
        marks = {}
        for k, table in enumerate(self.plan.tables):
            mine = self.kind == k
            done = mine & ~going
            marks[table.name] = Mark(
                wins=float(wins[done].mean()) if bool(done.any()) else 0.0,
                fair=float(self.fair[done].mean()) if bool(done.any()) else 0.0,
                unfinished=float(going[mine].float().mean()),
            )
        return marks
