"""A training run from its plan to a player: iterations, exams, checkpoints, a curve."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch

from foxden.training.exam import Exam, Mark
from foxden.training.learner import STATS, Learner
from foxden.training.network import Network
from foxden.training.plan import Plan
from foxden.training.player import UNVEILED, read_player, write_player
from foxden.training.plot import plot

CHECKPOINT = "checkpoint.pt"
PLAYER = "player.npz"
FACTS = "run.json"
CURVE = "curve.png"
EXAM_SEED = 5
AFTER_LESSON = 20  # iterations in which the average follows at once
STALLED = 0.005  # a network with more unfinished matches than this is not kept as the best


class Unveiled:
    """Matches in which the network sees every seat's cards; else as they were."""

    def __init__(self, env: Any) -> None:
        """Wraps an environment that has `truths`."""
        object.__setattr__(self, "env", env)

    def __getattr__(self, name: str) -> Any:
        """Reads what it does not change."""
        return getattr(self.env, name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets it on the environment itself."""
        setattr(self.env, name, value)

    @property
    def observations(self) -> torch.Tensor:
        """Returns the tensors of the whole states, [matches, tensor_size]."""
        truths: torch.Tensor = self.env.truths
        return truths

    @property
    def tensor_size(self) -> int:
        """Counts their numbers."""
        return int(self.env.truth_size)


class Diverged(RuntimeError):
    """Numbers have become infinite; the previous checkpoint is still good."""


class Run:
    """A run in its own folder; a killed run continues from its last checkpoint."""

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        make_env: Callable[..., Any],
        *,
        facts: Mapping[str, Any],
        report: Callable[[str], None] = print,
    ) -> None:
        """Sets up networks and matches; `make_env(num_envs, **what)` makes an environment.

        `facts` are stored with the network: rules version, tensor hash, commit and so on.
        """
        self.plan, self.folder, self.report, self.facts = plan, folder, report, dict(facts)
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(plan.seed)
        env = make_env(plan.matches, truths=True, standings=plan.standing, choices=plan.choices)
        exam = make_env(plan.exam_matches, truths=plan.sees_all)
        if plan.sees_all:
            env, exam = Unveiled(env), Unveiled(exam)
            # No bot may play it: its observations are not what a seat is given.
            self.facts["tensor_hash"] = UNVEILED
        self.on_card = env.seats.device.type == "cuda"
        dtype = torch.bfloat16 if self.on_card else torch.float32
        self.learner = Learner(env, plan, dtype)
        self.exam = Exam(exam, plan, dtype)
        self.saved = deepcopy(self.learner.calm)  # the network of the last checkpoint
        self.best = deepcopy(self.learner.calm)  # the network that did best against `greedy`
        self.best_at, self.best_score = 0, -math.inf
        self.start: Network | None = None  # the player that the run began with
        self.iteration = 0
        self.curve: list[dict[str, Any]] = []
        self.seconds = 0.0
        self.work: dict[bool, Callable[[], None]] = {}

    # Beginnings

    def begin(self, start: Path | None = None, rivals: Sequence[Path] = ()) -> None:
        """Starts with fresh weights or with those of a player; rivals are the plan's."""
        self.learner.look_around()
        if start:
            told, arrays = read_player(start)
            self.learner.begin_with(arrays)
            self.start = deepcopy(self.learner.calm)
            self.facts["started_from"] = {k: told.get(k) for k in ("seed", "iterations", "steps")}
        for network, file in zip(self.learner.rivals, rivals, strict=True):
            network.take(read_player(file)[1])
        self.saved.load_state_dict(self.learner.calm.state_dict())
        self.best.load_state_dict(self.learner.calm.state_dict())

    def resume(self) -> bool:
        """Continues from the last checkpoint, if there is one of this plan."""
        file = self.folder / CHECKPOINT
        if not file.exists():
            return False
        kept = torch.load(file, map_location=self.learner.device, weights_only=True)
        asked, found = self.plan.to_known(), json.loads(kept["plan"])
        differs = sorted(k for k in asked if json.loads(json.dumps(asked[k])) != found.get(k))
        if differs:
            raise ValueError(f"{file} is of another plan: {', '.join(differs)} differ.")
        self.learner.restore(kept["learner"])
        self.saved.load_state_dict(kept["saved"])
        self.best.load_state_dict(kept["best"])
        self.best_at, self.best_score = kept["best_at"], kept["best_score"]
        self.iteration, self.seconds = kept["iteration"], kept["seconds"]
        self.curve = json.loads(kept["curve"])
        torch.set_rng_state(kept["random"].cpu())
        if self.on_card:
            torch.cuda.set_rng_state(kept["random_on_card"].cpu())
        return True

    # The run

    def go(self, seconds: float = math.inf) -> bool:
        """Runs to the plan's end and returns True, or stops after some seconds, ready to resume."""
        plan, learner = self.plan, self.learner
        begin = last = time.perf_counter()
        done, before = 0, self.seconds
        while self.iteration < plan.iterations:
            left = 1 - self.iteration / plan.iterations
            learner.critic_rate.fill_(plan.rate * max(left, 0.02))
            learner.rate.copy_(learner.critic_rate)
            learner.rate.mul_(min(1.0, (self.iteration + 1) / (plan.warm + 1)))
            learner.entropy.fill_(plan.entropy_end + (plan.entropy - plan.entropy_end) * left)
            self._iterate(lesson=self.iteration < plan.lesson)
            self.iteration += 1
            done += 1
            if self.iteration <= plan.lesson + AFTER_LESSON:
                learner.calm.load_state_dict(learner.actor.state_dict())
                learner.remember()
            over = self.iteration == plan.iterations
            if over or self.iteration % plan.exam_every == 0:
                if self.on_card:
                    torch.cuda.synchronize()
                now = time.perf_counter()
                speed = done * plan.matches * plan.steps / (now - last)
                self._examine(speed, before + now - begin)
                last, done = time.perf_counter(), 0
            stop = time.perf_counter() - begin > seconds
            if self.iteration % plan.save_every == 0:
                learner.remember(self.iteration // plan.save_every)
            if over or stop or self.iteration % plan.save_every == 0:
                self.seconds = before + time.perf_counter() - begin
                self.save()
            if stop and not over:
                return False
        return True

    def _iterate(self, *, lesson: bool) -> None:
        if lesson not in self.work:
            self.work = {lesson: self._captured(lesson) if self.on_card else self._plainly(lesson)}
        self.work[lesson]()

    def _plainly(self, lesson: bool) -> Callable[[], None]:
        learner = self.learner

        def work() -> None:
            learner.lesson = lesson
            learner.rollout()
            learner.credit()
            learner.update()

        return work

    def _captured(self, lesson: bool) -> Callable[[], None]:
        """Captures an iteration as CUDA graphs: thousands of small kernels, queued at once."""
        learner = self.learner
        learner.lesson = lesson
        # A first iteration allocates what capturing must not allocate; then the state is restored.
        kept = deepcopy(learner.snapshot())
        random = torch.cuda.get_rng_state()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self._plainly(lesson)()
        torch.cuda.current_stream().wait_stream(side)
        if kept["optimizer"]["state"]:
            learner.restore(kept)
        else:
            for name in ("actor", "critic", "calm"):
                getattr(learner, name).load_state_dict(kept[name])
            for state in learner.optimizer.state.values():
                for value in state.values():
                    value.zero_()
            learner.spread.copy_(kept["spread"])
            learner.env.restore(kept["matches"])
        torch.cuda.set_rng_state(random)
        graphs = []
        for part in (learner.rollout, learner.credit, learner.update):
            graph = torch.cuda.CUDAGraph()
            learner.optimizer.zero_grad(set_to_none=True)
            with torch.cuda.graph(graph):
                part()
            graphs.append(graph)

        def work() -> None:
            for graph in graphs:
                graph.replay()

        return work

    def _examine(self, speed: float, seconds: float) -> None:
        learner = self.learner
        stats = dict(zip(STATS, learner.stats.tolist(), strict=True))
        if not all(math.isfinite(value) for value in stats.values()):
            raise Diverged(f"iteration {self.iteration}: {stats}")
        greedy = self.exam.sit(learner.calm, seed=EXAM_SEED)
        past = self.exam.sit(
            learner.calm,
            self.saved,
            seed=EXAM_SEED + 1,
            other_temperature=self.plan.guests_temperature if self.plan.frozen else 1.0,
        )
        row = {
            "iteration": self.iteration,
            "steps": self.iteration * self.plan.matches * self.plan.steps,
            "greedy": {name: mark.plain for name, mark in greedy.items()},
            "past": {name: mark.plain for name, mark in past.items()},
            **{name: round(value, 4) for name, value in stats.items()},
        }
        self.curve.append(row)
        if self.plan.keep_best:
            marks = list(greedy.values())
            score = sum(mark.wins - mark.fair for mark in marks) / len(marks)
            stuck = max(mark.unfinished for mark in [*marks, *past.values()])
            if stuck <= STALLED and score > self.best_score:
                self.best.load_state_dict(learner.calm.state_dict())
                self.best_at, self.best_score = self.iteration, score
        self.report(
            f"{self.plan.game} {self.iteration}/{self.plan.iterations}"
            f" | greedy {_told(greedy)} | saved {_told(past)}"
            f" | entropy {stats['entropy']:.3f} critic {stats['critic']:.2f}"
            f" value {stats['value']:.2f} clipped {stats['clipped']:.3f}"
            + (f" taught {stats['taught']:.3f}" if stats["taught"] else "")
            + f" | {speed / 1e6:.2f} M steps/s, {seconds:.0f} s"
        )

    # Files

    def save(self) -> None:
        """Writes checkpoint, player and facts, each atomically."""
        learner = self.learner
        kept = {
            "plan": json.dumps(self.plan.to_known()),
            "learner": learner.snapshot(),
            "saved": (self.saved if self.plan.frozen else learner.calm).state_dict(),
            "best": self.best.state_dict(),
            "best_at": self.best_at,
            "best_score": self.best_score,
            "iteration": self.iteration,
            "seconds": self.seconds,
            "curve": json.dumps(self.curve),
            "random": torch.get_rng_state(),
        }
        if self.on_card:
            kept["random_on_card"] = torch.cuda.get_rng_state()
        _write(self.folder / CHECKPOINT, lambda file: torch.save(kept, file))
        if not self.plan.frozen:
            self.saved.load_state_dict(learner.calm.state_dict())
        told = self.told()
        arrays = self.player.arrays(learner.env.tensor_size)
        write_player(self.folder / PLAYER, arrays, told)
        text = json.dumps(told, indent=1)
        _write(self.folder / FACTS, lambda file: file.write(text.encode()))

    @property
    def player(self) -> Network:
        """Returns the current player: the best network if kept, else the last."""
        network: Network = self.learner.calm
        if self.plan.keep_best and self.best_at:
            network = self.best
        return network

    def draw(self) -> bool:
        """Draws the curve beside the player, if matplotlib is installed."""
        return plot(self.folder / FACTS, self.folder / CURVE)

    def told(self) -> dict[str, Any]:
        """Returns the network's metadata, for JSON."""
        plan = self.plan
        return {
            "game": plan.game,
            "tables": [
                {"seats": table.seats, "options": dict(table.options), "spread": round(spread, 4)}
                for table, spread in zip(plan.tables, self.learner.spread.tolist(), strict=True)
            ],
            **self.facts,
            "seed": plan.seed,
            "iterations": self.iteration,
            "steps": self.iteration * plan.matches * plan.steps,
            "seconds": round(self.seconds),
            "torch": str(torch.__version__),
            "device": torch.cuda.get_device_name() if self.on_card else "processor",
            "layers": plan.depth,
            "kept": self.best_at if self.player is self.best else self.iteration,
            "plan": plan.to_known(),
            "curve": self.curve,
        }

    def final(self, *, temperature: float) -> dict[str, dict[str, Mark]]:
        """Examines the player on new deals, and returns the marks by rival.

        The player a run began with plays as the run's own player does, or if frozen as in the run.
        """
        rivals: dict[str, Network | None] = {"greedy": None, "itself": self.player}
        if self.start:
            rivals["start"] = self.start
        for k, network in enumerate(self.learner.rivals, 1):
            rivals[f"rival {k}"] = network
        told = {}
        for name, rival in rivals.items():
            frozen = self.plan.frozen and name == "start"
            heat = self.plan.guests_temperature if frozen else temperature
            told[name] = self.exam.sit(
                self.player,
                rival,
                seed=EXAM_SEED + 2,
                temperature=temperature,
                other_temperature=heat,
            )
        return told


def _told(marks: Mapping[str, Mark]) -> str:
    def one(mark: Mark) -> str:
        stuck = f" ({mark.unfinished:.1%} unfinished)" if mark.unfinished > 0.001 else ""
        return f"{mark.wins:.1%}/{mark.fair:.0%}{stuck}"

    return ", ".join(f"{name}: {one(mark)}" for name, mark in marks.items())


def _write(file: Path, write: Callable[[Any], Any]) -> None:
    """Writes a file atomically: a kill leaves the previous one."""
    part = file.with_name(file.name + ".part")
    with part.open("wb") as out:
        write(out)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)
