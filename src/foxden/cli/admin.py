"""`foxden admin`: what an operator does about people, tables and chat, while the server runs."""

from __future__ import annotations

import asyncio
import getpass
import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.table import Table

from foxden.cli.arguments import ConfigFile, Database, DataFolder
from foxden.cli.output import console

if TYPE_CHECKING:
    from foxden.server.config import Config
    from foxden.server.oversight import Oversight
    from foxden.server.store import Store

admin = typer.Typer(
    help="Looks after people, tables and chat; the server may run meanwhile.",
    no_args_is_help=True,
)
Answer = TypeVar("Answer")


@admin.callback()
def settings(
    context: typer.Context,
    config: ConfigFile = None,
    database: Database = None,
    data: DataFolder = None,
) -> None:
    """Reads where the server keeps its tables."""
    from foxden.server.config import read_config

    context.obj = lambda: read_config(config, database=database, data=data)


def _work(
    context: typer.Context,
    work: Callable[[Oversight, Store, Config], Awaitable[Answer]],
) -> Answer:
    """Opens the store, lets an administrator work, and closes it."""
    from foxden.server.oversight import Oversight
    from foxden.server.store import open_store

    config: Config = context.obj()

    async def run() -> Answer:
        store = open_store(config.url)
        await store.open()
        try:
            return await work(Oversight(store, f"{getpass.getuser()} at the server"), store, config)
        finally:
            await store.close()

    return asyncio.run(run())


def _time(seconds: float | None) -> str:
    return "" if not seconds else datetime.fromtimestamp(seconds).isoformat(" ", "minutes")


def _show(*columns: str, rows: list[tuple[Any, ...]], empty: str) -> None:
    if not rows:
        console.print(empty)
        return
    table = Table(*columns)
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console.print(table, highlight=False)


PersonId = Annotated[str, typer.Argument(metavar="PERSON", help="An id from `people` or `who`.")]


@admin.command()
def who(context: typer.Context) -> None:
    """Lists who is online."""
    guests = _work(context, lambda admin, store, config: admin.who())
    _show(
        "person", "name", "table", "sockets", "address",
        rows=[(g.person, g.name or "a stranger", g.table, g.sockets, g.address) for g in guests],
        empty="Nobody is on.",
    )  # fmt: skip


@admin.command()
def people(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Part of a name, or an id.")],
) -> None:
    """Finds people."""
    found = _work(context, lambda admin, store, config: store.find_people(name))
    _show(
        "id", "name", "came first", "came last", "administrator",
        rows=[
            (p.id, p.name, _time(p.created), _time(p.seen), "yes" if p.admin else "")
            for p in found
        ],
        empty="Nobody found.",
    )  # fmt: skip


@admin.command()
def promote(context: typer.Context, person: PersonId) -> None:
    """Makes somebody an administrator: the page /admin opens for them."""
    _work(context, lambda admin, store, config: admin.set_admin(person, True))
    console.print(f"{person} is an administrator.")


@admin.command()
def demote(context: typer.Context, person: PersonId) -> None:
    """Dismisses an administrator."""
    _work(context, lambda admin, store, config: admin.set_admin(person, False))
    console.print(f"{person} is no administrator.")


@admin.command()
def ban(
    context: typer.Context,
    whom: Annotated[
        str, typer.Argument(metavar="WHOM", help="A person's id, an address, or a range of them.")
    ],
    reason: Annotated[str, typer.Option(help="Shown to whoever is banned.")] = "",
    days: Annotated[float | None, typer.Option(help="For this many days; else for good.")] = None,
) -> None:
    """Keeps a person, an address or a range such as 192.0.2.0/24 out."""
    is_network = "." in whom or ":" in whom
    named = {"network": whom} if is_network else {"person": whom}
    made = _work(
        context,
        lambda admin, store, config: admin.ban(**named, reason=reason, days=days),
    )
    console.print(f"{made.network or made.person} is banned; `lift {made.id}` lifts the ban.")


@admin.command()
def bans(context: typer.Context) -> None:
    """Lists the bans."""
    found = _work(context, lambda admin, store, config: store.bans())
    _show(
        "id", "whom", "since", "until", "reason",
        rows=[
            (b.id, b.network or b.person, _time(b.at), _time(b.until), b.reason) for b in found
        ],
        empty="Nobody is banned.",
    )  # fmt: skip


@admin.command()
def lift(
    context: typer.Context,
    ban: Annotated[str, typer.Argument(metavar="BAN", help="An id from `bans`.")],
) -> None:
    """Lifts a ban."""
    _work(context, lambda admin, store, config: admin.lift(ban))
    console.print("The ban is lifted.")


@admin.command()
def close(
    context: typer.Context,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A table's id.")],
) -> None:
    """Removes a table that is not over."""
    _work(context, lambda admin, store, config: admin.close_table(table))
    console.print(f"Table {table} is closed.")


@admin.command()
def unsay(
    context: typer.Context,
    table: Annotated[str | None, typer.Option(help="At this table.")] = None,
    person: Annotated[str | None, typer.Option(help="What this person said.")] = None,
    line: Annotated[int | None, typer.Option(help="Only this line of the table.")] = None,
) -> None:
    """Removes chat: all of a table, all of a person, or one line."""
    count = _work(
        context,
        lambda admin, store, config: admin.remove_chat(table=table, person=person, number=line),
    )
    console.print(f"{count} lines are gone.")


@admin.command()
def devices(context: typer.Context, person: PersonId) -> None:
    """Lists a person's devices."""
    found = _work(context, lambda admin, store, config: store.devices(person))
    _show(
        "id", "since", "came last",
        rows=[(d.id, _time(d.created), _time(d.seen)) for d in found],
        empty="This person has no devices.",
    )  # fmt: skip


@admin.command()
def revoke(
    context: typer.Context,
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="An id from `devices`.")],
) -> None:
    """Signs a device out."""
    _work(context, lambda admin, store, config: admin.revoke(device))
    console.print("The device is revoked.")


@admin.command()
def export(context: typer.Context, person: PersonId) -> None:
    """Prints everything stored about a person, as JSON."""
    found = _work(context, lambda admin, store, config: admin.export(person))
    print(json.dumps(found, indent=1, ensure_ascii=False))


@admin.command()
def forget(
    context: typer.Context,
    person: PersonId,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Deletes a person, with their name and chat everywhere."""
    if not yes:
        typer.confirm(f"Delete {person} for good?", abort=True)
    _work(context, lambda admin, store, config: admin.forget(person))
    console.print(f"{person} is forgotten.")


@admin.command()
def tidy(context: typer.Context) -> None:
    """Removes data past its retention time; the server also does this by itself."""
    gone = _work(context, lambda admin, store, config: admin.tidy(config))
    _show("what", "removed", rows=list(gone.items()), empty="Nothing is kept.")


@admin.command()
def audit(
    context: typer.Context,
    lines: Annotated[int, typer.Option(min=1, max=10000, help="So many, latest first.")] = 50,
) -> None:
    """Lists what administrators did."""
    rows = _work(context, lambda admin, store, config: store.audit(lines))
    _show(
        "when", "who", "what", "whom", "more",
        rows=[(_time(r.at), r.actor, r.action, r.target, json.dumps(r.detail)) for r in rows],
        empty="Nothing was done yet.",
    )  # fmt: skip
