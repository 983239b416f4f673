"""Bans of addresses and networks.

An address is personal data. Only the ban itself has it: the audit log has the id of the ban, and
the row of a ban is deleted when it is lifted or has ended.
"""

from __future__ import annotations

from ipaddress import ip_network
from typing import NamedTuple

from sqlalchemy import delete, insert, select

from theriac.faults import Fault
from theriac.server.addresses import Network, network_to_ban
from theriac.server.admin.people import until_after
from theriac.server.auth import new_id
from theriac.server.store import schema
from theriac.server.store.audit import action_row
from theriac.server.store.events import now_ms
from theriac.server.store.store import Store


class AddressBan(NamedTuple):
    """A ban of a network. Times are milliseconds since 1970."""

    ban: str
    network: str
    since: int
    until: int

    def covers(self, network: Network) -> bool:
        """Are all addresses of a network banned?"""
        own = ip_network(self.network)
        return own.version == network.version and network.subnet_of(own)  # type: ignore[arg-type]


async def ban_address(store: Store, by: str, address: str, hours: float | None = None) -> str:
    """Refuse an address or a network, for some hours or for ever; the network that is banned now.

    Raises `Fault`. A ban that the network has already is replaced.
    """
    network = str(network_to_ban(address))
    new = AddressBan(new_id(), network, now_ms(), until_after(hours))
    bans = schema.address_bans
    await store.write(
        delete(bans).where(bans.c.network == network),
        insert(bans).values(new._asdict()),
        action_row(by, "ban address", ban=new.ban, until=new.until),
    )
    return network


async def unban_address(store: Store, by: str, address: str) -> str:
    """Lift the ban of an address or a network; the network. Raises `Fault`."""
    network = network_to_ban(address)
    covering = [each for each in await list_address_bans(store) if each.covers(network)]
    lifted = next((each for each in covering if each.network == str(network)), None)
    if lifted is None:
        wider = f" by itself: lift the ban of {covering[0].network}" if covering else ""
        raise Fault(f"{network} is not banned{wider or ': theriac admin bans lists what is'}")
    bans = schema.address_bans
    await store.write(
        delete(bans).where(bans.c.ban == lifted.ban),
        action_row(by, "unban address", ban=lifted.ban),
    )
    return lifted.network


async def list_address_bans(store: Store) -> list[AddressBan]:
    """The bans that have not ended, oldest first."""
    bans = schema.address_bans
    query = select(bans).where(bans.c.until > now_ms()).order_by(bans.c.since, bans.c.network)
    return [
        AddressBan(row.ban, row.network, row.since, row.until) for row in await store.fetch(query)
    ]


async def delete_ended_bans(store: Store) -> None:
    """Forget the addresses whose bans have ended."""
    bans = schema.address_bans
    ended = bans.c.until <= now_ms()
    if await store.fetch(select(bans.c.ban).where(ended).limit(1)):
        await store.write(delete(bans).where(ended))
