"""Masked PPO by self-play: one network plays every seat of many matches and learns from all.

The critic, used only in training, sees every seat's cards: it explains luck already dealt, which
lowers the variance of advantages, and as a baseline it does not bias the policy. Credit runs along
each seat's own decisions. Every part can be captured as a CUDA graph: no step waits for the host.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from itertools import pairwise
from typing import Any

import torch
import torch.nn.functional as functional
from torch import nn

from foxden.training.network import Network, padded
from foxden.training.plan import Plan

CLOSED = -1e9  # the logit of an illegal action
NOWHERE = -1e9  # points below any seat's
SPREAD = 0.02  # how fast the usual margin follows
STATS = ("policy", "entropy", "critic", "value", "clipped", "taught")


def draw(logits: torch.Tensor, temperature: float = 1.0) -> torch.Tensor:
    """Draws an action of each row by its logits; at temperature 0 the likeliest."""
    if temperature == 0:
        return logits.argmax(1)
    return (logits / temperature - torch.empty_like(logits).exponential_().log()).argmax(1)


class Spread:
    """Mean, spread and largest value of each input, from a few batches."""

    def __init__(self, size: int, device: torch.device) -> None:
        """Starts with nothing seen."""
        self.looks = 0
        self.total, self.square, self.most = (torch.zeros(size, device=device) for _ in range(3))

    def add(self, seen: torch.Tensor) -> None:
        """Counts a batch, [matches, inputs]."""
        self.looks += 1
        self.total += seen.mean(0)
        self.square += seen.square().mean(0)
        self.most = torch.maximum(self.most, seen.abs().amax(0))

    @property
    def measured(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns mean, spread and largest value."""
        mean = self.total / self.looks
        return mean, (self.square / self.looks - mean**2).clamp(min=0).sqrt(), self.most


class Learner:
    """A run's networks, its matches, and what one iteration does to them."""

    def __init__(self, env: Any, plan: Plan, dtype: torch.dtype) -> None:
        """Makes the networks; `env` steps the matches (`CardEnv` or `ProcessorEnv`)."""
        self.env, self.plan, self.dtype = env, plan, dtype
        self.device = device = env.seats.device
        on = {"device": device}
        n, steps, most, kinds = plan.matches, plan.steps, env.seats_most, len(plan.tables)
        sizes = (env.tensor_size, plan.width, plan.depth)
        self.actor = Network(*sizes, [env.actions, 1]).to(device)
        self.critic = Network(env.truth_size, *sizes[1:], [1]).to(device)
        self.calm = Network(*sizes, [env.actions, 1]).to(device).requires_grad_(False)
        self.calm.load_state_dict(self.actor.state_dict())
        self.parameters = [*self.actor.parameters(), *self.critic.parameters()]
        self.past = [deepcopy(self.calm) for _ in range(plan.past if plan.against_past else 0)]
        self.rate, self.critic_rate = (torch.tensor(plan.rate, **on) for _ in range(2))
        self.entropy = torch.tensor(plan.entropy, **on)
        on_card = device.type == "cuda"
        self.optimizer = torch.optim.Adam(
            [
                {"params": list(self.actor.parameters()), "lr": self.rate},
                {"params": list(self.critic.parameters()), "lr": self.critic_rate},
            ],
            eps=1e-5,
            betas=(0.9, 0.99),
            fused=on_card,
            capturable=on_card,
        )
        width, whole = padded(env.tensor_size), torch.int64
        # A column a match, as a card writes them: matrix units take either way round.
        self.observations = torch.zeros(steps + 1, width, n, dtype=dtype, **on)
        self.truths = torch.zeros(steps + 1, padded(env.truth_size), n, dtype=dtype, **on)
        # Actions are indices into the choices: the list of legal ones, or all actions.
        offered = plan.choices or env.actions
        self.closed = torch.zeros(steps, n, offered, dtype=torch.bool, **on)
        self.offers = torch.zeros(steps, n, plan.choices, dtype=torch.int16, **on)
        self.actions = torch.zeros(steps, n, dtype=whole, **on)
        self.advice = torch.zeros(steps, n, dtype=whole, **on)
        self.guests = torch.zeros(steps, n, dtype=torch.bool, **on)  # seats of other players
        self.lesson = False  # whether the policy imitates `greedy`
        self.logps, self.advantages, self.returns, self.weights, self.heads_start = (
            torch.zeros(steps, n, **on) for _ in range(5)
        )
        self.seats = torch.zeros(steps + 1, n, dtype=whole, **on)
        self.ended = torch.zeros(steps + 1, n, dtype=torch.bool, **on)
        self.won = torch.zeros(steps + 1, most, n, **on)
        self.points = torch.zeros(steps + 1, most, n, **on)
        self.standings = torch.zeros(steps + 1, most * plan.standing, n, **on)
        self.kind = torch.arange(n, **on) % kinds
        self.places = torch.tensor([table.seats for table in plan.tables], **on)[self.kind]
        self.seated = torch.arange(most, **on)[:, None] < self.places
        self.greedy_matches = round(n * plan.against_greedy)
        ends = [
            self.greedy_matches + round(n * plan.against_past * k / plan.past)
            for k in range(len(self.past) + 1)
        ]
        self.past_matches = [slice(*pair) for pair in pairwise(ends)]
        self.odd = torch.arange(n, **on) // kinds % 2
        self.shared = torch.arange(n, **on) < ends[-1]  # with guests, at every other seat
        self.spread = torch.ones(kinds, **on)  # the usual margin of points, by kind of table
        self.stats = torch.zeros(len(STATS), **on)

    # Rollout

    def _keep(self, t: int) -> None:
        """Stores what the seats to act see as row t."""
        env = self.env
        self.observations[t, : env.tensor_size].copy_(env.observations.t())
        self.truths[t, : env.truth_size].copy_(env.truths.t())
        self.seats[t].copy_(env.seats)
        self.ended[t].copy_(env.terminations)
        self.won[t].copy_(env.winners)
        self.points[t].copy_(env.scores)
        if self.plan.standing:
            self.standings[t].copy_(env.standings)

    @torch.no_grad()
    def rollout(self) -> None:
        """Plays every match on for some steps, each action drawn by the policy."""
        env, cast = self.env, self.actor.cast(self.dtype)
        others = [network.cast(self.dtype) for network in self.past]
        env.advise = self.lesson or self.greedy_matches
        self._keep(0)
        self.ended[0].fill_(False)  # from the previous rollout
        for t in range(self.plan.steps):
            offers = self._offer(t)
            if self.lesson:
                self.advice[t].copy_(self._place(offers, env.advice))
            logits = self.actor(self.observations[t].t(), cast, offers)[0]
            logits = logits.masked_fill(self.closed[t], CLOSED)
            place = draw(logits)
            self.actions[t].copy_(place)
            chances = functional.log_softmax(logits, 1)
            self.logps[t].copy_(chances.gather(1, place[:, None])[:, 0])
            if not self.lesson:
                self._let_guests_play(t, offers, place, others)
            env.step(place if offers is None else offers.gather(1, place[:, None])[:, 0])
            self._keep(t + 1)

    def _offer(self, t: int) -> torch.Tensor | None:
        """Stores the legal actions as row t, and returns their list if lists are used."""
        if not self.plan.choices:
            torch.logical_not(self.env.masks, out=self.closed[t])
            return None
        listed = self.env.choices
        torch.lt(listed, 0, out=self.closed[t])
        offers = listed.clamp(min=0)
        self.offers[t].copy_(offers)
        return offers

    def _place(self, offers: torch.Tensor | None, actions: torch.Tensor) -> torch.Tensor:
        """Finds the indices of actions among the choices."""
        if offers is None:
            return actions
        return (offers == actions[:, None]).to(torch.uint8).argmax(1)

    def _let_guests_play(
        self, t: int, offers: torch.Tensor | None, place: torch.Tensor, others: list[Any]
    ) -> None:
        """Writes the choices of `greedy` and past networks at their seats into `place`."""
        guest = self.guests[t]
        torch.logical_and(self.shared, (self.env.seats + self.odd) % 2 == 1, out=guest)
        some = slice(0, self.greedy_matches)
        if self.greedy_matches:
            part = None if offers is None else offers[some]
            advised = self._place(part, self.env.advice[some]).clamp(min=0)
            place[some] = torch.where(guest[some], advised, place[some])
        for network, cast, some in zip(self.past, others, self.past_matches, strict=True):
            part = None if offers is None else offers[some]
            logits = network(self.observations[t, :, some].t(), cast, part)[0]
            logits = logits.masked_fill(self.closed[t, some], CLOSED)
            chosen = draw(logits, self.plan.guests_temperature)
            place[some] = torch.where(guest[some], chosen, place[some])

    # Credit

    def leads(self, points: torch.Tensor, won: torch.Tensor | None = None) -> torch.Tensor:
        """Returns each seat's points over the best other's, [..., seats, matches].

        Where the winners are known, others are those of another fate: partners are no rivals.
        """
        known = torch.where(self.seated, points, NOWHERE)
        if won is not None:
            ours = won > 0
            best = torch.where(ours, known, NOWHERE).amax(-2, keepdim=True)
            rest = torch.where(ours, NOWHERE, known).amax(-2, keepdim=True)
            rivals = torch.where(ours, rest, best)
            return torch.where(self.seated & (rivals > NOWHERE), points - rivals, 0.0)
        best = second = torch.full_like(known[..., 0, :], NOWHERE)
        for p in range(known.shape[-2]):
            one = known[..., p, :]
            second = torch.maximum(second, torch.minimum(best, one))
            best = torch.maximum(best, one)
        best, second = best.unsqueeze(-2), second.unsqueeze(-2)
        return torch.where(self.seated, points - torch.where(known == best, second, best), 0.0)

    def _goal_of(self, leads: torch.Tensor) -> torch.Tensor:
        return self.plan.margin * torch.tanh(leads / self.spread[self.kind])

    def rewards(self) -> torch.Tensor:
        """Returns each seat's reward where a match ended: winning and margin, mixed."""
        leads = self.leads(self.points, self.won)
        paid = self.ended[:, None] & self.seated
        for k in range(len(self.spread)):
            mine = paid & (self.kind == k)
            mean = (leads.abs() * mine).sum() / mine.sum().clamp(min=1)
            rate = torch.where(mine.sum() > 100, SPREAD, 0.0)
            self.spread[k].lerp_(mean.clamp(min=1e-3), rate)
        places = self.places
        share = self.won / self.won.sum(1, keepdim=True).clamp(min=1)
        share = (share - 1 / places) * places / (places - 1)
        return torch.where(paid, (1 - self.plan.margin) * share + self._goal_of(leads), 0.0)

    @torch.no_grad()
    def credit(self) -> None:
        """Walks back in time; every seat has a chain of its own decisions (GAE)."""
        plan, n = self.plan, self.plan.matches
        cast = self.critic.cast(self.dtype)
        values = torch.stack([self.critic(seen.t(), cast)[0][:, 0] for seen in self.truths])
        rewards = self.rewards()
        if plan.standing:
            # Values are relative to the points so far, which need no learning.
            goals = self._goal_of(self.leads(self.standings))
            ahead = goals.gather(1, self.seats.clamp(min=0)[:, None])[:, 0]
            values = values + ahead
            self.heads_start.copy_(ahead[:-1])
        after, gain, due, known = (
            torch.zeros(self.env.seats_most, n, device=self.device) for _ in range(4)
        )
        last = self.seats[plan.steps][None].clamp(min=0)
        after.scatter_(0, last, values[plan.steps][None])
        known.scatter_(0, last, 1.0)
        for t in reversed(range(plan.steps)):
            over = self.ended[t + 1]
            after = after.masked_fill(over, 0.0)
            gain = gain.masked_fill(over, 0.0)
            known = known.masked_fill(over, 1.0)
            due = torch.where(over, rewards[t + 1], due) - plan.hurry
            seat, value = self.seats[t][None].clamp(min=0), values[t][None]
            follows = known.gather(0, seat) * (self.seats[t] >= 0)
            later = after.gather(0, seat) + plan.trace * gain.gather(0, seat)
            advantage = (due.gather(0, seat) + plan.discount * later - value) * follows
            self.advantages[t].copy_(advantage[0])
            self.returns[t].copy_((advantage + value)[0])
            # 0: the outcome is unknown, or another player chose.
            self.weights[t].copy_(follows[0] * ~self.guests[t])
            after.scatter_(0, seat, value)
            gain.scatter_(0, seat, advantage)
            due.scatter_(0, seat, 0.0)
            known.scatter_(0, seat, 1.0)
        self._even_out()

    def _even_out(self) -> None:
        """Normalises advantages for each kind of table, so none outweighs the others."""
        for k in range(len(self.plan.tables)):
            mine = self.weights * (self.kind == k)
            total = mine.sum().clamp(min=1)
            centre = (self.advantages * mine).sum() / total
            spread = (((self.advantages - centre) ** 2 * mine).sum() / total).sqrt()
            even = (self.advantages - centre) / (spread + 1e-6)
            self.advantages.copy_(torch.where(self.kind == k, even, self.advantages))

    # Updates

    def update(self) -> None:
        """Learns from the rollout."""
        plan = self.plan
        size = plan.matches // plan.minibatches
        for _ in range(plan.epochs):
            for k in range(plan.minibatches):
                self._learn(slice(k * size, (k + 1) * size))
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.calm.parameters()), list(self.actor.parameters()), plan.slow
            )

    def _learn(self, some: slice) -> None:
        plan = self.plan

        def flat(x: torch.Tensor) -> torch.Tensor:
            return x[: plan.steps, some].flatten(0, 1)

        def seen(x: torch.Tensor) -> torch.Tensor:
            return x[: plan.steps, :, some].transpose(0, 1).flatten(1).t()

        observations = seen(self.observations)
        offers = flat(self.offers).long() if plan.choices else None
        weight, closed, returns = flat(self.weights), flat(self.closed), flat(self.returns)
        total = weight.sum().clamp(min=1)

        def mean(x: torch.Tensor) -> torch.Tensor:
            return (x * weight).sum() / total

        logits, guess = self.actor(observations, only=offers)
        logps = functional.log_softmax(logits.masked_fill(closed, CLOSED), 1)
        logp = logps.gather(1, flat(self.actions)[:, None])[:, 0]
        ratio = (logp - flat(self.logps)).exp()
        clipped = ratio.clamp(1 - plan.clip, 1 + plan.clip)
        advantage = flat(self.advantages)
        policy = -mean(torch.minimum(ratio * advantage, clipped * advantage))
        chances = logps.exp()  # 0 where closed
        entropy = -mean((chances * logps).sum(1))
        value = self.critic(seen(self.truths))[0][:, 0] + flat(self.heads_start)
        critic, guessed = mean((value - returns) ** 2), mean((guess[:, 0] - returns) ** 2)
        loss = 0.5 * critic + 0.25 * guessed
        taught = policy.detach() * 0
        if self.lesson:
            advice = flat(self.advice).clamp(min=0)
            loss = loss - mean(logps.gather(1, advice[:, None])[:, 0])
            taught = mean((logps.argmax(1) == advice).float())
        else:
            loss = loss + policy - self.entropy * entropy
            if plan.magnet:
                with torch.no_grad():
                    likes = self.calm(observations, only=offers)[0].masked_fill_(closed, CLOSED)
                    calm = functional.log_softmax(likes, 1)
                loss = loss - plan.magnet * (entropy + mean((chances * calm).sum(1)))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, 1.0, foreach=True)
        self.optimizer.step()
        with torch.no_grad():
            spread = mean((returns - mean(returns)) ** 2).clamp(min=1e-9)
            off = mean(((ratio - 1).abs() > plan.clip).float())
            told = [policy, entropy, 1 - critic / spread, 1 - guessed / spread, off, taught]
            self.stats.copy_(torch.stack(told))

    # Before the first iteration

    @torch.no_grad()
    def look_around(self, rounds: int = 256) -> None:
        """Sets inputs' scales and usual margins from play that is half greedy, half random."""
        env, before = self.env, self.env.advise
        env.advise = True
        env.reset(self.plan.seed)
        inputs = Spread(env.tensor_size, self.device)
        truths = Spread(env.truth_size, self.device)
        margins, ends = torch.zeros_like(self.spread), torch.zeros_like(self.spread)
        for t in range(rounds):
            noise = torch.rand(env.masks.shape, device=self.device) * env.masks
            greedy = torch.rand(len(self.kind), device=self.device) < 0.5
            env.step(torch.where(greedy, env.advice, noise.argmax(1)))
            leads = self.leads(env.scores.float(), env.winners).abs().sum(0) / self.places
            # Sums in a fixed order: the same seed must give the same curve.
            for k in range(len(ends)):
                over = env.terminations & (self.kind == k)
                margins[k] += (leads * over).sum()
                ends[k] += over.sum()
            if t % 4 == 3:
                inputs.add(env.observations)
                truths.add(env.truths)
        self.spread.copy_(torch.where(ends > 0, margins / ends.clamp(min=1), 1.0).clamp(min=1e-3))
        for network in (self.actor, self.calm, *self.past):
            network.scale_inputs(*inputs.measured)
        self.critic.scale_inputs(*truths.measured)
        env.advise = before

    @torch.no_grad()
    def begin_with(self, arrays: Mapping[str, Any]) -> None:
        """Starts from a player's weights; its value head initialises the critic."""
        self.actor.take(arrays)
        layers = len(arrays) // 2 - 2  # heads for the policy and the value follow
        self.critic.take(
            {k: v for k, v in arrays.items() if int(k[1:]) < layers}
            | {f"{c}{layers}": arrays[f"{c}{layers + 1}"] for c in "wb"}
        )
        self.calm.load_state_dict(self.actor.state_dict())
        for network in self.past:
            network.load_state_dict(self.calm.state_dict())

    def remember(self, k: int | None = None) -> None:
        """Stores the averaged network as one past network, or all; those that are frozen stay."""
        own = self.past[: len(self.past) - self.plan.rivals]
        if self.plan.frozen or not own:
            return
        for network in own if k is None else [own[k % len(own)]]:
            network.load_state_dict(self.calm.state_dict())

    @property
    def rivals(self) -> list[Network]:
        """Lists the past networks that are other players."""
        return self.past[len(self.past) - self.plan.rivals :]

    # Checkpoints

    def snapshot(self) -> dict[str, Any]:
        """Returns everything the next iteration depends on, except the random numbers."""
        return {
            "actor": self.actor.state_dict(),
            "critic": self.critic.state_dict(),
            "calm": self.calm.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "past": [network.state_dict() for network in self.past],
            "spread": self.spread,
            "matches": self.env.snapshot(),
        }

    def restore(self, kept: dict[str, Any]) -> None:
        """Goes back to a snapshot."""
        for name in ("actor", "critic", "calm", "optimizer"):
            getattr(self, name).load_state_dict(kept[name])
        for network, weights in zip(self.past, kept["past"], strict=True):
            network.load_state_dict(weights)
        for group, rate in zip(
            self.optimizer.param_groups, (self.rate, self.critic_rate), strict=True
        ):
            group["lr"] = rate
        self.spread.copy_(kept["spread"])
        self.env.restore(kept["matches"])
