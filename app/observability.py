"""Logs that machines can read, and checks of what this server needs."""

import asyncio
import logging
import re
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

Check = Callable[[], Awaitable[None]]
"""Returns when what it asks answers, and raises otherwise."""

_CHECK_SECONDS = 2.0
_SELDOM_SECONDS = 60.0
# What uvicorn says of every request that is none: as often as a stranger likes. Metrics count them.
_OF_STRANGERS = ("Invalid HTTP request received.", "Unsupported upgrade request.")
_SECRET_NAMES = frozenset(("authorization", "cookie", "password", "secret", "set-cookie", "token"))
_HIDDEN = "***"
# To the last @: a password may hold one, or a slash, as it is.
_URL_PASSWORD = re.compile(r"(?<=://)([^\s/@:]*):\S+@")


def configure_logging(level: str, layout: Literal["console", "json"]) -> None:
    """Set up structlog and the standard library's logging, so that all lines look the same. To stderr."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        drop_colors,
        hide_secrets,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_render(layout)],
        )
    )
    # At debug, libraries tell what passes through them: headers, frames, rows, and so sessions and secrets.
    logging.basicConfig(handlers=[handler], level=max(logging.INFO, _number(level)), force=True)
    logging.getLogger("app").setLevel(_number(level))
    logging.getLogger("uvicorn.error").addFilter(Seldom(_OF_STRANGERS))
    # Every migration of every start is no news. And uvicorn tells of every socket with its client's address
    # and its query, where a careless program may have put a secret.
    for library in ("alembic", "uvicorn.error"):
        logging.getLogger(library).setLevel(logging.WARNING)


class Seldom(logging.Filter):
    """Lets each of these messages through once a minute. `clock` gives seconds."""

    def __init__(self, messages: Collection[str], clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._messages = messages
        self._clock = clock
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        if record.msg not in self._messages:
            return True
        now = self._clock()
        if now - self._said.get(record.msg, -_SELDOM_SECONDS) < _SELDOM_SECONDS:
            return False
        self._said[record.msg] = now
        return True


def _number(level: str) -> int:
    return logging.getLevelNamesMapping()[level.upper()]


def drop_colors(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Leave out the same line in colors, which uvicorn passes beside its own."""
    event.pop("color_message", None)
    return event


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Keep tokens, passwords and the passwords of URLs out of the logs, whoever passed them."""
    for name, value in event.items():
        if name.lower() in _SECRET_NAMES:
            event[name] = _HIDDEN
        elif isinstance(value, str):
            event[name] = without_password(value)
    return event


def without_password(text: str) -> str:
    """The text with the password of every URL in it hidden."""
    return _URL_PASSWORD.sub(rf"\1:{_HIDDEN}@", text)


async def failing(checks: Mapping[str, Check]) -> list[str]:
    """The names of the checks that raise or don't return in time; all run at once."""
    outcomes = await asyncio.gather(*(_passes(check) for check in checks.values()))
    return [name for name, passes in zip(checks, outcomes, strict=True) if not passes]


async def _passes(check: Check) -> bool:
    try:
        async with asyncio.timeout(_CHECK_SECONDS):
            await check()
    except Exception as error:  # noqa: BLE001 - whatever it is, this server isn't able to serve
        structlog.get_logger(__name__).warning("a health check failed", error=repr(error))
        return False
    return True


def _render(layout: Literal["console", "json"]) -> list[Processor]:
    """Tracebacks without the values of variables: those may be secrets, and showing them takes seconds."""
    if layout == "json":
        transform = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        return [structlog.processors.ExceptionRenderer(transform), structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
