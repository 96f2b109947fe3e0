"""Resampling Fox & Squirrels is fair on tables small enough to count, and keeps what is known."""

import random
from collections import Counter
from collections.abc import Iterator

import foxden
from foxden.engine import compiled
from foxden.engine.kernel import Known, to_known
from tests.games.fox_and_squirrels.setting import FOX, NAMES, legal, named, set_table
from tests.games.positions import truth


def worlds(match: foxden.Match, seat: int | None, n: int) -> Iterator[Known]:
    """Deals worlds that fit what the seat knows."""
    for index in range(n):
        states = match.wiped(seat)
        compiled.resample_of(states, 0, -1 if seat is None else seat, index, 77)
        yield to_known(states, 0)


def all_but(hidden: str, foxes: int = 0) -> str:
    """Names all cards but some, for a discard pile that leaves little unseen."""
    rest = Counter(dict.fromkeys(NAMES, 2))
    rest.subtract(hidden.split())
    return " ".join(["fox"] * foxes + list(rest.elements()))


def held(places: list[int]) -> Counter[int]:
    """Counts the cards of some places, foxes left out."""
    return Counter(card for card in places if 0 <= card < FOX)


def even(counts: Counter[str], worlds: int) -> bool:
    """Returns whether all outcomes are about equally frequent (five standard deviations)."""
    mean = sum(counts.values()) / worlds
    return all(abs(n - mean) < 5 * mean**0.5 for n in counts.values())


def test_every_deal_that_fits_is_equally_likely() -> None:
    # Seat 1 holds one unseen card, two lie in the deck: three cards in six orders.
    match = set_table(["2c", "9h"], deck="kd 5s", discard=all_but("2c 9h kd 5s"))
    found: Counter[str] = Counter()
    for known in worlds(match, 0, 3000):
        found[f"{named(known.hand[1])} | {named(known.deck)}"] += 1
        assert named(known.hand[0]) == "2c"
    assert len(found) == 6
    assert even(found, 6)


def test_two_copies_are_twice_as_likely_as_one() -> None:
    match = set_table(["2c", "9h"], deck="9h 5s", discard=all_but("2c 9h 9h 5s"))
    found = Counter(named(known.hand[1]) for known in worlds(match, 0, 3000))
    assert set(found) == {"9h", "5s"}
    assert abs(found["9h"] - 2000) < 130


def test_foxes_are_dealt_to_the_deck_only() -> None:
    match = set_table(
        ["2c", "9h"],
        deck="fox kd fox",
        discard=all_but("2c 9h kd", foxes=2),
        options={"foxes": "jokers"},
    )
    found: Counter[str] = Counter()
    for known in worlds(match, 0, 3000):
        found[f"{named(known.hand[1])} | {named(known.deck)}"] += 1
    # Two cards for the hand, three places for the other one in the deck.
    assert len(found) == 6
    assert even(found, 6)
    assert all("fox" not in world.split(" | ")[0] for world in found)


def test_a_spectator_sees_no_hand() -> None:
    match = set_table(["2c", "9h"], deck="kd", discard=all_but("2c 9h kd"))
    found: Counter[str] = Counter()
    for known in worlds(match, None, 3000):
        found[" | ".join(map(named, (known.hand[0], known.hand[1], known.deck)))] += 1
    assert len(found) == 6
    assert even(found, 6)


def test_cards_taken_openly_stay_in_the_hand() -> None:
    shown = [[NAMES.index("9h")] if p == 1 else [] for p in range(5)]
    match = set_table(
        ["2c", "9h js"],
        deck="kd 5s",
        discard=all_but("2c 9h js kd 5s"),
        shown=[cards + [-1] * (11 - len(cards)) for cards in shown],
        shown_size=[len(cards) for cards in shown],
    )
    found = Counter(named(known.hand[1]) for known in worlds(match, 0, 3000))
    assert set(found) == {"9h js", "9h kd", "5s 9h"}
    assert even(found, 3)


def test_a_new_deck_holds_only_what_was_discarded() -> None:
    # The K♦ and one 5♠ went into the new deck; the J♠, the 9♥ and the other 5♠ did not.
    stock = [0] * 52
    stock[NAMES.index("kd")] = 1
    stock[NAMES.index("5s")] = 1
    match = set_table(
        ["2c", "9h 5s js"],
        deck="kd 5s",
        discard=all_but("2c 9h js kd 5s 5s"),
        stock=stock,
        reforms=1,
    )
    found = Counter(named(known.hand[1]) for known in worlds(match, 0, 100))
    assert found == {"5s 9h js": 100}
    # One card of the new deck has been drawn since: it may be either.
    match = set_table(
        ["2c", "9h 5s js"],
        deck="kd",
        discard=all_but("2c 9h js kd 5s"),
        stock=stock,
        reforms=1,
    )
    found = Counter(named(known.hand[1]) for known in worlds(match, 0, 3000))
    assert set(found) == {"9h js kd", "5s 9h js"}
    assert even(found, 2)


def test_worlds_keep_to_what_open_play_has_shown() -> None:
    reformed = 0
    for seed in range(6):
        options = {"foxes": ("jokers", "eight_aces")[seed % 2]}
        match = foxden.new("fox-and-squirrels", seats=3, seed=seed, options=options)
        dice = random.Random(seed)
        while not match.is_over:
            # Drawing whenever it can be done, so that decks run out.
            match.play("draw" if legal(match)[0] == "draw" else dice.choice(match.legal()))
            if match.ply % 37:
                continue
            true = truth(match)
            reformed += true.reforms > 0
            stock = Counter({card: n for card, n in enumerate(true.stock) if n})
            # What the state notes of open play is true …
            assert not held(true.deck) - stock
            for seat in range(3):
                assert not held(true.shown[seat]) - held(true.hand[seat])
            # … and worlds keep to it.
            for known in worlds(match, 0, 3):
                assert not held(known.deck) - stock
                assert known.deck.count(FOX) == true.deck.count(FOX)
                assert known.hand[0] == true.hand[0]
                for seat in range(3):
                    assert not held(known.shown[seat]) - held(known.hand[seat])
    assert reformed > 5
