"""URL against known attacks on servers that fetch what they are told (SSRF, CWE-918).

Attacks after
https://github.com/swisskyrepo/PayloadsAllTheThings/tree/master/Server%20Side%20Request%20Forgery,
https://portswigger.net/web-security/ssrf/url-validation-bypass-cheat-sheet, and the tests of the
URL standard (https://github.com/web-platform-tests/wpt/blob/master/url/resources/urltestdata.json).
"""

from __future__ import annotations

from typing import Any, Final

import pytest

import toolbridge as tb
from safe.helpers import fits, given, offered, refusal
from toolbridge import safe

ANY: Final = safe.URL(schemes=("https", "http"), ports=(80, 443, 8080))
"""As wide as the type can be: what it refuses, each refuses."""

NO_ADDRESS: Final = "no public address"
NO_HOST: Final = "no public host"
ODD: Final = "an odd spelling"

ATTACKS: Final[tuple[tuple[Any, str], ...]] = (
    # the own machine, plainly
    ("http://127.0.0.1/", NO_ADDRESS),
    ("http://127.127.127.127/", NO_ADDRESS),
    ("http://0.0.0.0/", NO_ADDRESS),  # reaches the own machine on Linux
    ("http://[::1]/", NO_ADDRESS),
    ("http://[::]:80/", NO_ADDRESS),
    ("http://[0000:0000::0001]/", NO_ADDRESS),
    ("http://localhost/", NO_HOST),
    ("http://LOCALHOST/", NO_HOST),
    ("http://admin.localhost/", NO_HOST),
    ("http://localhost.localdomain/", NO_HOST),
    ("http://ip6-localhost/", NO_HOST),
    # private networks and the rest of IANA's registries
    ("http://10.0.0.1/", NO_ADDRESS),
    ("http://172.16.0.1/", NO_ADDRESS),
    ("http://172.31.255.255/", NO_ADDRESS),
    ("http://192.168.1.1/", NO_ADDRESS),
    ("http://100.64.0.1/", NO_ADDRESS),
    ("http://198.18.0.1/", NO_ADDRESS),
    ("http://192.0.2.1/", NO_ADDRESS),
    ("http://224.0.0.1/", NO_ADDRESS),
    ("http://255.255.255.255/", NO_ADDRESS),
    ("http://[fe80::1]/", NO_ADDRESS),
    ("http://[fc00::1]/", NO_ADDRESS),
    ("http://[fec0::1]/", NO_ADDRESS),
    ("http://[ff02::1]/", NO_ADDRESS),
    ("http://[2001:db8::1]/", NO_ADDRESS),
    ("http://[3fff::1]/", NO_ADDRESS),
    # metadata of clouds
    ("http://169.254.169.254/latest/meta-data/", NO_ADDRESS),
    ("http://169.254.170.2/v2/credentials/", NO_ADDRESS),
    ("http://[fd00:ec2::254]/latest/meta-data/", NO_ADDRESS),
    ("http://[fd20:ce::254]/computeMetadata/v1/", NO_ADDRESS),
    ("http://metadata.google.internal/computeMetadata/v1/", NO_HOST),
    ("http://metadata/computeMetadata/v1/", NO_HOST),
    ("http://metadata.goog/", NO_HOST),
    ("http://instance-data/latest/", NO_HOST),
    ("http://100.100.100.200/latest/meta-data/", NO_ADDRESS),
    ("http://192.0.0.192/latest/", NO_ADDRESS),
    ("http://168.63.129.16/machine", NO_ADDRESS),
    # names of one's own network
    ("http://intranet/", NO_HOST),
    ("http://db.internal/", NO_HOST),
    ("http://printer.local/", NO_HOST),
    ("http://kubernetes.default.svc/", NO_HOST),
    ("http://kubernetes.default.svc.cluster.local/", NO_HOST),
    ("http://wiki.corp/", NO_HOST),
    ("http://router.home.arpa/", NO_HOST),
    # other spellings of IPv4
    ("http://2130706433/", ODD),
    ("http://3232235777/", ODD),
    ("http://2852039166/", ODD),
    ("http://4294967296/", ODD),
    ("http://017700000001/", ODD),
    ("http://0177.0.0.1/", ODD),
    ("http://0177.0000.0000.01/", ODD),
    ("http://0x7f.0.0.1/", ODD),
    ("http://0x7f.1/", ODD),
    ("http://0x7f000001/", ODD),
    ("http://0X7F.0X1/", ODD),
    ("http://0xA9FEA9FE/", ODD),
    ("http://0x/", ODD),
    ("http://127.1/", ODD),
    ("http://127.0.1/", ODD),
    ("http://0/", ODD),
    ("http://010.8.8.8/", ODD),  # 8.8.8.8 to some, 10.8.8.8 to others
    ("http://127.0.0.1./", ODD),
    ("http://0o177.0.0.1/", ODD),
    ("http://q177.0.0.1/", ODD),
    ("http://256.256.256.256/", ODD),
    ("http://1.2.3.4.5/", ODD),
    ("http://425.510.425.510/", ODD),  # overflows to 169.254.169.254
    ("http://foo.0x4/", ODD),
    # IPv6 that holds IPv4
    ("http://[::ffff:127.0.0.1]/", NO_ADDRESS),
    ("http://[::ffff:7f00:1]/", NO_ADDRESS),
    ("http://[0:0:0:0:0:ffff:a9fe:a9fe]/", NO_ADDRESS),
    ("http://[::127.0.0.1]/", NO_ADDRESS),
    ("http://[::ffff:0:127.0.0.1]/", NO_ADDRESS),
    ("http://[2002:7f00:1::]/", NO_ADDRESS),
    ("http://[64:ff9b::169.254.169.254]/", NO_ADDRESS),
    ("http://[64:ff9b:1::a00:1]/", NO_ADDRESS),
    ("http://[2001:0:a9fe:a9fe::1]/", NO_ADDRESS),
    ("http://[2600::5efe:127.0.0.1]/", NO_ADDRESS),
    # brackets and zones
    ("http://[fe80::1%eth0]/", "without two digits"),
    ("http://[::1%25lo]/", "no IPv6 address"),
    ("http://[::1]evil.com/", "no proper host"),
    ("http://[::1/", "no proper host"),
    ("http://::1/", "no proper host"),
    ("http://0000::1:80/", "no proper host"),
    ("http://[127.0.0.1]/", "no IPv6 address"),
    ("http://[v1.a]/", "no IPv6 address"),
    # letters and digits of other kinds, which IDNA folds
    ("http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/", "beyond ASCII"),
    ("http://\uff11\uff12\uff17.0.0.1/", "beyond ASCII"),
    ("http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/", "beyond ASCII"),
    ("http://127\u30020\uff0e0\uff611/", "beyond ASCII"),
    ("http://loc\u00adalhost/", "U+00AD"),
    ("http://good.com\uff0f.evil.com/", "beyond ASCII"),
    ("http://evil.c\u2100.good.com/", "beyond ASCII"),  # CVE-2019-9636
    ("http://\u043erange.com/", "beyond ASCII"),  # Cyrillic o
    # escapes in the host
    ("http://%31%32%37.0.0.1/", "an escape"),
    ("http://127.0.0.1%2f.good.com/", "an escape"),
    ("http://good.com%00.evil.com/", "an escape"),
    ("http://loc%61lhost/", "an escape"),
    ("http://%EF%BC%91/", "an escape"),
    # users and passwords
    ("https://user:password@example.com/", "a user"),
    ("https://good.com@evil.com/", "a user"),
    ("https://good.com:80@evil.com/", "a user"),
    ("https://@example.com/", "a user"),
    ("http://1.1.1.1 &@2.2.2.2# @3.3.3.3/", "a space"),
    ("https://good.com\\@evil.com/", "a backslash"),
    ("https://good.com\\.evil.com/", "a backslash"),
    ("https:\\\\evil.com/", "a backslash"),
    ("http://127.1.1.1:80\\@127.2.2.2:80/", "a backslash"),
    # what browsers drop
    ("https://exa\tmple.com/", "U+0009"),
    ("https://example.com/\r\nHost: evil", "U+000D"),  # CVE-2019-9740
    ("java\nscript:alert(1)", "U+000A"),
    ("\x00https://example.com/", "U+0000"),  # CVE-2023-24329
    (" https://example.com/", "a space"),
    ("https://example.com/\u3000", "a space"),
    ("https://example.com/\u200b", "U+200B"),
    # no scheme, no host, other schemes
    ("//evil.com/", "its scheme"),
    ("evil.com", "its scheme"),
    ("/etc/passwd", "its scheme"),
    ("https:/evil.com/", "its scheme"),
    ("https:evil.com", "its scheme"),
    ("https:///evil.com/", "no host"),
    ("https://", "no host"),
    ("https://?evil.com", "no host"),
    ("https://:443/", "no proper host"),
    ("file:///etc/passwd", "the scheme"),
    ("gopher://127.0.0.1:6379/_SAVE", "the scheme"),
    ("dict://127.0.0.1:11211/stat", "the scheme"),
    ("ldap://localhost/", "the scheme"),
    ("jar:http://127.0.0.1!/", "its scheme"),
    ("javascript:alert(1)", "its scheme"),
    ("data:text/html,x", "its scheme"),
    ("url:http://example.com/", "its scheme"),
    ("view-source:https://example.com/", "its scheme"),
    ("0://evil.com:80;http://good.com:80/", "its scheme"),
    ("https+x://example.com/", "the scheme"),
    # names that are none
    ("https://example.com./", "no name of a host"),
    ("https://.example.com/", "no name of a host"),
    ("https://a..example.com/", "no name of a host"),
    ("https://-a.example.com/", "no name of a host"),
    ("https://exa$mple.com/", "no name of a host"),
    ("https://evil$google.com", "no name of a host"),
    ("https://good.com;evil.com/", "no name of a host"),
    ("https://good.com,evil.com/", "no name of a host"),
    (f"https://{'a' * 64}.com/", "no name of a host"),
    (f"https://{'a.' * 130}com/", "no name of a host"),
    # ports
    ("https://example.com:22/", "the port"),
    ("https://example.com:0/", "no proper host"),
    ("https://example.com:65536/", "no proper host"),
    ("https://example.com:4294967739/", "no proper host"),  # overflows to 443
    ("https://example.com:/", "no proper host"),
    ("https://example.com:+443/", "no proper host"),
    ("https://example.com:443:80/", "no proper host"),
    ("https://example.com:\uff14\uff14\uff13/", "no proper host"),
    # escapes that are none, length, no text
    ("https://example.com/%zz", "without two digits"),
    ("https://example.com/%", "without two digits"),
    (f"https://example.com/{'a' * 2048}", "longer than 2048"),
    ("", "is empty"),
    (None, "must be a text"),
    (["https://example.com/"], "must be a text"),
)

GOOD: Final = (
    ("https://example.com", "https://example.com/"),
    ("https://example.com/", "https://example.com/"),
    ("HTTPS://EXAMPLE.COM/A", "https://example.com/A"),
    ("https://example.com:443/", "https://example.com/"),
    ("http://example.com:8080/a", "http://example.com:8080/a"),
    ("https://example.com:0443/", "https://example.com/"),
    ("https://example.com?q=a@b", "https://example.com/?q=a@b"),
    ("https://example.com#@evil.com/", "https://example.com/#@evil.com/"),
    ("https://example.com/a%20b?c=%0A#d", "https://example.com/a%20b?c=%0A#d"),
    ("https://example.com/?u=https://a.b/c", "https://example.com/?u=https://a.b/c"),
    ("https://example.com/?q={a|b}", "https://example.com/?q=%7Ba%7Cb%7D"),
    ("https://ko.example.org/한국", "https://ko.example.org/%ED%95%9C%EA%B5%AD"),
    ("https://xn--3e0b707e.xn--3e0b707e/", "https://xn--3e0b707e.xn--3e0b707e/"),
    ("https://a_b.example.com/", "https://a_b.example.com/"),
    ("https://3com.com/", "https://3com.com/"),
    ("https://1.2.3.4a.com/", "https://1.2.3.4a.com/"),
    ("https://8.8.8.8/", "https://8.8.8.8/"),
    ("https://172.32.0.1/", "https://172.32.0.1/"),
    ("https://[2606:4700:0:0::1111]/", "https://[2606:4700::1111]/"),
)


@pytest.mark.parametrize(("value", "why"), ATTACKS, ids=lambda each: ascii(each)[:50])
def test_an_attack_is_refused(value: Any, why: str) -> None:
    words = refusal(ANY, value)
    assert why in words
    assert words.endswith("Give a URL such as https://example.com/page")


@pytest.mark.parametrize(("value", "taken"), GOOD)
def test_a_good_url_is_given_in_one_spelling(value: str, taken: str) -> None:
    """Given again it stays the same, and it fits the schema."""
    assert given(ANY, value) == taken
    assert given(ANY, taken) == taken
    assert fits(ANY, taken)


LISTED: Final = safe.URL(hosts=("api.example.com", "*.example.org", "8.8.8.8", "vault.internal"))


@pytest.mark.parametrize(
    "host",
    (
        "example.com",
        "evil-api.example.com",
        "api.example.com.evil.com",
        "a.api.example.com",
        "example.org",
        "evilexample.org",
        "example.org.evil.com",
        "8.8.4.4",
        "other.internal",
    ),
)
def test_a_host_that_is_not_listed_is_refused(host: str) -> None:
    """A part of a listed name, a longer one, the domain of a wildcard itself."""
    assert "the host must be api.example.com or *.example.org" in refusal(
        LISTED, f"https://{host}/"
    )


@pytest.mark.parametrize(
    "host", ["api.example.com", "a.example.org", "a.b.example.org", "8.8.8.8", "vault.internal"]
)
def test_a_listed_host_passes(host: str) -> None:
    assert given(LISTED, f"https://{host.upper()}/") == f"https://{host}/"


def test_metadata_is_refused_below_a_listed_domain() -> None:
    kind = safe.URL(hosts=("*.google.internal",), schemes=("http",))
    assert NO_HOST in refusal(kind, "http://metadata.google.internal/")


def test_ports_and_schemes_are_the_listed_ones_alone() -> None:
    kind = safe.URL(ports=(8443,))
    assert "must be 8443" in refusal(kind, "https://example.com/")
    assert given(kind, kind.example()) == "https://example.com:8443/page"
    assert "must be 443" in refusal(safe.URL(), "https://example.com:8443/")
    assert "must be https" in refusal(safe.URL(), "http://example.com/")


def test_the_schema_tells_the_limits() -> None:
    kind = safe.URL(hosts=("*.example.org",), ports=(443, 8443), description="The page to fetch")
    assert offered(kind) == {
        "type": "string",
        "format": "uri",
        "description": "The page to fetch. An absolute URL with the scheme https, the host "
        "*.example.org, the port 443 or 8443: no user or password, no private or local address.",
        "pattern": "^(https)://",
        "maxLength": 2048,
        "examples": ["https://www.example.org/page"],
    }
    assert not fits(kind, "file:///etc/passwd")
    assert "a public host" in offered(safe.URL())["description"]


@pytest.mark.parametrize(
    "options",
    [
        {"schemes": "https"},
        {"schemes": ()},
        {"schemes": ("file",)},
        {"schemes": ("javascript",)},
        {"hosts": "example.com"},
        {"hosts": ()},
        {"hosts": ("*",)},
        {"hosts": ("*.com",)},
        {"hosts": ("*.8.8.8.8",)},
        {"hosts": ("https://example.com",)},
        {"hosts": ("example.com:443",)},
        {"hosts": ("localhost",)},
        {"hosts": ("127.0.0.1",)},
        {"hosts": ("한국.kr",)},
        {"ports": ()},
        {"ports": (0,)},
        {"ports": (65536,)},
    ],
)
def test_what_the_app_says_wrong_is_told_to_the_app(options: dict[str, Any]) -> None:
    with pytest.raises(tb.ToolDefinitionError, match="URL"):
        safe.URL(**options)
