"""No test reaches beyond this computer: the interpreter itself refuses, whatever library asks."""

import ipaddress
import sys

_NAMES = frozenset({None, "", "localhost"})


def forbid_the_network() -> None:
    """Refuse for the rest of this program; an audit hook cannot be taken back."""
    sys.addaudithook(_refuse)


def is_local(host: object) -> bool:
    """Whether a host, as given to the socket functions, is this computer."""
    name = host.decode() if isinstance(host, bytes) else host
    if name in _NAMES:
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    """Not an OSError: code under test would take that for an ordinary failed connection."""
    match event, arguments:
        case ("socket.connect" | "socket.sendto", (_, (host, *_))) | ("socket.getaddrinfo", (host, *_)):
            if not is_local(host):
                raise RuntimeError(f"tests reach this computer only, not {host!r}")
