"""The addresses of databases and of Redis: taken only where every part of them is understood.

What a driver ignores or stumbles over much later is refused here. No refusal repeats the address: where a
password's special characters stand as they are, nobody knows where it ends.
"""

import re
from collections.abc import Mapping
from urllib.parse import SplitResult, parse_qsl, urlsplit

CLUSTER = "+cluster"
"""After the scheme of an address of Redis."""

_DATABASE_SCHEMES = {
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
}
_REDIS_SCHEMES = ("redis", "rediss", "redis+cluster", "rediss+cluster", "unix")

_DATABASE_FORM = (
    "must look like postgresql+asyncpg://user:password@host:5432/yamb or sqlite+aiosqlite:///path/yamb.db"
)
_REDIS_FORM = (
    "must look like redis://:password@host:6379/0 or redis+cluster://:password@host-1:6379,host-2:6379"
)
_ESCAPING = "what is special in the password is written as %XX, such as %40 for @ and %2F for /"

# The values of each parameter that has a meaning here, as a pattern.
_SSL = "disable|allow|prefer|require|verify-ca|verify-full"
_POSTGRES_PARAMETERS = {"ssl": _SSL, "sslmode": _SSL, "host": "/.+"}
_REDIS_PARAMETERS = {
    "ssl_ca_certs": ".+",
    "ssl_certfile": ".+",
    "ssl_keyfile": ".+",
    "ssl_cert_reqs": "none|optional|required",
}
_UNIX_PARAMETERS = {"db": "[0-9]+"}

_AUTHORITY = re.compile(
    r"(?:[^@]*@)?(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?)?(?::[0-9]*)?"
)
_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NAME = re.compile("[a-z_]{1,40}")


def read_database_url(url: str) -> str:
    """The address as SQLAlchemy wants it, with the drivers of this program. Raises ValueError."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in _DATABASE_SCHEMES:
        raise ValueError(_DATABASE_FORM)
    known = f"{_DATABASE_SCHEMES[scheme]}://{rest}"
    if known.startswith("sqlite"):
        _check_file(rest)
        return known
    parts = _split(known, _DATABASE_FORM)
    given = _check_parameters(parts, _POSTGRES_PARAMETERS)
    if not re.fullmatch("/[^/]+", parts.path) or not (parts.hostname or "host" in given):
        raise ValueError(f"{_DATABASE_FORM}, with a host and the name of a database; {_ESCAPING}")
    return re.sub(r"(?<=[?&])sslmode=", "ssl=", known)


def read_redis_url(url: str) -> str:
    """The address as it is. A cluster's may name several hosts, with commas. Raises ValueError."""
    for each in cluster_hosts(url) if CLUSTER in url.partition("://")[0] else (url,):
        _check_redis(each)
    return url


def cluster_hosts(url: str) -> tuple[str, ...]:
    """One address for each host of a cluster that is named in an address."""
    scheme, separator, rest = url.partition("://")
    authority = re.split("[/?]", rest, maxsplit=1)[0]
    user, at, hosts = authority.rpartition("@")
    after = rest[len(authority) :]
    return tuple(f"{scheme}{separator}{user}{at}{host}{after}" for host in hosts.split(","))


def _check_redis(url: str) -> None:
    if urlsplit(url.partition("://")[0] + "://").scheme not in _REDIS_SCHEMES or "://" not in url:
        raise ValueError(f"{_REDIS_FORM}; {_ESCAPING}")
    parts = _split(url, _REDIS_FORM)
    if parts.scheme == "unix":
        is_place, parameters = len(parts.path) > 1, _UNIX_PARAMETERS
    else:
        # Databases have numbers: what is none would silently be database 0. A cluster has that one alone.
        database = "/?|/0" if parts.scheme.endswith(CLUSTER) else "/?|/[0-9]+"
        is_place = re.fullmatch(database, parts.path) is not None and bool(parts.hostname)
        parameters = _REDIS_PARAMETERS if parts.scheme.startswith("rediss") else {}
    if not is_place:
        raise ValueError(f"{_REDIS_FORM}; {_ESCAPING}")
    _check_parameters(parts, parameters)


def _check_file(rest: str) -> None:
    if not rest.startswith("/") or not rest.strip("/"):
        raise ValueError(_DATABASE_FORM)
    if ":memory:" in rest:
        raise ValueError("must be a file: a database in memory is gone before the server has started")
    if "?" in rest:
        raise ValueError("must be a file, without a question mark: SQLite takes no parameters here")


def _split(url: str, form: str) -> SplitResult:
    """The parts of an address with one clear reading."""
    try:
        parts = urlsplit(url)
        is_clear = parts.port != 0 and _AUTHORITY.fullmatch(parts.netloc) is not None
    except ValueError:
        raise ValueError(f"{form}; {_ESCAPING}") from None
    is_clear = is_clear and "@" not in parts.path + parts.query and "#" not in url
    if not is_clear or not url.isprintable() or " " in url or _WRONG_ESCAPE.search(url):
        raise ValueError(f"{form}; {_ESCAPING}")
    return parts


def _check_parameters(parts: SplitResult, known: Mapping[str, str]) -> dict[str, str]:
    """The parameters after the question mark, each once and with a value that it can have."""
    given = parse_qsl(parts.query, keep_blank_values=True)
    for name, value in given:
        if name not in known:
            shown = f"the parameter {name}" if _NAME.fullmatch(name) else "a parameter"
            raise ValueError(f"has {shown} that means nothing here; known are: {', '.join(known) or 'none'}")
        if not re.fullmatch(known[name], value):
            raise ValueError(f"has a wrong {name}: {_said(known[name])}")
    if len(dict(given)) < len(given):
        raise ValueError("has a parameter twice")
    return dict(given)


def _said(pattern: str) -> str:
    """What a value can be, in words."""
    words = {"/.+": "it is the folder of a socket and begins with /", "[0-9]+": "it is a number"}
    return words.get(pattern) or (
        "it is empty" if pattern == ".+" else f"it is one of {pattern.replace('|', ', ')}"
    )
