"""Addresses that requests come from, and the proxies that may say so for others."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from theriac.faults import Fault, quote

#: The bits of an IPv6 address that one home or company gets; all its addresses count as one.
_IPV6_PREFIX_BITS = 64
#: Headers that a proxy adds.
_PROXY_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-real-ip")


def address_key(host: str) -> str:
    """The address by which limits are kept.

    >>> address_key("192.0.2.7"), address_key("2001:db8::7"), address_key("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]  # a proxy may forward anything
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _IPV6_PREFIX_BITS), strict=False))


def address_of(scope: Mapping[str, Any]) -> str:
    """The address that a request or a socket comes from, by its ASGI scope."""
    client = scope.get("client")
    return address_key(client[0]) if client else "unknown"


def is_direct_and_local(scope: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """Does a request come from a program on this machine that is not a proxy?"""
    client = scope.get("client")
    if client is None or any(name in headers for name in _PROXY_HEADERS):
        return False
    try:
        return ipaddress.ip_address(address_key(client[0])).is_loopback
    except ValueError:  # the prefix of an IPv6 address
        return bool(client[0] == "::1")


class Proxies:
    """The proxies that are trusted to say where a request comes from; raises `Fault`.

    >>> "10.0.0.7" in Proxies("127.0.0.1, 10.0.0.0/8"), "::1" in Proxies("")
    (True, False)
    """

    def __init__(self, text: str) -> None:
        self.names = [part for each in text.split(",") if (part := each.strip())]
        self._everybody = "*" in self.names
        self._networks = [_network(name) for name in self.names if name != "*"]

    def __contains__(self, host: str) -> bool:
        if self._everybody or not self._networks:
            return self._everybody
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _network(name: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(name)
    except ValueError:
        raise Fault(
            f"--trusted-proxies: {quote(name)} is no address: give addresses or networks with "
            "commas between them, such as 127.0.0.1,10.0.0.0/8"
        ) from None
