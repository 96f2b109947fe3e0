"""High Card: hold two cards, play one; the highest card wins."""

from foxden.engine.game import Game

GAME = Game.from_package(__name__)
