"""A match, or a replay, in the terminal."""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

import foxden
from foxden.bots import Bot, ask, hints, position_of
from foxden.cli.bests import Bests
from foxden.engine.errors import FoxdenError
from foxden.engine.match import Match
from foxden.engine.native import digits
from foxden.engine.registry import about
from foxden.engine.rng import SEED_BITS
from foxden.engine.voice import listed
from foxden.terminal import draw

BOT_NAMES = ("Ada", "Bo", "Cleo", "Dag", "Edda", "Finn", "Gus", "Hana")
HELP = """\
[bold]a number[/] or [bold]its notation[/]  plays a move
[bold]? MOVE[/]       what it does, or why it is not open
[bold]hint[/]         what a search would do here
[bold]undo[/]         back to your last decision
[bold]log[/]          what happened so far
[bold]table[/]        draw the table again
[bold]guide[/]        the rules
[bold]save[/] \\[FILE]  write the match to a file
[bold]quit[/]         leave"""


def choose_game(console: Console) -> str:
    """Asks which game to play."""
    names = foxden.games()
    if len(names) == 1:
        return names[0]
    for number, name in enumerate(names, 1):
        box = about(name)
        console.print(f"[bold]{number}[/]  {box.title}: {box.blurb}")
    while True:
        try:
            answer = console.input("Which game? ").strip()
        except EOFError:
            raise FoxdenError("No game was chosen.") from None
        place = digits(answer)
        if place is not None and 1 <= place <= len(names):
            return names[place - 1]
        try:
            return about(answer).name
        except FoxdenError as error:
            console.print(str(error))


class Leave(Exception):
    """Ends a session before the match is over."""


class Session:
    """A person at one seat, bots at the others."""

    def __init__(
        self, match: Match, seat: int, bot: Bot, console: Console, *, fresh: bool = True
    ) -> None:
        """Seats everybody; a new match gets names for its bots."""
        self.match = match
        self.seat = seat
        self.bot = bot
        self.console = console
        self.luck = secrets.randbits(SEED_BITS)  # for bots, which must not learn the match's seed
        self.told = match.ply  # log entries already shown
        if fresh:
            others = iter(BOT_NAMES)
            names = ["You" if s == seat else next(others) for s in range(match.seats)]
            match.names = tuple(names)

    def run(self) -> None:
        """Plays until the match is over or the person leaves."""
        match = self.match
        self.console.print(
            f"[bold]{match.game.title}[/], {match.seats} seats, seed {match.seed}. Type ? for help."
        )
        try:
            while not match.is_over:
                if match.to_act == self.seat:
                    self.tell()
                    self.show()
                    self.decide()
                else:
                    match.play(ask(self.bot, match, seed=self.luck))
            self.tell()
            self.show_result()
        except (Leave, EOFError, KeyboardInterrupt):
            self.console.print("You leave the table.")

    def tell(self) -> None:
        """Tells what has happened since the last time."""
        for entry in self.match.log(self.seat, since=self.told):
            for sentence in entry["says"]:
                self.console.print(f"  {sentence}", highlight=False)
        self.told = self.match.ply

    def show(self) -> None:
        """Draws the table, the question and the choices."""
        view = self.match.view(self.seat)
        self.console.print()
        self.console.print(draw(self.match.game, view))
        self.console.print(f"[bold]{view['question']}[/]", highlight=False)
        self.console.print(choices(view["legal"]))

    def decide(self) -> None:
        """Reads commands until a move is made."""
        while True:
            line = " ".join(self.console.input("[bold]> [/]").split())
            command, _, rest = line.partition(" ")
            try:
                if not line:
                    continue
                if command == "undo":
                    self.undo()
                    return
                if self.answered(command, rest):
                    continue
                self.match.play(self.chosen(line), self.seat)
                return
            except FoxdenError as error:
                self.console.print(f"  {error}", style="yellow", highlight=False)

    def chosen(self, text: str) -> foxden.Action | str:
        """Returns the move with that number in the list, or the text as it is."""
        legal = self.match.legal()
        place = digits(text)
        if place is not None:
            if not 1 <= place <= len(legal):
                raise foxden.BadNotation(f"Choose from 1 to {len(legal)}.")
            return legal[place - 1]
        return text

    def answered(self, command: str, rest: str) -> bool:
        """Carries out a command that is not a move."""
        match command:
            case "?" | "help":
                self.help(rest)
            case "log":
                for entry in self.match.log(self.seat):
                    self.console.print(
                        f"{entry['ply']:>4}  {' '.join(entry['says'])}", highlight=False
                    )
            case "table":
                self.show()
            case "hint":
                self.hint()
            case "guide":
                self.console.print(Markdown(self.match.game.guide))
            case "save":
                self.save(rest)
            case "quit" | "exit" | "q":
                raise Leave
            case _:
                return False
        return True

    def help(self, text: str) -> None:
        """Explains a move, or why it is not open; without one, the commands."""
        if not text:
            self.console.print(HELP)
            return
        action = self.match.game.action(self.chosen(text))
        if action in self.match.legal():
            self.console.print(f"  {self.match.explain(action)}", highlight=False)
        else:
            reason, rule = self.match.why_not(action)
            self.console.print(f"  Not now: {reason} ({rule}).", highlight=False)

    def hint(self) -> None:
        """Shows a one-second search's view of the choices."""
        from foxden.bots.ismcts import prepare

        if self.match.is_over:
            raise foxden.MatchOver("There is nothing left to decide.")
        with self.console.status("Thinking …"):
            prepare(self.match.game)  # compile first, so the second is spent searching
            found = hints(position_of(self.match, seed=self.luck))
        table = Table(box=None, pad_edge=False)
        for heading in ("move", "result (0 to 1)", "looked at"):
            table.add_column(heading, justify="left" if heading == "move" else "right")
        for hint in found[:5]:
            result = f"{hint.result:.2f} ± {2 * hint.spread:.2f}"
            table.add_row(str(hint.action), result, f"{hint.share:.0%}")
        self.console.print(table)

    def undo(self) -> None:
        """Goes back to the person's last decision."""
        ply = self.match.ply - 1
        while ply >= 0 and self.match.at(ply).to_act != self.seat:
            ply -= 1
        if ply < 0:
            raise foxden.NothingToUndo("You have not decided anything yet.")
        self.match.undo(self.match.ply - ply)
        self.told = min(self.told, ply)
        self.console.print("  Taken back.")

    def save(self, name: str) -> None:
        """Writes the match to a file that `foxden play --from` and `foxden replay` read."""
        names = shlex.split(name) or [f"{self.match.game.name}-{self.match.seed}.record"]
        file = Path(names[0])
        try:
            file.write_text(self.match.record(), encoding="utf-8")
        except OSError as error:
            raise FoxdenError(f"{file} cannot be written: {error.strerror}.") from error
        self.console.print(
            f"  Saved. Go on with: foxden play --from {file} --seat {self.seat}", highlight=False
        )

    def show_result(self) -> None:
        """Shows the table, the scores line by line, and who has won."""
        match = self.match
        view = match.view(self.seat)
        self.console.print(draw(match.game, view))
        self.console.print(result_table(view))
        if match.together:
            best = match.game.coop_key(match.seats, match.options)
            self.console.print(Bests().entered(match.game.name, best, max(match.scores)))
        self.console.print(winners_line(view), style="bold", highlight=False)
        while self.console.is_terminal:
            line = self.console.input("[bold]save, replay or Enter to leave: [/]").strip()
            command, _, rest = line.partition(" ")
            if not command or not self.after_match(command, rest):
                return

    def after_match(self, command: str, rest: str) -> bool:
        """Carries out a command after the end; returns whether to prompt again."""
        try:
            if command == "replay":
                Replay(self.match, self.seat, self.console).run()
                return True
            return self.answered(command, rest)
        except Leave:
            return False
        except FoxdenError as error:
            self.console.print(f"  {error}", style="yellow", highlight=False)
            return True


def choices(legal: list[dict[str, Any]]) -> Table:
    """Lays out the legal moves: number, notation, what it does."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", style="bold", min_width=4)
    table.add_column(style="green", no_wrap=True)
    table.add_column()
    for number, choice in enumerate(legal, 1):
        table.add_row(str(number), choice["notation"], choice["says"])
    return table


def result_table(view: dict[str, Any]) -> Table:
    """Lays out the final scores line by line."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in view["names"]:
        table.add_column(name, justify="right")
    for number, (label, _) in enumerate(view["tally"][0]):
        table.add_row(label, *[str(lines[number][1]) for lines in view["tally"]])
    table.add_row("score", *map(str, view["scores"]), style="bold")
    return table


def winners_line(view: dict[str, Any]) -> str:
    """Says who has won."""
    who = ["You" if seat == view["seat"] else view["names"][seat] for seat in view["winners"]]
    if view["together"]:
        return f"Together you have reached {max(view['scores'])}."
    alone = len(who) == 1 and who[0] != "You"
    return f"{listed(who)} {'wins' if alone else 'win'}{' together' if len(who) > 1 else ''}."


class Replay:
    """A finished or running match, one action after another."""

    def __init__(self, match: Match, seat: int | None, console: Console) -> None:
        """Begins at the deal."""
        self.match = match
        self.seat = seat
        self.console = console
        self.log = match.log(seat)
        self.ply = 0

    def run(self) -> None:
        """Steps on request; without a terminal, prints everything and shows the end."""
        if not self.console.is_terminal:
            for entry in self.log:
                self.console.print(f"{entry['ply']:>4}  {' '.join(entry['says'])}", highlight=False)
            self.ply = self.match.ply
            self.show()
            return
        try:
            while True:
                self.show()
                here = f"[bold]{self.ply} of {self.match.ply}[/]"
                line = self.console.input(f"{here}  Enter next, b back, a number, q quit: ")
                if not self.step(line.strip()):
                    return
        except (EOFError, KeyboardInterrupt):
            self.console.print()

    def show(self) -> None:
        """Draws the position and the action that led to it."""
        view = self.match.at(self.ply).view(self.seat)
        self.console.print()
        self.console.print(draw(self.match.game, view))
        if self.ply:
            says = " ".join(self.log[self.ply - 1]["says"])
            self.console.print(f"[bold]{self.ply}.[/] {says}", highlight=False)
        if view["to_act"] is None:
            self.console.print(result_table(view))
            self.console.print(winners_line(view), style="bold", highlight=False)

    def step(self, line: str) -> bool:
        """Moves to another position; returns whether to continue."""
        if line in ("q", "quit"):
            return False
        if line in ("b", "back"):
            self.ply = max(0, self.ply - 1)
        elif (ply := digits(line)) is not None:
            self.ply = min(ply, self.match.ply)
        elif line == "":
            self.ply = min(self.ply + 1, self.match.ply)
        else:
            self.console.print("Press Enter for the next action, b for the one before, q to leave.")
        return True
