"""Addresses that requests come from, the proxies that may say so for others, and networks."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from theriac.faults import Fault, quote

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

#: The bits of an IPv6 address that one home or company gets; all its addresses count as one.
_IPV6_PREFIX_BITS = 64
#: The bits before an IPv4 address that is written as an IPv6 address.
_IPV4_MAPPED_BITS = 96
#: The widest networks that can be banned, in bits of their prefix: wider ones are typing errors.
_WIDEST_BAN = {4: 8, 6: 16}
#: How the headers begin that a proxy adds: X-Forwarded-Host, CF-Connecting-IP, …
_PROXY_HEADERS = (
    "cf-",
    "fastly-client-ip",
    "forwarded",
    "true-client-ip",
    "via",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-envoy-",
    "x-forwarded",
    "x-original-",
    "x-real-ip",
)


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


class NetworkTags:
    """Tags by which tables of one network are known as such, and nothing else about it.

    They are made with a key that is only in the memory of this process, so nobody can find out the
    address that a stored tag is for.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def tag_of(self, scope: Mapping[str, Any]) -> str:
        """The tag for where a request comes from, by its ASGI scope."""
        address = address_of(scope).encode()
        return hashlib.blake2b(address, key=self._key, digest_size=12).hexdigest()


def key_network(key: str) -> Network | None:
    """The network that an `address_key` is for; None if it is no address."""
    try:
        return ipaddress.ip_network(key)
    except ValueError:
        return None


def network_to_ban(text: str) -> Network:
    """The network that an operator means by an address or a network; raises `Fault`.

    An IPv6 address counts with its /64, as everywhere.

    >>> for text in ("203.0.113.7", "203.0.113.7/24", "2001:db8::7", "::ffff:203.0.113.7"):
    ...     print(network_to_ban(text))
    203.0.113.7/32
    203.0.113.0/24
    2001:db8::/64
    203.0.113.7/32
    """
    try:
        network: Network = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise Fault(
            f"--address: {quote(text)} is no address: "
            "give one such as 203.0.113.7 or 2001:db8::7, or a network such as 203.0.113.0/24"
        ) from None
    if isinstance(network, ipaddress.IPv6Network):
        network = _as_counted(network)
    if network.prefixlen < _WIDEST_BAN[network.version]:
        raise Fault(
            f"--address: {network} has too many addresses: "
            f"ban a network of /{_WIDEST_BAN[network.version]} or smaller"
        )
    return network


def _as_counted(network: ipaddress.IPv6Network) -> Network:
    """An IPv6 network as `address_key` counts its addresses."""
    mapped = network.network_address.ipv4_mapped
    if mapped is not None and network.prefixlen >= _IPV4_MAPPED_BITS:
        return ipaddress.IPv4Network((mapped, network.prefixlen - _IPV4_MAPPED_BITS))
    if network.prefixlen <= _IPV6_PREFIX_BITS:
        return network
    return network.supernet(new_prefix=_IPV6_PREFIX_BITS)


def is_direct_and_local(scope: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """Does a request come from a program on this machine that is not a proxy?"""
    client = scope.get("client")
    if client is None or any(name.lower().startswith(_PROXY_HEADERS) for name in headers):
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


def _network(name: str) -> Network:
    try:
        return ipaddress.ip_network(name)
    except ValueError:
        raise Fault(
            f"--trusted-proxies: {quote(name)} is no address: give addresses or networks with "
            "commas between them, such as 127.0.0.1,10.0.0.0/8"
        ) from None


def host_of(origin: str | None) -> str | None:
    """The host and port of an origin; None if it is not an origin."""
    try:
        return urlsplit(origin or "").netloc or None
    except ValueError:
        return None
