"""The Slyest Fox: gossip, traps and interfering weasels, for 2 to 8 seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foxden.engine.errors import BadOption, BadParts
from foxden.engine.game import Game
from foxden.engine.kernel import Known
from foxden.engine.options import Choice, Flag
from foxden.engine.parts import Parts, number_between
from foxden.games.slyest_fox import rules
from foxden.games.slyest_fox.rules import Card

MOST_OF_A_KIND = 16
MOST_OF_A_DECK = 64


def fit_parts(parts: Parts) -> dict[str, Any]:
    """Checks the printed numbers and returns the state fields that hold them."""
    printed = [
        number_between(parts, f"cards.{card.name.lower()}", 0, MOST_OF_A_KIND) for card in Card
    ]
    attack, defence = printed[: rules.HALF], printed[rules.HALF :]
    for deck in (attack, defence):
        # Base cards come first; weasel and I don't care are fourth, enough and stop it sixth.
        base, all_cards, for_two = sum(deck[:4]), sum(deck), sum(deck[:3]) + deck[5]
        if base < 6 * rules.DEALT or all_cards < 8 * rules.DEALT or for_two < 2 * rules.DEALT:
            raise BadParts("There are too few cards to deal.", where="cards", rule="SF-5")
        if sum(deck) > MOST_OF_A_DECK:
            message = f"A deck has at most {MOST_OF_A_DECK} cards; these are {sum(deck)}."
            raise BadParts(message, where="cards", rule="SF-1")
    return {"printed": printed, "copies": number_between(parts, "characters", 2, 4)}


def check_setup(seats: int, options: Mapping[str, Any]) -> None:
    """Refuses seats and options that do not fit together."""
    if seats == 2 and options["extension"]:
        message = "Two seats play with a set of their own, without the extension: extension=no."
        raise BadOption(message, option="extension", rule="SF-48")
    if seats > 6 and not options["extension"]:
        message = f"{seats} seats need the cards of the extension: extension=yes."
        raise BadOption(message, option="extension", rule="SF-4")
    if options["teams"] and seats not in (4, 6, 8):
        message = f"teams=yes is for 4, 6 or 8 seats, not {seats}."
        raise BadOption(message, option="teams", rule="SF-45")
    if options["teams"] and options["ending"] != "last_survivor":
        message = "With teams the match ends when one team is out: ending=last_survivor."
        raise BadOption(message, option="ending", rule="SF-47")


def longest(known: Known) -> int:
    """Bounds the length: turns by SF-42, every question in them, and every card that leaves."""
    n = known.seats
    turns = rules.QUIET_TURNS * n * (rules.LIVES * n + 1)
    draws = 1 + rules.LEAST * n  # per turn: its action and drawing up
    # In every turn: challenges and readies, the action, two characters with the passes after
    # them, and drawing up. Also, a card that leaves a hand is one action and at most a round
    # of passes; no more leave than were dealt and drawn, because a trade brings one for two.
    asked = n + 2
    each = n * (n - 1) + n + 1 + 2 * asked + draws
    cards = 2 * rules.DEALT * n + turns * draws
    return int(turns * each + cards * (1 + asked))


GAME = Game.from_package(
    __name__,
    options=(
        Choice(
            "ending",
            "When the match ends.",
            ("SF-40", "SF-41"),
            {
                "last_survivor": "The last player with a life wins.",
                "first_victim": "The first elimination ends it; most lives win, then most cards.",
            },
            "last_survivor",
        ),
        Flag(
            "extension",
            "Add sneaky cards, stop it and enough is enough; needed for 7 or 8 players.",
            ("SF-2", "SF-23", "SF-25", "SF-26"),
        ),
        Flag(
            "teams",
            "Gossip characters against trap characters, with 4, 6 or 8 players.",
            ("SF-45", "SF-46", "SF-47"),
        ),
        Flag(
            "show_hand_sizes",
            "Show how many cards everyone holds, so that nobody has to keep count.",
            ("SF-36",),
        ),
    ),
)
