"""The host of a URL: one spelling of each, and none that leads into one's own network.

Hosts on which parsers differ are refused and not read: "A New Era of SSRF", Orange Tsai, 2017
(https://www.blackhat.com/docs/us-17/thursday/us-17-Tsai-A-New-Era-Of-SSRF-Exploiting-URL-Parser-In-Trending-Programming-Languages.pdf).
What WHATWG reads of the rest: https://url.spec.whatwg.org/#host-parsing.
"""

from __future__ import annotations

import ipaddress
import re

from toolbridge.safe.addresses import ends_in_a_number, is_public
from toolbridge.safe.base import misdefined, refuse

OWN_MACHINE = frozenset(
    {
        "localhost",
        "localhost.localdomain",
        "localhost6",
        "localhost6.localdomain6",
        "ip6-localhost",
        "ip6-loopback",
        "metadata",
        "metadata.goog",
        "metadata.google.internal",
        "instance-data",
        "instance-data.ec2.internal",
    }
)
"""The own machine, as /etc/hosts of Linux distributions names it, and the metadata of clouds
(https://cloud.google.com/compute/docs/metadata/querying-metadata,
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html)."""

LOCAL_DOMAINS = (
    "localhost",  # RFC 6761
    "test",  # RFC 6761
    "local",  # RFC 6762, and the clusters of Kubernetes
    "internal",  # https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en
    "home.arpa",  # RFC 8375
    *("intranet", "private", "corp", "home", "lan"),  # RFC 6762, appendix G
    "localdomain",  # /etc/hosts of Linux distributions
    "svc",  # services of a cluster, by the search path of its DNS:
    # https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/
)

LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
LONGEST = 253
"""Characters of a name without its last dot, of labels of at most 63 (RFC 1035, 2.3.4)."""


def host_of(written: str, mend: str) -> str:
    """A host in its one spelling: lower case, IPv6 compressed and in brackets. Raises ValueError
    for all that is no plain name and no public IP address."""
    if written.startswith("["):
        return ip_version_6(written, mend)
    if not written.isascii():
        refuse(
            "the host of the URL has characters beyond ASCII",
            f"Write it in its ASCII form, with xn--. {mend}",
        )
    host = written.lower()
    if "%" in host:
        refuse("the host of the URL has an escape with %", mend)
    if ends_in_a_number(host.rstrip(".")):
        return ip_version_4(host, mend)
    if len(host) > LONGEST or not all(map(LABEL.fullmatch, host.split("."))):
        refuse("the host of the URL is no name of a host", mend)
    if host in OWN_MACHINE or host.endswith(".localhost"):
        refuse(f"{host} is no public host", mend)
    return host


def ip_version_4(host: str, mend: str) -> str:
    """An IPv4 address of four decimal numbers. Others (2130706433, 0177.0.0.1, 0x7f.1, 127.1) are
    read by some programs and not by others."""
    try:
        address = ipaddress.IPv4Address(host)
    except ValueError:
        refuse("the host of the URL is an IP address in an odd spelling", mend)
    if not is_public(address):
        refuse(f"{address} is no public address", mend)
    return str(address)


def ip_version_6(written: str, mend: str) -> str:
    """An IPv6 address in brackets, without a zone (RFC 6874 would write it with %25)."""
    try:
        if not written.endswith("]") or "%" in written:
            raise ValueError
        address = ipaddress.IPv6Address(written[1:-1])
    except ValueError:
        refuse("the host of the URL is no IPv6 address without a zone", mend)
    if not is_public(address):
        refuse(f"{address} is no public address", mend)
    return f"[{address}]"


def is_local(host: str) -> bool:
    """Whether a name is one of one's own network: of a domain that is never public, or without
    a dot, so that the search path of the resolver completes it."""
    if host.startswith("[") or ends_in_a_number(host):
        return False
    return "." not in host or any(host.endswith(f".{domain}") for domain in LOCAL_DOMAINS)


def matches(host: str, listed: str) -> bool:
    """Whether a host is a listed one, or below `*.suffix`."""
    return host.endswith(listed[1:]) if listed.startswith("*.") else host == listed


def listed_host(written: str) -> str:
    """A host that the app lists, in its one spelling. Raises ToolDefinitionError."""
    wildcard = "*." if written.startswith("*.") else ""
    name = written.removeprefix("*.")
    try:
        host = host_of(name, "List names such as 'api.example.com' or '*.example.org'")
    except ValueError as error:
        misdefined("URL", f"the host {written!r}: {error}")
    if wildcard and ("." not in host or host.startswith("[") or ends_in_a_number(host)):
        misdefined("URL", f"the host {written!r} must be *. and a domain, such as *.example.org")
    return wildcard + host
