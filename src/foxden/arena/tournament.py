"""A tournament: bots meet on the same deals with seats rotated, so that luck cancels.

A *deal* is one seed with one group of bots; it is played once for every rotation of the group
round the table. Results depend on the seed and the luck alone, not on the number of workers, as
long as the bots are bounded by simulations. A journal on disk lets an interrupted run go on.

A run may stop as soon as the answer is clear, and a longer one may go on with a shorter, so every
interval here is one that holds at any time. Its unit is the deal: the matches of a deal have the
same cards and are not independent.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from foxden.arena.chance import Chance, check_root, deal_seed, dice_seed, draw
from foxden.arena.cluster import Workers
from foxden.arena.intervals import ERROR, Share, is_above, mean_anytime, share_anytime
from foxden.arena.local import Local
from foxden.arena.results import as_json
from foxden.bots import Bot, position_of
from foxden.engine import compiled
from foxden.engine.errors import FoxdenError
from foxden.engine.game import Action, Game
from foxden.engine.match import Match

BATCH = 16  # deals between two looks at whether the answer is clear
GRACE = 1.0  # seconds beyond its bound before a bot counts as stalled


class BadTournament(FoxdenError):
    """Is raised for a tournament that cannot be played, or a journal of another one."""


@dataclass(frozen=True)
class Plan:
    """Everything that determines a tournament's results, except the bots' strength."""

    game: str
    bots: tuple[str, ...]
    seats: int
    deals: int
    seed: int = field(default_factory=draw)  # of the deals
    luck: int = field(default_factory=draw)  # of the bots; none of them is given it
    options: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, Any] = field(default_factory=dict)
    seconds: float | None = None  # for one decision

    def digest(self) -> str:
        """Names the plan, whatever the number of deals: a longer run can go on with a shorter."""
        told = {**asdict(self), "deals": 0}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]

    def group(self, deal: int) -> tuple[int, ...]:
        """Returns the bots of a deal, as numbers: every group in turn, as even as can be.

        Rotations leave everybody the same neighbours, and it matters after whom one plays. So the
        group sits in every circular order in turn.
        """
        n = len(self.bots)
        groups = list(itertools.combinations(range(n), min(n, self.seats)))
        times, number = divmod(deal, len(groups))
        first, *others = groups[number]
        orders = math.factorial(len(others))
        arranged = itertools.permutations(others)
        order = (first, *next(itertools.islice(arranged, times % orders, None)))
        shift = times // orders
        return tuple(order[(k + shift) % len(order)] for k in range(self.seats))


@dataclass(frozen=True)
class Played:
    """One match of a deal."""

    deal: int
    rotation: int
    seed: int
    bots: tuple[int, ...]  # by seat
    scores: tuple[int, ...]
    wins: tuple[float, ...]  # 1 for a win, 1/k where k win together
    plies: int
    faults: tuple[tuple[int, str], ...]  # (bot, what it did)


def play_rotation(game: Game, plan: Plan, bots: Sequence[Bot], deal: int, rotation: int) -> Played:
    """Plays one match of a deal."""
    group = plan.group(deal)
    seating = tuple(group[(seat + rotation) % plan.seats] for seat in range(plan.seats))
    seed = deal_seed(plan.seed, deal)
    compiled.ensure(game)
    match = Match(game, seats=plan.seats, seed=seed, options=plan.options, parts=plan.parts)
    dice = dice_seed(plan.luck, deal, rotation)
    faults: list[tuple[int, str]] = []
    while match.to_act is not None:
        number = seating[match.to_act]
        action, fault = decide(bots[number], match, dice, plan.seconds)
        if fault:
            faults.append((number, fault))
        match.play(action)
    winners = match.winners
    wins = tuple(1 / len(winners) if p in winners else 0.0 for p in range(plan.seats))
    return Played(deal, rotation, seed, seating, match.scores, wins, match.ply, tuple(faults))


def decide(bot: Bot, match: Match, seed: int, seconds: float | None) -> tuple[Action, str | None]:
    """Asks a bot; one that fails loses the decision to a random legal action."""
    position = position_of(match, seed=seed, seconds=seconds)
    try:
        chosen = match.game.action(_in_time(bot, position, seconds))
        if chosen in position.legal:
            return chosen, None
        fault = f"answered illegally: {chosen}"
    except TimeoutError:
        fault = "stalled"
    except Exception as error:
        fault = f"raised {type(error).__name__}: {error}"
    return random.Random(position.seed).choice(position.legal), fault


def _in_time(bot: Bot, position: Any, seconds: float | None) -> Any:
    """Lets a bot choose; without a bound in this thread, else in one that can be left behind."""
    if seconds is None:
        return bot.choose(position)
    answer: Future[Any] = Future()

    def think() -> None:
        try:
            answer.set_result(bot.choose(position))
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=think, daemon=True).start()
    return answer.result(timeout=seconds + GRACE)


class Journal:
    """Matches already played, one JSON line each, under the plan's digest."""

    def __init__(self, file: Path | None, plan: Plan) -> None:
        """Reads what is there; a half-written last line is dropped."""
        self.file = file
        self.done: dict[tuple[int, int], Played] = {}
        if file is None:
            return
        if file.exists():
            self._read(file, plan)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            head = {"plan": plan.digest(), "seed": plan.seed, "luck": plan.luck}
            file.write_text(json.dumps(head) + "\n", encoding="utf-8")

    def _read(self, file: Path, plan: Plan) -> None:
        text = file.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        try:
            head, *lines = [json.loads(line) for line in whole.splitlines()] or [{}]
            played = [_played_from(line) for line in lines]
        except (ValueError, TypeError, KeyError) as error:
            raise BadTournament(f"{file} is not a journal of a tournament: {error}.") from error
        if head.get("plan") != plan.digest():
            raise BadTournament(f"{file} is the journal of another tournament.")
        self.done = {(one.deal, one.rotation): one for one in played}
        if whole != text:
            file.write_text(whole, encoding="utf-8")

    def add(self, played: Played) -> None:
        """Keeps a match."""
        self.done[played.deal, played.rotation] = played
        if self.file:
            with self.file.open("a", encoding="utf-8") as journal:
                journal.write(json.dumps(asdict(played)) + "\n")


def chance_of(journal: Path | None, seed: int | None = None, luck: int | None = None) -> Chance:
    """Returns the seed and the luck of a run: those given, else its journal's, else new ones."""
    if journal and journal.exists():
        with journal.open(encoding="utf-8") as lines:
            try:
                head = json.loads(lines.readline())
                kept = Chance(int(head["seed"]), int(head["luck"]))
            except (ValueError, TypeError, KeyError) as error:
                message = f"{journal} is not a journal of a tournament, or an older Foxden's."
                raise BadTournament(message) from error
        seed = kept.seed if seed is None else seed
        luck = kept.luck if luck is None else luck
    return Chance(check_root(seed), check_root(luck))


def _played_from(line: dict[str, Any]) -> Played:
    return Played(
        deal=line["deal"],
        rotation=line["rotation"],
        seed=line["seed"],
        bots=tuple(line["bots"]),
        scores=tuple(line["scores"]),
        wins=tuple(line["wins"]),
        plies=line["plies"],
        faults=tuple((number, what) for number, what in line["faults"]),
    )


@dataclass(frozen=True)
class Skill:
    """An openskill rating, familiar from games with many seats."""

    mu: float  # 25 to begin with
    sigma: float  # how unsure openskill is, which knows nothing of duplicate deals


@dataclass(frozen=True)
class Standing:
    """One bot's result."""

    bot: str
    matches: int
    elo: Share  # from who finished ahead of whom; the mean of all bots is 0
    skill: Skill
    wins: Share
    score: Share
    faults: Mapping[str, int]


@dataclass(frozen=True)
class Outcome:
    """The result of a tournament."""

    plan: Plan
    deals: int  # played, which may be fewer than planned
    clear: bool  # whether every bot is set apart from the next, at 95 % for all of them together
    standings: tuple[Standing, ...]  # best first
    matches: tuple[Played, ...]

    def to_json(self) -> dict[str, Any]:
        """Returns the outcome as plain data."""
        return as_json(self)


def check_names(bots: Sequence[Bot]) -> None:
    """Refuses bots with the same name."""
    if len({bot.name for bot in bots}) < len(bots):
        raise BadTournament("Two bots have one name; results could not be told apart.")


def run(
    game: Game,
    bots: Sequence[Bot],
    plan: Plan,
    *,
    workers: Workers | int = 1,
    journal: Path | None = None,
    stop_when_clear: bool = False,
    report: Callable[[Played], None] = lambda played: None,
) -> Outcome:
    """Plays a tournament; `report` is given every match as it is finished or found.

    Workers are a cluster, or so many of this machine: threads for searches, which run compiled,
    and processes for bots that think in Python. Results are the same.
    """
    check_names(bots)
    game.setup(plan.seats, plan.options, plan.parts)
    kept = Journal(journal, plan)
    deals = 0
    here = local(game, bots, workers) if isinstance(workers, int) else nullcontext(workers)
    with here as pool:
        while deals < plan.deals:
            batch = range(deals, min(deals + BATCH, plan.deals))
            units = itertools.product(batch, range(plan.seats))
            todo = [unit for unit in units if unit not in kept.done]
            for _, played in pool.map(_play_unit, (game, plan, bots), todo):
                kept.add(played)
                report(played)
            deals = batch.stop
            # Checked after whole batches, so the number of workers makes no difference.
            if stop_when_clear and outcome(plan, kept.done.values(), deals).clear:
                break
    return outcome(plan, kept.done.values(), deals)


def local(game: Game, bots: Sequence[Bot], workers: int | None = None) -> Local:
    """Returns workers on this machine that suit the bots."""
    from foxden.bots.ismcts import SearchBot  # compiles more, so imported only when needed
    from foxden.bots.levels import LevelBot, levels
    from foxden.bots.netsearch import NetSearchBot

    def searches(bot: Bot) -> bool:
        if isinstance(bot, LevelBot):
            return levels(game)[bot.number - 1].searches
        return isinstance(bot, SearchBot | NetSearchBot)

    return Local(workers, threads=all(map(searches, bots)))


def _play_unit(shared: tuple[Game, Plan, Sequence[Bot]], unit: tuple[int, int]) -> Played:
    return play_rotation(*shared, *unit)


def outcome(plan: Plan, played: Iterable[Played], deals: int) -> Outcome:
    """Counts the matches of the first deals and rates the bots."""
    matches = sorted(
        (one for one in played if one.deal < deals), key=lambda one: (one.deal, one.rotation)
    )
    n = len(plan.bots)
    ahead = np.zeros((deals, n, n))
    for one in matches:
        for (p, a), (q, b) in itertools.permutations(enumerate(one.bots), 2):
            if a != b:
                better = (one.wins[p], one.scores[p]), (one.wins[q], one.scores[q])
                ahead[one.deal, a, b] += (better[0] > better[1]) + 0.5 * (better[0] == better[1])
    ratings = elo(ahead.sum(axis=0))
    order = [int(number) for number in np.argsort(-ratings, kind="stable")]
    skills = openskill(n, matches)
    standings = [
        _standing(plan, matches, number, _elo_anytime(ahead, ratings, number), skills[number])
        for number in order
    ]
    return Outcome(plan, deals, _is_clear(ahead, order), tuple(standings), tuple(matches))


def _is_clear(ahead: Any, order: Sequence[int]) -> bool:
    """Returns whether every bot finishes ahead of the next more often than not.

    Which bots are neighbours is seen only afterwards, so the error is split among all pairs.
    """
    error = ERROR / max(1, math.comb(len(order), 2))
    return len(order) > 1 and all(
        is_above(_shares(ahead[:, a, b], ahead[:, b, a]), 0.5, error)
        for a, b in itertools.pairwise(order)
    )


def _shares(ahead: Any, behind: Any) -> Any:
    """Returns how often one finished ahead on each deal that it played, from 0 to 1."""
    met = ahead + behind
    return ahead[met > 0] / met[met > 0]


def _elo_anytime(ahead: Any, ratings: Any, number: int) -> Share:
    """Returns a bot's rating with bounds from its share against all others.

    They are the ratings at which the others, as far apart as they seem, would leave it the least
    and the greatest share. Between two bots that is exact; among more, how unsure the distances
    of the others are does not count.
    """
    share = share_anytime(_shares(ahead[:, number].sum(axis=-1), ahead[:, :, number].sum(axis=-1)))
    met = (ahead + ahead.swapaxes(-1, -2)).sum(axis=0)[number]
    others = np.flatnonzero(met)
    apart, weights = ratings[number] - ratings[others], met[others] / max(1.0, met.sum())
    # Ratings lie about nought: one that rises by so much lets all others sink a little.
    part = 1 - 1 / len(ratings)
    low, high = (
        float(ratings[number]) + part * _shift(apart, weights, end)
        for end in (share.low, share.high)
    )
    return Share(float(ratings[number]), low, high)


def _shift(apart: Any, weights: Any, share: float) -> float:
    """Returns by how much a rating must rise for that share to be expected."""
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    low, high = -4000.0, 4000.0
    for _ in range(50):
        middle = (low + high) / 2
        expected = float(weights @ (1 / (1 + 10 ** (-(apart + middle) / 400))))
        low, high = (middle, high) if expected < share else (low, middle)
    return (low + high) / 2


def _standing(
    plan: Plan, matches: Sequence[Played], number: int, elo: Share, skill: Skill
) -> Standing:
    by_deal = list(_by_deal(matches, number))
    faults = Counter(
        fault.partition(":")[0] for one in matches for bot, fault in one.faults if bot == number
    )
    return Standing(
        bot=plan.bots[number],
        matches=sum(one.bots.count(number) for one in matches),
        elo=elo,
        skill=skill,
        wins=share_anytime([win for win, _ in by_deal]),
        score=mean_anytime([score for _, score in by_deal]),
        faults=dict(faults),
    )


def _by_deal(matches: Sequence[Played], number: int) -> Iterator[tuple[float, float]]:
    """Yields a bot's mean win and score on each deal: the rotations of a deal are no chance."""
    for _, group in itertools.groupby(matches, key=lambda one: one.deal):
        places = [
            (one.wins[p], one.scores[p])
            for one in group
            for p, bot in enumerate(one.bots)
            if bot == number
        ]
        if places:
            wins, scores = zip(*places, strict=True)
            yield sum(wins) / len(places), sum(scores) / len(places)


def elo(ahead: Any) -> Any:
    """Rates by the Bradley-Terry model: ahead[…, a, b] counts how often a finished ahead of b.

    Half a draw is added between all, so that a clean sweep has a finite rating. Many tables of
    counts are rated at once.
    """
    n = ahead.shape[-1]
    if n == 1:
        return np.zeros(ahead.shape[:-1])
    ahead = ahead + 0.5 * (1 - np.eye(n))
    met = ahead + ahead.swapaxes(-1, -2)
    strength = np.ones(ahead.shape[:-1])
    for _ in range(1000):
        before = strength
        pairs = met / (strength[..., :, None] + strength[..., None, :])
        strength = ahead.sum(axis=-1) / pairs.sum(axis=-1)
        strength = strength / np.exp(np.log(strength).mean(axis=-1, keepdims=True))
        if np.max(np.abs(np.log(strength / before))) < 1e-6:
            break
    return 400 * np.log10(strength)


def openskill(bots: int, matches: Sequence[Played]) -> list[Skill]:
    """Rates by openskill's Plackett-Luce model, match by match, each seat a side of its own.

    A bot at several seats moves by the mean of what its seats would move by.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in range(bots)]
    for one in matches:
        places = [(-win, -score) for win, score in zip(one.wins, one.scores, strict=True)]
        order = sorted(set(places))
        sides = [[model.rating(ratings[bot].mu, ratings[bot].sigma)] for bot in one.bots]
        rated = model.rate(sides, ranks=[order.index(place) for place in places])
        for bot in set(one.bots):
            own = [rated[seat][0] for seat, number in enumerate(one.bots) if number == bot]
            mu = sum(rating.mu for rating in own) / len(own)
            sigma = sum(rating.sigma for rating in own) / len(own)
            ratings[bot] = model.rating(mu, sigma)
    return [Skill(rating.mu, rating.sigma) for rating in ratings]
