"""A game for the learner alone: both seats name a number, and the one told to the seat wins."""

from typing import Any

import torch

from foxden.training.processor import listed

NUMBERS = 4


class ToyEnv:
    """Two or three seats in turn are each told a number; whoever names it gets a point."""

    def __init__(
        self,
        num_envs: int,
        seats: tuple[int, ...] = (2, 3),
        *,
        truths: bool = False,
        choices: int = 0,
        **_: Any,
    ) -> None:
        self.listed = choices
        self.num_envs, self.actions, self.tensor_size, self.seats_most = num_envs, NUMBERS, 9, 3
        self.truth_size = 9
        self.places = torch.tensor(seats)[torch.arange(num_envs) % len(seats)]
        self.advise = False
        self.told = torch.zeros(3, num_envs, dtype=torch.int64)
        self.points = torch.zeros(3, num_envs, dtype=torch.int64)
        self.seats = torch.zeros(num_envs, dtype=torch.int64)
        self.masks = torch.ones(num_envs, NUMBERS, dtype=torch.bool)
        self.terminations = torch.zeros(num_envs, dtype=torch.bool)
        self.scores, self.standings = self.points.clone(), self.points.clone()
        self.winners = torch.zeros(3, num_envs, dtype=torch.bool)
        self.dice = torch.Generator()

    @property
    def choices(self) -> torch.Tensor:
        return listed(self.masks, self.listed)

    def reset(self, seed: int) -> None:
        self.dice.manual_seed(seed)
        self._deal(torch.ones(self.num_envs, dtype=torch.bool))
        self._show()

    def _deal(self, which: torch.Tensor) -> None:
        fresh = torch.randint(NUMBERS, self.told.shape, generator=self.dice)
        self.told = torch.where(which, fresh, self.told)
        self.points = torch.where(which, 0, self.points)
        self.seats = torch.where(which, 0, self.seats)

    def _show(self) -> None:
        mine = self.told.gather(0, self.seats[None])[0]
        self.advice = mine.clone()
        hot = torch.nn.functional.one_hot(mine, NUMBERS).float() / 256
        places = torch.nn.functional.one_hot(self.places, 5).float()
        self.observations = self.truths = torch.cat([hot, places], 1)
        self.standings = self.points.clone()

    def step(self, actions: torch.Tensor) -> None:
        assert bool(self.masks.gather(1, actions[:, None]).all())
        right = actions == self.told.gather(0, self.seats[None])[0]
        self.points.scatter_add_(0, self.seats[None], right.long()[None])
        self.seats = self.seats + 1
        self.terminations = self.seats >= self.places
        self.scores = self.points.clone()
        seated = torch.arange(3)[:, None] < self.places
        best = torch.where(seated, self.points, -1).amax(0)
        self.winners = seated & (self.points == best)
        self._deal(self.terminations)
        self._show()

    def snapshot(self) -> dict[str, Any]:
        return {
            "told": self.told,
            "points": self.points,
            "seats": self.seats,
            "dice": self.dice.get_state(),
        }

    def restore(self, kept: dict[str, Any]) -> None:
        self.told, self.points, self.seats = kept["told"], kept["points"], kept["seats"]
        self.dice.set_state(kept["dice"].cpu())
        self._show()
