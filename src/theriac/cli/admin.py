"""`theriac admin`: what an operator does, beside running servers or without one."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer

from theriac.cli.console import out, print_json
from theriac.cli.parameters import Json
from theriac.cli.store_options import (
    By,
    ConfigFile,
    Database,
    operator,
    printable,
    store_url,
)
from theriac.faults import Fault, listed, quote

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

    from theriac.server.store.store import Store

Result = TypeVar("Result")

app = typer.Typer(
    help="Look after a server: tables, people, reports, keys. Running servers follow in a second.",
    epilog="Examples:\ntheriac admin people --search ana\ntheriac admin ban PERSON --hours 24",
)

Person = Annotated[
    str, typer.Argument(help="The id of a person.", show_default=False, callback=printable)
]
PersonOrNone = Annotated[
    str,
    typer.Argument(
        help="The id of a person.", show_default="none, with --address", callback=printable
    ),
]
Address = Annotated[
    str,
    typer.Option(
        help="An address or a network, such as 203.0.113.7 or 203.0.113.0/24, instead of a person.",
        show_default="none",
    ),
]
TableName = Annotated[
    str, typer.Argument(help="The name of a table.", show_default=False, callback=printable)
]
Hours = Annotated[
    float | None,
    typer.Option(help="For how many hours.", min=0.01, max=1e6, show_default="for ever"),
]
Days = Annotated[
    float | None, typer.Option(min=0, max=1e5, show_default="for ever", help="Days to keep.")
]


#: The stages of tables, as the store has them.
_STAGES = ["gathering", "playing", "over", "closed"]
#: The columns that are times, in milliseconds since 1970.
_TIMES = (
    *("at", "made", "seen", "changed", "closed", "since"),
    *("muted_until", "banned_until", "until"),
)


class Chosen(NamedTuple):
    """The store to work on, and who does it."""

    url: "URL"
    by: str


@app.callback()
def choose(
    context: typer.Context,
    database: Database = "",
    config: ConfigFile = None,
    by: By = "",
) -> None:
    """Look after a server: tables, people, reports, keys. Running servers follow in a second."""
    context.obj = Chosen(store_url(database, config), operator(by))


def work(context: typer.Context, do: "Callable[[Store, str], Awaitable[Result]]") -> Result:
    """Do something with the store; raises `Fault`."""
    from theriac.server.store.migrate import require_newest
    from theriac.server.store.store import Store

    chosen: Chosen = context.obj

    async def run() -> Result:
        await require_newest(chosen.url)
        store = Store(chosen.url)
        try:
            return await do(store, chosen.by)
        finally:
            await store.close()

    return asyncio.run(run())


def show(rows: Sequence[Any], json: bool) -> None:
    """Print rows as a table, or as JSON."""
    if json:
        print_json([row._asdict() for row in rows])
        return
    if not rows:
        out.print("none")
        return
    lines = [list(rows[0]._fields)]
    lines += [[_cell(name, value) for name, value in row._asdict().items()] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        out.print(padded.rstrip(), markup=False, soft_wrap=True)


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name in _TIMES:
        if value > 253_000_000_000_000:
            return "for ever"
        moment = dt.datetime.fromtimestamp(value / 1000, dt.UTC)
        return f"{moment:%Y-%m-%d %H:%M}"
    # What an older Theriac has stored may have characters that a terminal would obey.
    return quote(str(value), 120)


@app.command()
def tables(
    context: typer.Context,
    stage: Annotated[str, typer.Option(help=f"{listed(_STAGES)}.", show_default="all")] = "",
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=100_000)] = 100,
    json: Json = False,
) -> None:
    """List the tables that changed last."""
    from theriac.server.admin.tables import list_tables

    if stage and stage not in _STAGES:
        raise Fault(f"--stage {quote(stage)}: use {listed(_STAGES)}")
    show(work(context, lambda store, by: list_tables(store, stage, limit)), json)


@app.command()
def people(
    context: typer.Context,
    search: Annotated[
        str, typer.Option(help="A part of an id or a name.", callback=printable)
    ] = "",
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=100_000)] = 100,
    json: Json = False,
) -> None:
    """List the newest people, or search."""
    from theriac.server.admin.people import list_people

    show(work(context, lambda store, by: list_people(store, search, limit)), json)


@app.command()
def mute(context: typer.Context, person: Person, hours: Hours = None) -> None:
    """Stop a person from talking and reacting."""
    from theriac.server.admin import people as admin

    work(context, lambda store, by: admin.mute(store, by, person, hours))


@app.command()
def unmute(context: typer.Context, person: Person) -> None:
    """Let a person talk again."""
    from theriac.server.admin import people as admin

    work(context, lambda store, by: admin.unmute(store, by, person))


@app.command()
def ban(
    context: typer.Context, person: PersonOrNone = "", address: Address = "", hours: Hours = None
) -> None:
    """Refuse a person's key, or everybody at an address, and close their sockets."""
    from theriac.server.admin import addresses
    from theriac.server.admin import people as admin

    _check_one(person, address)
    if person:
        work(context, lambda store, by: admin.ban(store, by, person, hours))
        return
    network = work(context, lambda store, by: addresses.ban_address(store, by, address, hours))
    out.print(f"banned {network}")


@app.command()
def unban(context: typer.Context, person: PersonOrNone = "", address: Address = "") -> None:
    """Accept a person's key, or an address, again."""
    from theriac.server.admin import addresses
    from theriac.server.admin import people as admin

    _check_one(person, address)
    if person:
        work(context, lambda store, by: admin.unban(store, by, person))
        return
    network = work(context, lambda store, by: addresses.unban_address(store, by, address))
    out.print(f"lifted the ban of {network}")


def _check_one(person: str, address: str) -> None:
    if bool(person) == bool(address):
        raise Fault("give the id of a person, or --address: one of them")


@app.command()
def bans(context: typer.Context, json: Json = False) -> None:
    """List the addresses that are banned. The list of people shows their bans."""
    from theriac.server.admin.addresses import list_address_bans

    show(work(context, lambda store, by: list_address_bans(store)), json)


@app.command()
def kick(
    context: typer.Context,
    person: Person,
    table: Annotated[
        str, typer.Option(help="Only from this table.", show_default="all", callback=printable)
    ] = "",
) -> None:
    """Remove a person from their seats; bots play on where a game is in play."""
    from theriac.server.admin.tables import kick as remove

    removed = work(context, lambda store, by: remove(store, by, person, table or None))
    out.print(f"removed from {len(removed)} tables")


@app.command("close-table")
def close_table(context: typer.Context, table: TableName) -> None:
    """Close a table for good; its finished games stay."""
    from theriac.server.admin import tables as admin

    work(context, lambda store, by: admin.close_table(store, by, table))


@app.command("delete-table")
def delete_table(context: typer.Context, table: TableName) -> None:
    """Delete a table with its log and its games."""
    from theriac.server.admin import tables as admin

    work(context, lambda store, by: admin.delete_table(store, by, table))


@app.command()
def announce(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What to say.", show_default=False)],
) -> None:
    """Say something to everybody who is connected."""
    from theriac.server.admin import tables as admin

    work(context, lambda store, by: admin.announce(store, by, text))


@app.command("export-person")
def export_person(context: typer.Context, person: Person) -> None:
    """Print everything that is stored about a person, as JSON."""
    from theriac.server.admin import erase

    print_json(work(context, lambda store, by: erase.export_person(store, by, person)))


@app.command("delete-person")
def delete_person(context: typer.Context, person: Person) -> None:
    """Delete a person. Records of games stay, with the name "deleted"."""
    from theriac.server.admin import erase

    changed = work(context, lambda store, by: erase.delete_person(store, by, person))
    out.print(f"deleted, from {changed} tables too")


@app.command("renew-key")
def renew_key(context: typer.Context, person: Person) -> None:
    """Print a new key for a person; the old one is refused from now on."""
    from theriac.server.admin import people as admin

    key = work(context, lambda store, by: admin.renew_key(store, by, person))
    out.print(str(key), soft_wrap=True)


@app.command("revoke-key")
def revoke_key(context: typer.Context, person: Person) -> None:
    """Refuse a person's key, until you renew it."""
    from theriac.server.admin import people as admin

    work(context, lambda store, by: admin.revoke_key(store, by, person))


@app.command()
def reports(
    context: typer.Context,
    closed: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False,
    json: Json = False,
) -> None:
    """List what players have reported, with copies of what they saw (--json shows them whole)."""
    from theriac.server.admin.reports import list_reports

    show(work(context, lambda store, by: list_reports(store, closed=closed)), json)


@app.command("close-report")
def close_report(
    context: typer.Context,
    number: Annotated[
        int,
        typer.Argument(help="The number of a report.", show_default=False, min=1, max=2**31 - 1),
    ],
) -> None:
    """Note that a report is dealt with, and delete its copy."""
    from theriac.server.admin import reports as admin

    work(context, lambda store, by: admin.close_report(store, by, number))


@app.command()
def audit(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="How many.", min=1, max=1_000_000)] = 100,
    json: Json = False,
) -> None:
    """List what operators have done: when, who, what."""
    from theriac.server.admin.actions import read_actions

    show(work(context, lambda store, by: read_actions(store, limit=limit)), json)


@app.command()
def prune(
    context: typer.Context,
    keep_tables: Days = None,
    keep_chat: Days = None,
    keep_people: Days = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be deleted.")
    ] = False,
) -> None:
    """Delete tables without a game in play, chat and people that are older than some days."""
    from theriac.server.admin import retention

    keep = retention.Retention(keep_tables, keep_chat, keep_people)
    pruned = work(context, lambda store, by: retention.prune(store, by, keep, dry_run=dry_run))
    verb = "would delete" if dry_run else "deleted"
    out.print(f"{verb} {pruned.tables} tables, {pruned.chat} messages, {pruned.people} people")


@app.command()
def schema(
    context: typer.Context,
    revision: Annotated[str, typer.Argument(help="Such as 0001.", show_default=False)],
) -> None:
    """Bring the schema back to an older revision, for an older Theriac. Stop the servers first."""
    from theriac.server.store.lock import locked
    from theriac.server.store.migrate import downgrade

    chosen: Chosen = context.obj
    with locked(chosen.url):
        asyncio.run(downgrade(chosen.url, revision, chosen.by))
    out.print(f"revision {revision}")
