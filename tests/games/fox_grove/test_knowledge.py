"""What seats of Fox Grove know: fair resampling that keeps to voids, passed cards and berries."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

import foxden
from foxden.engine import compiled
from foxden.engine.kernel import Known, to_known
from tests.games.fox_grove.tables import ALL_CARDS, card, cards, names_in, trick
from tests.games.positions import rearrange, truth

BLUE, PURPLE, ORANGE, YELLOW = (1 << k for k in range(4))


def worlds(match: foxden.Match, seat: int | None, n: int) -> list[Known]:
    """Resamples what a seat knows."""
    viewer = -1 if seat is None else seat
    found: list[Known] = []
    for k in range(n):
        states = match.wiped(seat)
        compiled.resample_of(states, 0, viewer, k, 77)
        found.append(to_known(states, 0, found[-1] if found else None))
    return found


def chi_square(found: Counter[Any], expected: set[Any], n: int) -> float:
    """Compares counts with equal chances."""
    assert set(found) == expected
    mean = n / len(expected)
    return sum((found[key] - mean) ** 2 / mean for key in expected)


def few_cards(hands: list[str], pile: str, voids: list[int], **fields: Any) -> foxden.Match:
    """Sets up the end of a round: every card that is not named has been played by Frank's slot."""
    match = trick(hands, pile=pile)

    def change(known: Known) -> None:
        gone = ALL_CARDS & ~cards(", ".join([*hands, pile]))
        known.played[4] = gone
        known.void = voids
        vars(known).update(fields)

    rearrange(match, change)
    return match


def deals(loose: str, sizes: list[int], voids: list[int]) -> set[tuple[int, ...]]:
    """Lists every deal of the loose cards to hands of these sizes that keeps to the voids."""
    found: set[tuple[int, ...]] = {()}
    for size, void in zip(sizes, voids, strict=True):
        longer = set()
        for dealt in found:
            rest = [c for c in range(52) if cards(loose) & ~sum(dealt) & 1 << c]
            for hand in combinations([c for c in rest if not void >> c // 13 & 1], size):
                longer.add((*dealt, sum(1 << c for c in hand)))
        found = longer
    return found


@pytest.mark.parametrize(
    "voids",
    [
        [0, 0, 0, 0],
        [0, BLUE, 0, 0],
        [0, BLUE, PURPLE, 0],
        [0, BLUE, PURPLE, ORANGE],
        [0, BLUE | ORANGE, PURPLE, BLUE],
    ],
)
def test_every_consistent_deal_is_equally_likely(voids: list[int]) -> None:
    hands = ["yellow 1, yellow 3", "purple 1, yellow 2", "orange 1, blue 2", "purple 3"]
    pile = "blue 1, orange 2"
    match = few_cards(hands, pile, voids)
    expected = deals(", ".join([*hands[1:], pile]), [2, 2, 1], voids[1:])
    n = 14 * len(expected)
    found = Counter(tuple(known.hand[1:4]) for known in worlds(match, 0, n))
    freedom = len(expected) - 1
    assert chi_square(found, expected, n) < freedom + 4.5 * (2 * freedom) ** 0.5


def test_a_spectator_gets_every_consistent_deal_too() -> None:
    voids = [BLUE, PURPLE, ORANGE, BLUE | PURPLE]
    hands = ["orange 1", "blue 1", "purple 1", "yellow 1"]
    pile = "orange 2, blue 2"
    match = few_cards(hands, pile, voids)
    expected = deals(", ".join([*hands, pile]), [1, 1, 1, 1], voids)
    n = 20 * len(expected)
    found = Counter(tuple(known.hand) for known in worlds(match, None, n))
    freedom = len(expected) - 1
    assert chi_square(found, expected, n) < freedom + 4.5 * (2 * freedom) ** 0.5


def test_a_passed_card_stays_with_its_receiver() -> None:
    match = foxden.new("fox-grove", seats=4, seed=11)
    while not str(match.legal()[0]).startswith("play"):
        match.play(match.legal()[0])
    known = truth(match)
    for seat in range(4):
        left, right = known.gave_left[seat], known.gave_right[seat]
        for world in worlds(match, seat, 40):
            assert world.hand[(seat + 1) % 4] >> left & 1
            assert world.hand[(seat - 1) % 4] >> right & 1
            assert world.gave_left[seat] == left
            # What was passed between others is some card that its receiver has.
            across = (seat + 1) % 4
            assert world.hand[(across + 1) % 4] >> world.gave_left[across] & 1


@pytest.mark.parametrize("void", [0, BLUE, PURPLE])
def test_a_passed_card_may_be_buried_after_draw_two(void: int) -> None:
    # Seat 0 passed blue 1 to seat 1, which then buried two cards.
    hands = ["yellow 1, yellow 3", "yellow 2, orange 1", "orange 3, orange 4"]
    match = few_cards(
        hands,
        "orange 5",
        [0, void, 0, 0],
        gave_left=[card("blue 1"), -1, -1, -1],
        buried=[0, cards("blue 1, purple 2"), 0, 0],
        under=[0, 2, 0, 0],
    )
    rearrange(match, lambda known: known.played.__setitem__(4, known.played[4] & ~known.buried[1]))
    loose = "yellow 2, orange 1, orange 3, orange 4, orange 5, blue 1, purple 2"
    expected = {
        (*hands_, sum(1 << c for c in buried))
        for hands_ in deals(loose, [2, 2], [void, 0])
        for buried in combinations(
            [c for c in range(52) if cards(loose) & ~sum(hands_) & 1 << c], 2
        )
        if (hands_[0] | sum(1 << c for c in buried)) & cards("blue 1")
    }
    n = 30 * len(expected)
    found = Counter((*w.hand[1:3], w.buried[1]) for w in worlds(match, 0, n))
    freedom = len(expected) - 1
    assert chi_square(found, expected, n) < freedom + 4.5 * (2 * freedom) ** 0.5
    if void == BLUE:
        assert all(world.buried[1] & cards("blue 1") for world in worlds(match, 0, 20))


def test_own_buried_cards_and_the_card_under_the_pile_are_remembered() -> None:
    options = {"owl_one": "draw_two", "owl_two": "double"}
    match = foxden.new("fox-grove", seats=2, seed=4, options=options)
    while not str(match.legal()[0]).startswith("play"):
        chosen = "draw two" if "draw two" in map(str, match.legal()) else match.legal()[0]
        match.play(chosen)
    known = truth(match)
    for seat in (0, 1):
        for world in worlds(match, seat, 20):
            assert world.buried[seat] == known.buried[seat]
            assert world.gave_right[seat] == known.gave_right[seat]
            assert world.hand[seat] == known.hand[seat]
        others = {world.gave_right[1 - seat] for world in worlds(match, seat, 20)}
        assert len(others) > 5


def test_voids_bind_hands_but_not_the_pile() -> None:
    match = few_cards(["yellow 1", "purple 1", "purple 2"], "blue 1, blue 2", [0, BLUE, BLUE, 0])
    for world in worlds(match, 0, 50):
        assert not (world.hand[1] | world.hand[2]) & cards("blue 1, blue 2")
        assert names_in(world.pile) == ["blue 1", "blue 2"]


def test_voids_are_forgotten_with_the_next_deal() -> None:
    match = trick(["blue 4", "purple 9", "yellow 1", "blue 2"])
    for move in ("play blue 4", "play purple 9", "play yellow 1", "play blue 2", "take blue 2"):
        match.play(move)
    assert truth(match).void[1] == BLUE
    while truth(match).round == 0:
        match.play(match.legal()[0])
    assert truth(match).void == [0] * 4


def with_berries(log: str, held: list[int], spent: list[int]) -> foxden.Match:
    """Seat 1 has taken (t) and spent (s) berries in that order; two berries of each value exist."""
    match = foxden.new("fox-grove", seats=2, seed=1, parts={"berries": [2, 1, 0, 0]})

    def change(known: Known) -> None:
        known.berry_log[1] = int("1" + log.replace("t", "0").replace("s", "1"), 2)
        known.held[1] = [held.count(v) for v in range(5)]
        known.spent[1] = [spent.count(v) for v in range(5)]
        known.berries[1] = len(held)
        for points in held + spent:
            known.supply[points] -= 1
        known.in_supply = sum(known.supply)

    rearrange(match, change)
    return match


@pytest.mark.parametrize(
    ("log", "chances"),
    [
        # Berries are 1, 1, 2. Taken, taken, spent: the 2 is held if it was taken at all.
        ("tts", {(2,): 2 / 3, (1,): 1 / 3}),
        # Taken, spent, taken: each order of draws is as likely.
        ("tst", {(2,): 1 / 3, (1,): 2 / 3}),
        ("t", {(2,): 1 / 3, (1,): 2 / 3}),
    ],
)
def test_berries_are_resampled_by_how_they_were_taken_and_spent(
    log: str, chances: dict[tuple[int, ...], float]
) -> None:
    match = with_berries(log, [1], [1] if "s" in log else [])
    n = 900
    found: Counter[tuple[int, ...]] = Counter()
    for world in worlds(match, 0, n):
        found[tuple(v for v in range(1, 5) for _ in range(world.held[1][v]))] += 1
        total = [world.supply[v] + world.held[1][v] + world.spent[1][v] for v in range(5)]
        assert total == [0, 2, 1, 0, 0]
    assert set(found) == set(chances)
    for held, chance in chances.items():
        assert abs(found[held] / n - chance) < 0.07


def test_a_seat_knows_its_own_berries_and_what_it_spent() -> None:
    match = with_berries("tts", [2], [1])
    for world in worlds(match, 1, 20):
        assert (world.held[1], world.spent[1]) == ([0, 0, 1, 0, 0], [0, 1, 0, 0, 0])


def test_choices_of_the_exchange_are_resampled_from_the_chooser_s_hand() -> None:
    match = foxden.new("fox-grove", seats=4, seed=2)
    first = match.to_act or 0
    match.play(match.legal()[0])
    match.play(match.legal()[0])
    match.play(match.legal()[0])
    viewer = (first + 3) % 4
    for world in worlds(match, viewer, 30):
        left, right = world.gave_left[first], world.gave_right[first]
        assert left != right
        assert world.hand[first] >> left & world.hand[first] >> right & 1
        second = (first + 1) % 4
        assert world.hand[second] >> world.gave_left[second] & 1
        assert world.gave_right[second] == -1
