"""Settings come from the environment alone, are documented, and a wrong one is said in one line."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from app.config import Settings, WrongSettings, load_settings, variable_of
from tests.servers import ROOT


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable_of(field), raising=False)
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.delenv("PORT", raising=False)


def test_without_any_setting_the_embedded_default_is_used() -> None:
    settings = load_settings()

    assert settings.database_url == "sqlite+aiosqlite:///var/yamb.db"
    assert settings.redis_url is None
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.is_embedded


def test_the_embedded_database_is_in_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAMB_DATA_DIR", "/srv/yamb")

    assert load_settings().database_url == "sqlite+aiosqlite:////srv/yamb/yamb.db"


@pytest.mark.parametrize("name", ["YAMB_PORT", "PORT"])
def test_the_port_has_two_names(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "9000")

    assert load_settings().port == 9000


def test_the_own_name_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST", "other")
    monkeypatch.setenv("YAMB_HOST", "::1")

    assert load_settings().host == "::1"


def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAMB_REDIS_URL", "")

    assert load_settings().redis_url is None


def test_a_list_is_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAMB_ALLOWED_ORIGINS", "https://a.example, https://b.example:8443")

    assert load_settings().allowed_origins == ("https://a.example", "https://b.example:8443")


def test_a_plain_postgresql_url_means_our_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAMB_DATABASE_URL", "postgres://yamb:geheim@db/yamb")

    assert load_settings().database_url == "postgresql+asyncpg://yamb:geheim@db/yamb"


WRONG = [
    ("YAMB_PORT", "eight"),
    ("YAMB_PORT", "65536"),
    ("PORT", "-1"),
    ("YAMB_DATABASE_URL", "mysql://x/y"),
    ("YAMB_DATABASE_URL", "yamb.db"),
    ("YAMB_DATABASE_URL", "sqlite://"),
    ("YAMB_DATABASE_URL", "sqlite:///:memory:"),
    ("YAMB_DATABASE_URL", "postgresql://yamb:geheim@db:five/yamb"),
    ("YAMB_DATABASE_URL", "postgresql://yamb:geheim@db:65536/yamb"),
    ("YAMB_DATABASE_URL", "postgresql://yamb:gehe/im@db/yamb"),
    ("YAMB_DATABASE_URL", "postgresql://[::1/yamb"),
    ("YAMB_DATA_DIR", "var?mode=ro"),
    ("YAMB_REDIS_URL", "localhost:6379"),
    ("YAMB_REDIS_URL", "redis://:geheim@redis:six/0"),
    ("YAMB_REDIS_URL", "redis://:gehe/im@redis/0"),
    ("YAMB_REDIS_URL", "redis://:geheim@redis/yamb"),
    ("YAMB_ALLOWED_ORIGINS", "game.example"),
    ("YAMB_ALLOWED_ORIGINS", "https://game.example/"),
    ("YAMB_ALLOWED_ORIGINS", "*"),
    ("YAMB_TRUSTED_PROXIES", "proxy"),
    ("YAMB_TRUSTED_PROXIES", "*"),
    ("YAMB_TRUSTED_PROXIES", "10.0.0.1/24"),
    ("YAMB_METRICS", "perhaps"),
    ("YAMB_LOG_LEVEL", "loud"),
    ("YAMB_COOKIE_SECURE", "perhaps"),
    ("YAMB_DATABSE_URL", "postgresql://db/yamb"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_setting_is_one_line_that_names_it(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(WrongSettings) as refused:
        load_settings()

    line = str(refused.value)
    assert "\n" not in line
    assert line.startswith(f"{name}: ")
    assert "gehe" not in line


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1  # type: ignore[misc]


def test_a_password_is_not_shown() -> None:
    settings = Settings(database_url="postgresql://yamb:geheim@db/yamb", redis_url="redis://:geheim@redis")

    assert "geheim" not in repr(settings)


def test_every_setting_is_documented() -> None:
    page = (ROOT / "docs" / "operating.md").read_text()

    assert [name for name in map(variable_of, Settings.model_fields) if f"`{name}`" not in page] == []


def test_nothing_else_reads_the_environment() -> None:
    readers = [
        str(path.relative_to(ROOT))
        for path in sorted(Path(ROOT, "app").rglob("*.py"))
        if any(word in path.read_text() for word in ("os.environ", "getenv"))
    ]

    assert readers == ["app/config.py"]
