"""Whether a server that couldn't be used is only away, so that waiting for it may help."""

import errno
import socket

# Of ConnectionError only these; of the bare class that drivers raise see below.
_AWAY = (
    ConnectionRefusedError,
    ConnectionResetError,
    ConnectionAbortedError,
    BrokenPipeError,
    TimeoutError,
    socket.gaierror,
)
_NO_WAY = (errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.ENETDOWN)


def is_away(error: OSError) -> bool:
    """Whether nothing answers at an address, or its host isn't known: that passes once the server is up.

    A file that isn't there, missing rights and failures of TLS don't pass by themselves.
    """
    # For a host with several addresses asyncio raises a bare OSError with the text of every failure.
    is_every_address = type(error) is OSError and error.errno is None
    # Bare too: the connection was closed before an answer, or the answer was that there is no TLS.
    is_cut_off = type(error) is ConnectionError and "SSL" not in str(error)
    return isinstance(error, _AWAY) or error.errno in _NO_WAY or is_every_address or is_cut_off
