"""The law of URL: no text that passes leads to an address that is not public.

Read by the URL standard of WHATWG (pydantic's parser, https://docs.rs/url), by `urlsplit` and,
where the host is an address, by `ipaddress` and by the C library's `inet_aton`.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

import pytest
from hypothesis import example, settings
from hypothesis import given as drawn
from hypothesis import strategies as st
from pydantic_core import Url

from safe.helpers import may_be
from toolbridge import safe

ANY: Final = safe.URL(schemes=("https", "http"), ports=tuple(range(1, 65536)))

STARTS: Final = ("https://", "http://", "https:/", "//", "https:\\", "HTTPS://")
MARKS: Final = ("/", "\\", "@", ":", "?", "#", ".", "%", "%2e", "%31", "[", "]", ":80", "\t", "\n")
NUMBERS: Final = ("0", "1", "10", "127", "256", "0x7f", "0x", "0177", "2130706433", "127.0.0.1")
QUADS: Final = ("::1", "::", "::ffff:", "2002:", "64:ff9b::", "8.8.8.8", "169.254.169.254")
NAMES: Final = ("localhost", "internal", "example.com", "evil.com", "a", "com", "xn--", "\u2460")
PIECES: Final = st.sampled_from([*STARTS, *MARKS, *NUMBERS, *QUADS, *NAMES, "\uff11", "\u3002"])
TAILS: Final = st.one_of(st.text(), st.lists(PIECES, max_size=7).map("".join))
ENDS: Final = st.one_of(st.just(""), st.just("a@8.8.8.8"), TAILS)
LABELS: Final = st.one_of(
    st.sampled_from([*NUMBERS, *NAMES]),
    st.integers(0, 300).map(str),
    st.from_regex(r"(0x)?[0-9a-z_-]{1,4}", fullmatch=True),
)
HOSTS: Final = st.one_of(
    st.lists(LABELS, min_size=1, max_size=5).map(".".join),
    st.lists(st.from_regex(r"[0-9a-f]{0,4}", fullmatch=True), max_size=9).map(
        lambda made: f"[{':'.join(made)}]"
    ),
)
WRITTEN: Final = st.one_of(
    TAILS,
    st.builds("https://{}".format, TAILS),
    st.builds("http://{}{}{}".format, HOSTS, st.sampled_from(("", "/", "?", "#", ":80/")), ENDS),
)


def inner(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address, or one that it holds, is not global by Python's own tables."""
    held = [address]
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo or ()
        found = (address.ipv4_mapped, address.sixtofour, *teredo)
        held += [each for each in found if each is not None]
    return not all(each.is_global and not each.is_multicast for each in held)


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is, by `ipaddress` or by the C library; None for a name."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeError):
        return None


def standard_host(url: str) -> str | None:
    """The host by the URL standard; None for a URL that it refuses, such as of `xn--.com`."""
    try:
        read = Url(url)
    except ValueError:
        return None
    assert read.username is None and read.password is None
    return (read.host or "").strip("[]")


@settings(deadline=None)
@drawn(value=WRITTEN)
@example(value="https://8.8.8.8?@127.0.0.1/")
@example(value="https://127.0.0.1#@8.8.8.8/")
def test_whatever_is_written_leads_to_a_public_host(value: str) -> None:
    taken = may_be(ANY, value)
    if taken is None:
        return
    assert ANY.check(taken) == taken
    split = urlsplit(taken)
    host = split.hostname or ""
    assert host and split.username is None and split.password is None
    assert standard_host(taken) in (host, None), "parsers agree on the host"
    address = address_of(host)
    assert address is None or not inner(address)
    assert host != "localhost" and not host.endswith((".localhost", ".internal"))


def spellings(address: ipaddress.IPv4Address) -> list[str]:
    """An IPv4 address as it can be written."""
    number, parts = int(address), address.packed
    pair = f"{parts[0]:x}{parts[1]:02x}:{parts[2]:x}{parts[3]:02x}"
    return [
        str(address),
        f"{address}.",
        str(number),
        hex(number),
        hex(number).upper(),
        f"0{number:o}",
        ".".join(f"0{part:o}" for part in parts),
        ".".join(map(hex, parts)),
        f"{parts[0]}.{number & 0xFFFFFF}",
        f"{parts[0]}.{parts[1]}.{number & 0xFFFF}",
        "".join(chr(0xFF10 + int(each)) if each.isdigit() else each for each in str(address)),
        "".join(f"%{ord(each):02x}" for each in str(address)),
        f"[::ffff:{address}]",
        f"[::{address}]",
        f"[64:ff9b::{address}]",
        f"[2002:{pair}::]",
        f"[2001:0:{pair}::1]",
    ]


THIS_AND_LOCAL: Final = ("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10")
PRIVATE: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")
REST: Final = ("192.0.2.0/24", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4")
INNER: Final = st.one_of(
    *(st.ip_addresses(v=4, network=each) for each in (*THIS_AND_LOCAL, *PRIVATE, *REST))
)


@settings(deadline=None)
@drawn(address=INNER)
def test_an_inner_address_is_refused_in_each_spelling(address: ipaddress.IPv4Address) -> None:
    for written in spellings(address):
        with pytest.raises(ValueError):
            ANY.check(f"http://{written}/")


@settings(deadline=None)
@drawn(address=st.ip_addresses())
def test_an_address_that_passes_is_global_to_python_too(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)
    if may_be(ANY, f"http://{host}/") is not None:
        assert not inner(address)
