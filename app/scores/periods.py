"""The times that leaderboards compare, all in UTC: for ever, a month, a day."""

from datetime import UTC, datetime

EVER = ""
"""The key of all time. A month's is such as 2026-11, a day's such as 2026-11-30."""


def month_of(instant: int) -> str:
    """The month, such as 2026-11, of an instant in milliseconds."""
    return day_of(instant)[:7]


def day_of(instant: int) -> str:
    """The day, such as 2026-11-30, of an instant in milliseconds."""
    return f"{datetime.fromtimestamp(instant // 1000, UTC):%Y-%m-%d}"


def keys_of(instant: int) -> tuple[str, ...]:
    """Every period that a game belongs to which ended at that instant."""
    return EVER, month_of(instant), day_of(instant)


def is_month(key: str) -> bool:
    """Whether a period's key is that of a month."""
    return len(key) == 7


def is_day(key: str) -> bool:
    """Whether a period's key is that of a day."""
    return len(key) == 10


def span_of(key: str) -> tuple[int, int]:
    """The first instant of a month or day, and the first one after it, in milliseconds."""
    first = datetime.strptime(key, "%Y-%m-%d" if is_day(key) else "%Y-%m").replace(tzinfo=UTC)
    begins = int(first.timestamp()) * 1000
    return begins, begins + 86_400_000 if is_day(key) else _next_month(first)


def _next_month(first: datetime) -> int:
    if first.year == 9999 and first.month == 12:
        return int(first.timestamp()) * 1000 + 31 * 86_400_000
    years, month = divmod(first.month, 12)
    return int(first.replace(year=first.year + years, month=month + 1).timestamp()) * 1000
