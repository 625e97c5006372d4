"""Which IP addresses are public: by the registries of IANA, the same on every Python.

https://www.iana.org/assignments/iana-ipv4-special-registry and
https://www.iana.org/assignments/iana-ipv6-special-registry. `ipaddress.is_global` follows them
too, each version of Python another state of theirs.
"""

from __future__ import annotations

import ipaddress
import re

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

NOT_PUBLIC_4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network: 0.0.0.0 reaches the own machine (RFC 791)
            "10.0.0.0/8",  # private (RFC 1918)
            "100.64.0.0/10",  # carriers (RFC 6598), metadata of Alibaba at 100.100.100.200
            "127.0.0.0/8",  # loopback (RFC 1122)
            "168.63.129.16/32",  # the platform of Azure, reached from its machines:
            # https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
            "169.254.0.0/16",  # link-local (RFC 3927), metadata of clouds at 169.254.169.254
            "172.16.0.0/12",  # private (RFC 1918)
            "192.0.0.0/24",  # protocols (RFC 6890), metadata of Oracle at 192.0.0.192
            "192.0.2.0/24",  # documentation (RFC 5737)
            "192.88.99.0/24",  # 6to4 relays (RFC 7526)
            "192.168.0.0/16",  # private (RFC 1918)
            "198.18.0.0/15",  # benchmarks (RFC 2544)
            "198.51.100.0/24",  # documentation (RFC 5737)
            "203.0.113.0/24",  # documentation (RFC 5737)
            "224.0.0.0/4",  # multicast (RFC 1112)
            "240.0.0.0/4",  # reserved (RFC 1112), broadcast (RFC 919)
        ),
    )
)

GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
"""All that IANA has given out (https://www.iana.org/assignments/ipv6-address-space). Outside are
loopback, unspecified, link-local, unique local (fd00:ec2::254, fd20:ce::254 are metadata) and
multicast, and the forms that hold an IPv4 address: mapped, compatible, translated, NAT64."""

NOT_PUBLIC_6 = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocols, Teredo among them, which holds an IPv4 address (RFC 4380)
            "2001:db8::/32",  # documentation (RFC 3849)
            "2002::/16",  # 6to4, which holds an IPv4 address (RFC 3056)
            "3fff::/20",  # documentation (RFC 9637)
        ),
    )
)

ISATAP = (0x00005EFE, 0x02005EFE)
"""The third quarter of an address that holds an IPv4 address in the last (RFC 5214)."""

NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def ends_in_a_number(host: str) -> bool:
    """Whether a host in lower case is an IPv4 address or nothing: WHATWG's ends-in-a-number
    checker (https://url.spec.whatwg.org/#ends-in-a-number-checker)."""
    return NUMBER.fullmatch(host.rpartition(".")[2]) is not None


def is_public(address: IPAddress) -> bool:
    """Whether an address is one of the public internet, and holds no other."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in NOT_PUBLIC_4)
    if int(address) >> 32 & 0xFFFFFFFF in ISATAP:
        return False
    return address in GLOBAL_UNICAST and not any(address in network for network in NOT_PUBLIC_6)
