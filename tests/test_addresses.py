"""An address of a database or of Redis is understood in every part, or refused without its password."""

from collections.abc import Callable

import pytest

from app.addresses import read_database_url, read_redis_url
from app.observability import without_password

SECRETS = [
    "ge@heim",
    "ge/heim",
    "ge@he/im",
    "ge/he@im",
    "@geheim",
    "ge?heim",
    "ge#heim",
    "ge heim",
    "ge%heim",
]
SECRETS += ["ge[heim", "ge:@heim", "1?geheim", "1/yamb?geheim", "1/yamb?geheim=1", "1/yamb?geheim=1&x="]

GOOD_DATABASES = [
    ("postgresql+asyncpg://yamb:geheim@db:5432/yamb", "postgresql+asyncpg://yamb:geheim@db:5432/yamb"),
    ("postgresql://yamb@db.example/yamb", "postgresql+asyncpg://yamb@db.example/yamb"),
    ("postgres://db_1/yamb", "postgresql+asyncpg://db_1/yamb"),
    ("postgres://[::1]:5432/yamb", "postgresql+asyncpg://[::1]:5432/yamb"),
    ("postgres://yamb:ge%40he%2Fim@db/yamb", "postgresql+asyncpg://yamb:ge%40he%2Fim@db/yamb"),
    ("postgres://yamb:a:b@db/yamb", "postgresql+asyncpg://yamb:a:b@db/yamb"),
    ("postgres://db/yamb?sslmode=verify-full", "postgresql+asyncpg://db/yamb?ssl=verify-full"),
    ("postgres:///yamb?host=/run/postgresql", "postgresql+asyncpg:///yamb?host=/run/postgresql"),
    ("sqlite:///yamb.db", "sqlite+aiosqlite:///yamb.db"),
    ("sqlite+aiosqlite:////srv/yamb.db", "sqlite+aiosqlite:////srv/yamb.db"),
]
GOOD_REDIS = [
    "redis://redis",
    "redis://redis:6379/0",
    "redis://:geheim@redis/15",
    "rediss://yamb:ge%40heim@redis.example:6380/0?ssl_cert_reqs=required&ssl_ca_certs=/etc/ca.pem",
    "redis+cluster://redis-1.example:6379",
    "rediss+cluster://yamb:geheim@redis/0?ssl_cert_reqs=none",
    "redis+cluster://redis-1.example:6379,redis-2.example,[::1]:6380",
    "rediss+cluster://yamb:ge,heim@redis-1:6379,redis-2:6379/0?ssl_cert_reqs=none",
    "unix:///run/redis.sock?db=1",
]
WRONG_DATABASES = [
    ("yamb.db", "must look like"),
    ("mysql://db/yamb", "must look like"),
    ("://db/yamb", "must look like"),
    ("postgres://db", "the name of a database"),
    ("postgres://db/", "the name of a database"),
    ("postgres://db/a/b", "the name of a database"),
    ("postgres:///yamb", "with a host"),
    ("postgres://db:five/yamb", "must look like"),
    ("postgres://db:65536/yamb", "must look like"),
    ("postgres://db:0/yamb", "must look like"),
    ("postgres://[::1/yamb", "must look like"),
    ("postgres://a..b/yamb", "must look like"),
    (f"postgres://{'a' * 64}/yamb", "must look like"),
    ("postgres://db/yamb\n", "must look like"),
    ("postgres://db/yamb?foo=bar", "the parameter foo"),
    ("postgres://db/yamb?password=geheim", "the parameter password"),
    ("postgres://db/yamb?port=abc", "the parameter port"),
    ("postgres://db/yamb?<b>=1", "has a parameter that means nothing"),
    ("postgres://db/yamb?ssl=perhaps", "one of disable, allow, prefer"),
    ("postgres://db/yamb?sslmode=", "one of disable, allow, prefer"),
    ("postgres://db/yamb?ssl=allow&ssl=prefer", "twice"),
    ("postgres://db/yamb?host=other", "begins with /"),
    ("sqlite://", "must look like"),
    ("sqlite:///", "must look like"),
    ("sqlite://user@host/yamb.db", "must look like"),
    ("sqlite:///:memory:", "must be a file"),
    ("sqlite:///yamb.db?timeout=x", "SQLite takes no parameters"),
]
WRONG_REDIS = [
    ("localhost:6379", "must look like"),
    ("http://redis", "must look like"),
    ("redis:///0", "must look like"),
    ("redis://redis/yamb", "must look like"),
    ("redis://redis/0/1", "must look like"),
    ("redis://redis:six/0", "must look like"),
    ("redis://redis:0", "must look like"),
    ("redis://redis?db=1", "the parameter db"),
    ("redis://redis?decode_responses=1", "the parameter decode_responses"),
    ("rediss://redis?ssl_cert_reqs=perhaps", "one of none, optional, required"),
    ("rediss://redis?ssl_ca_certs=", "it is empty"),
    ("redis+cluster://redis/1", "must look like"),
    ("redis://redis-1,redis-2", "must look like"),
    ("redis+cluster://redis-1,", "must look like"),
    ("redis+cluster://,redis-1", "must look like"),
    ("redis+cluster://redis-1, redis-2", "must look like"),
    ("redis+cluster://redis-1,redis-2:six", "must look like"),
    ("redis+cluster://redis-1,redis-2@redis-3:six", "must look like"),
    ("redis+cluster://redis?ssl_cert_reqs=none", "means nothing here"),
    ("redis+sentinel://redis", "must look like"),
    ("unix://", "must look like"),
    ("unix:///run/redis.sock?db=one", "it is a number"),
]


@pytest.mark.parametrize(("given", "read"), GOOD_DATABASES)
def test_an_address_of_a_database_is_read_for_our_drivers(given: str, read: str) -> None:
    assert read_database_url(given) == read


@pytest.mark.parametrize("given", GOOD_REDIS)
def test_an_address_of_redis_is_taken_as_it_is(given: str) -> None:
    assert read_redis_url(given) == given


@pytest.mark.parametrize(("given", "said"), WRONG_DATABASES)
def test_a_wrong_address_of_a_database_is_refused(given: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_database_url(given)


@pytest.mark.parametrize(("given", "said"), WRONG_REDIS)
def test_a_wrong_address_of_redis_is_refused(given: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_redis_url(given)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    ("read", "form"),
    [
        (read_database_url, "postgresql://yamb:{}@db:5432/yamb"),
        (read_database_url, "postgresql://yamb:{}@db/yamb?sslmode=prefer"),
        (read_redis_url, "redis://:{}@redis:6379/0"),
        (read_redis_url, "rediss://yamb:{}@redis"),
    ],
)
def test_a_password_that_is_not_escaped_is_refused_and_not_repeated(
    read: Callable[[str], str], form: str, secret: str
) -> None:
    with pytest.raises(ValueError, match="%40 for @") as refused:
        read(form.format(secret))

    assert not any(part in str(refused.value) for part in ("heim", "im", "ge"))


@pytest.mark.parametrize("secret", [one for one in SECRETS if " " not in one])
def test_a_password_is_hidden_wholly_wherever_it_is_shown(secret: str) -> None:
    line = f"no database at postgresql://yamb:{secret}@db:5432/yamb?ssl=allow (refused), nor redis://:{secret}@r/0!"

    assert without_password(line) == (
        "no database at postgresql://yamb:***@db:5432/yamb?ssl=allow (refused), nor redis://:***@r/0!"
    )
