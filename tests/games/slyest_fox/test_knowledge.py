"""What seats of The Slyest Fox know: sure claims, fair resampling, and who is asked."""

import itertools
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

import foxden
from foxden.bots import ask, find_bot
from foxden.engine import compiled
from foxden.engine.kernel import Known, to_known
from tests.games.positions import rearrange, truth
from tests.games.slyest_fox.board import CARDS, OPEN, PLAIN, Hand, all_ready, hand, play, table
from tests.games.slyest_fox.truth import TRUTH, claims_hold, keeps_rightly, scramble

GOSSIP, TRAP, UNIVERSAL, WEASEL, FACTS, CAUTION = 0, 1, 2, 3, 6, 7
SOME = 12


def worlds(match: foxden.Match, seat: int, n: int) -> list[Known]:
    """Resamples n worlds as a seat sees the match."""
    wiped = match.wiped(None if seat < 0 else seat)
    found: list[Known] = []
    for k in range(n):
        copy = match.wiped(None if seat < 0 else seat)
        copy[0] = wiped[0]
        compiled.resample_of(copy, 0, seat, k, 77)
        found.append(to_known(copy, 0, found[-1] if found else None))
    return found


def small(hands: list[Hand], deck: Hand, **settings: Any) -> foxden.Match:
    """Sets up a position in which all cards but those named lie in the discard piles."""
    full = {"gossip": 14, "trap": 14, "universal-attack": 7, "weasel": 6}
    full |= {"facts": 14, "caution": 14, "universal-defence": 7, "dont-care": 6}
    for cards in [*hands, deck]:
        for card, n in cards.items():
            full[card] -= n
    return table(hands, discards=full, **settings)


def fits(found: Counter[Any], expected: Mapping[Any, float], n: int) -> bool:
    """Returns whether counts fit chances, by a chi-square test that fails once in a thousand."""
    assert set(found) == set(expected)
    chi2 = sum((found[key] - n * p) ** 2 / (n * p) for key, p in expected.items())
    free = len(expected) - 1
    return bool(chi2 < free + 3.5 * (2 * free) ** 0.5 + 6)


def test_resampling_is_uniform_over_hands_and_deck() -> None:
    match = small([PLAIN, {"gossip": 1, "trap": 1}, {"universal-attack": 1}], {"trap": 1})
    n = 4000
    found = Counter((tuple(w.hand[1]), tuple(w.hand[2])) for w in worlds(match, 0, n))
    expected: Counter[Any] = Counter()
    unseen = [GOSSIP, TRAP, TRAP, UNIVERSAL]
    for order in itertools.permutations(unseen):  # two to seat 1, one to seat 2, one in the deck
        one, two = [0] * 12, [0] * 12
        one[order[0]] += 1
        one[order[1]] += 1
        two[order[2]] += 1
        expected[tuple(one), tuple(two)] += 1
    total = sum(expected.values())
    assert fits(found, {key: p / total for key, p in expected.items()}, n)


def test_resampling_is_uniform_where_not_even_the_deck_of_a_card_is_known() -> None:
    match = small([PLAIN, {"gossip": 1, "facts": 1}, {"trap": 1, "facts": 1}], {})

    def change(known: Known) -> None:
        known.known[1][1] = known.known[2][1] = [0] * 14

    rearrange(match, change)
    n = 4000
    found = Counter((tuple(w.hand[1]), tuple(w.hand[2])) for w in worlds(match, 0, n))
    expected: Counter[Any] = Counter()
    for order in itertools.permutations([GOSSIP, TRAP, FACTS, FACTS]):
        one, two = [0] * 12, [0] * 12
        for card in order[:2]:
            one[card] += 1
        for card in order[2:]:
            two[card] += 1
        expected[tuple(one), tuple(two)] += 1
    total = sum(expected.values())
    assert fits(found, {key: p / total for key, p in expected.items()}, n)


def test_a_kept_hand_has_a_weasel_in_every_world_each_as_likely_as_it_should_be() -> None:
    hands: list[Hand] = [PLAIN, PLAIN, {"weasel": 1, "gossip": 1}]
    match = small(hands, {"weasel": 1, "gossip": 1}, marks={2: (1, 2)})
    rearrange(match, lambda known: known.keeps.__setitem__(2, 1))
    rearrange(match, lambda known: known.known[1].__setitem__(1, [1, 1, *[0] * 4, 1, 1, *[0] * 6]))
    n = 3000
    found = Counter(w.hand[2][WEASEL] for w in worlds(match, 0, n))
    # Two cards of two weasels and two gossips: 4 ways to hold one weasel, 1 way to hold both.
    assert fits(found, {1: 4 / 5, 2: 1 / 5}, n)


def test_kept_hands_are_right_even_where_rejection_hardly_ever_works() -> None:
    hands = [PLAIN, PLAIN, {"weasel": 1}, {"sneaky-defence": 1}, {"weasel": 1}, {"weasel": 1}]
    match = table(hands, marks=dict.fromkeys((2, 3, 4, 5), (1, 2)), extension=True)
    rearrange(match, lambda known: vars(known).update(keeps=[0, 0, 1, 1, 1, 1, 0, 0]))
    for world in worlds(match, 0, 300):
        assert all(keeps_rightly(world, p) for p in range(6))
        assert TRUTH.conserved(world) == TRUTH.conserved(truth(match))


def test_a_deck_just_formed_again_is_known_card_by_card() -> None:
    match = table(
        [PLAIN, {"trap": 3, "gossip": 3}, {"gossip": 3}], discards={"trap": 2}, empty_decks=True
    )
    play(match, "0: draw attack")
    # Two traps were in the deck; one is drawn, one is left: everybody can tell.
    for seat in (-1, 0, 1, 2):
        wiped = match.known(None if seat < 0 else seat)
        assert wiped.formed[:6] == [0, 2, 0, 0, 0, 0]
    rearrange(match, lambda known: known.printed.__setitem__(slice(0, 12), exact_set(known)))
    for seat in (-1, 1, 2):
        for world in worlds(match, seat, 50):
            assert world.deck[:6] == [0, 1, 0, 0, 0, 0]


def exact_set(known: Known) -> list[int]:
    """Counts all cards of a position as if no others were printed."""
    return [
        known.deck[c] + known.discard[c] + sum(known.hand[p][c] for p in range(known.seats))
        for c in range(12)
    ]


def test_unseen_characters_are_dealt_from_those_that_are_left() -> None:
    match = table([PLAIN, PLAIN, PLAIN, PLAIN], roles=[0, 1, 0, 2])
    rearrange(match, lambda known: known.shown.__setitem__(2, 1))
    n = 4000
    found = Counter((w.role[1], w.role[3]) for w in worlds(match, 0, n))
    # Both gossip foxes are seen: two each of the other three are left for two seats.
    expected = {(a, b): (2 / 6) * ((1 if a == b else 2) / 5) for a in (1, 2, 3) for b in (1, 2, 3)}
    assert fits(found, expected, n)
    assert {(w.role[0], w.role[2]) for w in worlds(match, 0, 20)} == {(0, 0)}


def test_a_traded_card_stays_known_until_such_a_card_leaves() -> None:
    match = table(
        [{"gossip": 3, "trap": 1, "facts": 2}, PLAIN, PLAIN], discards={"trap": 1}, phase=OPEN
    )
    play(match, "0: trade gossip for trap")
    for seat in (-1, 1, 2):
        assert all(w.hand[0][TRAP] >= 1 for w in worlds(match, seat, 60))
    all_ready(match)
    play(match, "0: attack 1 with trap")
    assert truth(match).known[0][0][TRAP] == 0  # one trap has gone; whether it was that one …
    assert truth(match).hand[0][TRAP] == 1  # … only the owner knows
    assert {w.hand[0][TRAP] for w in worlds(match, 1, 200)} > {0}


def test_a_card_taken_by_a_challenge_is_known_to_taker_and_loser_in_every_world() -> None:
    match = table([{"universal-attack": 1}, PLAIN, PLAIN], phase=OPEN)
    play(match, "0: challenge 1")
    assert hand(match, 1)["universal-attack"] == 1
    assert all(w.hand[1][UNIVERSAL] >= 1 for w in worlds(match, 0, 60))
    others = Counter(w.hand[1][UNIVERSAL] for w in worlds(match, 2, 200))
    assert others[0] > 100  # a third seat knows only that it was an attack card
    assert all(sum(w.hand[1][:6]) == 3 for w in worlds(match, 2, 60))


@pytest.mark.parametrize("seed", range(150))
def test_a_blurred_claim_is_the_best_that_can_still_be_sure(seed: int) -> None:
    """Compares claims after a challenge with the minimum over every hand that could have been."""
    dice = random.Random(seed)
    size = dice.randrange(1, 5)
    kinds = (GOSSIP, TRAP, FACTS, CAUTION) if seed % 3 else (GOSSIP, TRAP)
    cards = [dice.choice(kinds) for _ in range(size)]
    sure = [0] * 14
    for card in cards:  # claim it by kind, by deck, or not at all
        tag = dice.choice([card, card, SOME + card // 6, SOME + card // 6, None])
        if tag is not None:
            sure[tag] += 1
    holds = {CARDS[card]: cards.count(card) for card in kinds}
    match = table([holds, {}, PLAIN], phase=OPEN)
    rearrange(match, lambda known: known.known[0].__setitem__(0, list(sure)))
    play(match, "0: challenge 1")
    possible = []
    for some in itertools.combinations_with_replacement((GOSSIP, TRAP, FACTS, CAUTION), size):
        if claims(sure, Counter(some)):
            possible += [(Counter(some) - Counter([lost]), lost) for lost in set(some)]
    left, taken = truth(match).known[0][0], truth(match).known[1][0]
    for card in range(12):
        assert left[card] == min(rest[card] for rest, _ in possible)
        assert taken[card] == int({lost for _, lost in possible} == {card})
    for deck in range(2):
        claimed = sum(left[6 * deck : 6 * deck + 6]) + left[SOME + deck]
        assert claimed == min(in_deck(rest, deck) for rest, _ in possible)
        one_deck = {lost // 6 for _, lost in possible} == {deck}
        assert sum(taken[6 * deck : 6 * deck + 6]) + taken[SOME + deck] == int(one_deck)


def in_deck(cards: Counter[int], deck: int) -> int:
    """Counts the cards of a deck."""
    return sum(n for card, n in cards.items() if card // 6 == deck)


def claims(sure: list[int], cards: Counter[int]) -> bool:
    """Returns whether a hand has what is claimed of it."""
    kinds = all(cards[card] >= sure[card] for card in range(12))
    decks = all(
        in_deck(cards, deck) >= sum(sure[6 * deck : 6 * deck + 6]) + sure[SOME + deck]
        for deck in range(2)
    )
    return kinds and decks


def test_claims_are_true_and_a_seat_knows_all_that_everybody_knows() -> None:
    bot = find_bot("random")
    for seed in range(4):
        match = foxden.new("slyest-fox", seats=4, seed=seed, options={"extension": True})
        while not match.is_over:
            known = truth(match)
            for p in range(4):
                for row in set(range(5)) - {p + 1}:
                    assert claims_hold(known, p, row)
                    mine, public = known.known[p][row], known.known[p][0]
                    assert all(a >= b for a, b in zip(mine[:12], public[:12], strict=True))
                    for deck in range(2):
                        kinds = slice(6 * deck, 6 * deck + 6)
                        assert (
                            sum(mine[kinds]) + mine[SOME + deck]
                            >= sum(public[kinds]) + public[SOME + deck]
                        )
            match.play(ask(bot, match, seed=seed))


TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {}),
    (4, {"extension": True}),
    (6, {"ending": "first_victim"}),
    (6, {"teams": True, "extension": True}),
]


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_who_is_asked_follows_from_open_information_alone(
    seats: int, options: dict[str, Any]
) -> None:
    """Plays the same open actions in worlds that differ in what is hidden."""
    compared = 0
    for seed in range(6):
        dice = random.Random(seed)
        match = foxden.new("slyest-fox", seats=seats, seed=seed, options=options)
        while not match.is_over:
            if dice.random() < 0.04:
                compared += play_twins(match, dice)
            match.play(dice.choice(match.legal()))
    assert compared > 150


def play_twins(match: foxden.Match, dice: random.Random) -> int:
    """Goes on in the true world and in a scrambled one until something hidden comes to light."""
    one, two = match.at(match.ply), match.at(match.ply)
    rearrange(two, lambda known: scramble(known, -1, dice))
    for step in range(30):
        both = sorted(set(map(int, one.legal())) & set(map(int, two.legal())))
        if not both:
            return step
        action = one.game.labels[dice.choice(both)]
        before = truth(one)
        for twin in (one, two):
            twin.play(action)
        after = truth(one)
        kept = any(sum(before.marks[p]) == 3 and before.size[p] for p in range(one.seats))
        shown = str(action) == "play character" or after.alive < before.alive
        if shown or (kept and before.attacked >= 0 > after.attacked) or one.is_over:
            return step
        assert vars(one.known(None)) == vars(two.known(None)), action
    return 30


def test_the_twins_of_that_test_really_differ() -> None:
    match = foxden.new("slyest-fox", seats=4, seed=1)
    twin = match.at(0)
    rearrange(twin, lambda known: scramble(known, -1, random.Random(1)))
    assert truth(match).hand != truth(twin).hand
