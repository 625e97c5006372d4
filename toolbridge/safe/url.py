"""A URL of a public host: no other scheme, no host of one's own network, one spelling of it.

CWE-918 (https://cwe.mitre.org/data/definitions/918.html), RFC 3986, and the URL standard of WHATWG
(https://url.spec.whatwg.org), which differ; what they read differently is refused.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection
from typing import Any
from urllib.parse import quote

from toolbridge.safe.base import ArgumentType, misdefined, refuse
from toolbridge.safe.hosts import host_of, is_local, listed_host, matches
from toolbridge.safe.text import checked_text
from toolbridge.values import JSON

LONGEST = 2048

DEFAULT_PORTS = {"https": 443, "http": 80, "wss": 443, "ws": 80, "ftp": 21}
"""Schemes with a host, and their ports (https://url.spec.whatwg.org/#special-scheme)."""

PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)(.*)")
AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]+)(?::([0-9]{1,5}))?")
BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
KEPT = "/?#[]@!$&'()*+,;=:%-._~"
"""What RFC 3986 has in a path, a query and a fragment; the rest is written with %."""


@dataclasses.dataclass(frozen=True)
class URL(ArgumentType):
    """An absolute URL with a scheme, a host and a port that are allowed, and no credentials.

    `hosts`: names, `*.example.org` for all below a domain (not the domain itself), public IP
    addresses; None is any public host, without names of one's own network (`localhost`,
    `*.internal`, `*.local`, `*.corp`, names without a dot, ...), unless they are listed.
    `ports`: None is the default port of the scheme; else those alone. An IP address must be
    public and plainly written, whatever is listed; names beyond ASCII stand as `xn--`.

    `check` gives the URL in one spelling: scheme and host in lower case, no default port, what
    is beyond ASCII after the host written with %. Raises ToolDefinitionError for schemes without
    a host, and for hosts that are none.

    Where a name leads is not looked up, and redirects are not followed: the app must refuse
    addresses that are not public when it connects, and check each redirect.
    """

    schemes: Collection[str] = ("https",)
    hosts: Collection[str] | None = None
    ports: Collection[int] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.schemes, str) or not self.schemes:
            misdefined("URL", "schemes must be a tuple, such as ('https',)")
        if set(self.schemes) - DEFAULT_PORTS.keys():
            misdefined("URL", f"schemes must be of {', '.join(DEFAULT_PORTS)}: others name no host")
        object.__setattr__(self, "schemes", tuple(self.schemes))
        if self.hosts is not None:
            if isinstance(self.hosts, str) or not self.hosts:
                misdefined("URL", "hosts must be a tuple, such as ('api.example.com',)")
            object.__setattr__(self, "hosts", tuple(map(listed_host, self.hosts)))
        if self.ports is not None:
            if not self.ports or not all(0 < port < 65536 for port in self.ports):
                misdefined("URL", "ports must be a tuple of numbers from 1 to 65535")
            object.__setattr__(self, "ports", tuple(self.ports))

    def check(self, value: Any) -> str:
        """The URL in one spelling. Raises ValueError with words for the model."""
        mend = f"Give a URL such as {self.example()}"
        text = checked_text(value, "the URL", mend, LONGEST)
        check_written(text, mend)
        parts = PARTS.fullmatch(text)
        if parts is None:
            refuse("the URL must begin with its scheme and //", mend)
        scheme, authority, rest = parts[1].lower(), parts[2], parts[3]
        if scheme not in self.schemes:
            refuse(f"the scheme of the URL must be {' or '.join(self.schemes)}", mend)
        written, port = split_authority(authority, mend)
        host = host_of(written, mend)
        self.check_host(host, mend)
        default = DEFAULT_PORTS[scheme]
        self.check_port(port or default, default, mend)
        place = host if port in (None, default) else f"{host}:{port}"
        # without a slash, older parsers take `good.com?@evil.com` for a user and a host
        path = rest if rest.startswith("/") else f"/{rest}"
        return f"{scheme}://{place}{quote(path, safe=KEPT)}"

    def check_host(self, host: str, mend: str) -> None:
        """Raise where a host is not allowed."""
        if self.hosts is None:
            if is_local(host):
                refuse(f"{host} is no public host", mend)
        elif not any(matches(host, listed) for listed in self.hosts):
            refuse(f"the host must be {' or '.join(self.hosts)}", mend)

    def check_port(self, port: int, default: int, mend: str) -> None:
        """Raise where a port is not allowed."""
        allowed = (default,) if self.ports is None else self.ports
        if port not in allowed:
            refuse(f"the port of the URL must be {' or '.join(map(str, allowed))}", mend)

    def example(self) -> str:
        """A URL that passes."""
        scheme, *_ = self.schemes
        host = next(iter(self.hosts or ("example.com",))).replace("*.", "www.")
        usual = self.ports is None or DEFAULT_PORTS[scheme] in self.ports
        port = "" if usual else f":{next(iter(self.ports or ()))}"
        return f"{scheme}://{host}{port}/page"

    def limits(self) -> dict[str, JSON]:
        """A string of the format uri; the description tells hosts and ports."""
        hosts = "a public host" if self.hosts is None else f"the host {' or '.join(self.hosts)}"
        ports = "" if self.ports is None else f", the port {' or '.join(map(str, self.ports))}"
        return {
            "type": "string",
            "format": "uri",
            "description": f"An absolute URL with the scheme {' or '.join(self.schemes)}, "
            f"{hosts}{ports}: no user or password, no private or local address.",
            "pattern": f"^({'|'.join(self.schemes)})://",
            "maxLength": LONGEST,
            "examples": [self.example()],
        }


def check_written(text: str, mend: str) -> None:
    """Raise where a URL has characters that parsers read differently: browsers drop tabs and take
    a backslash for a slash (https://url.spec.whatwg.org/#concept-basic-url-parser)."""
    if any(character.isspace() for character in text):
        refuse("the URL has a space", f"Write it as %20. {mend}")
    if "\\" in text:
        refuse("the URL has a backslash", mend)
    if BAD_ESCAPE.search(text):
        refuse("the URL has a % without two digits of base 16 after it", f"Write it %25. {mend}")


def split_authority(authority: str, mend: str) -> tuple[str, int | None]:
    """The host as it is written, and the port. Raises ValueError."""
    if not authority:
        refuse("the URL has no host", mend)
    if "@" in authority:
        refuse("the URL has a user or a password before its host", f"Leave them out. {mend}")
    parts = AUTHORITY.fullmatch(authority)
    if parts is None or int(parts[2] or 1) not in range(1, 65536):
        refuse("the URL has no proper host and port", mend)
    return parts[1], None if parts[2] is None else int(parts[2])
