"""Settings of the server. Nothing else reads the environment; docs/operating.md lists them."""

import os
from collections.abc import Iterable
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, AliasChoices, BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from app.addresses import read_database_url, read_redis_url

PREFIX = "YAMB_"


def _split_list(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _redis_url(value: str | None) -> str | None:
    return None if value is None else read_redis_url(value)


def _data_dir(value: Path) -> Path:
    if "?" in str(value):
        raise ValueError(
            "can't have a question mark: what follows it would not be part of the database's path"
        )
    return value


def _origins(value: tuple[str, ...]) -> tuple[str, ...]:
    for origin in value:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or not parts.netloc or origin != _bare(origin):
            raise ValueError(
                f"must be origins such as https://game.example, without a path, not {origin!r:.80}"
            )
    return value


def _proxies(value: tuple[str, ...]) -> tuple[str, ...]:
    for proxy in value:
        try:
            ip_network(proxy)
        except ValueError:
            raise ValueError(
                f"must be addresses or networks such as 10.0.0.5 or 10.0.0.0/24, not {proxy!r:.80}"
            ) from None
    return value


def _bare(origin: str) -> str:
    parts = urlsplit(origin)
    return f"{parts.scheme}://{parts.netloc}".lower()


_Bound = Annotated[int, Field(ge=0)]
"""At most so many; 0 for any number."""
_List = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_list)]


class Settings(BaseSettings):
    """What an operator may choose, each by the variable YAMB_ and the field's name in capitals."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid", validate_by_name=True
    )

    data_dir: Annotated[Path, AfterValidator(_data_dir)] = Path("var")
    database_url: Annotated[str, AfterValidator(read_database_url)] = Field(
        default_factory=lambda known: f"sqlite+aiosqlite:///{known['data_dir'] / 'yamb.db'}", repr=False
    )
    redis_url: Annotated[str | None, AfterValidator(_redis_url)] = Field(default=None, repr=False)
    host: str = Field(default="127.0.0.1", validation_alias=AliasChoices("YAMB_HOST", "HOST"))
    port: int = Field(default=8000, ge=0, le=65535, validation_alias=AliasChoices("YAMB_PORT", "PORT"))
    allowed_origins: Annotated[_List, AfterValidator(_origins)] = ()
    allowed_hosts: _List = ()
    trusted_proxies: Annotated[_List, AfterValidator(_proxies)] = ()
    cookie_secure: bool = False
    guests_per_address: _Bound = 500
    rooms_per_player: _Bound = 100
    rooms_per_address: _Bound = 1000
    variants_per_address: _Bound = 200
    sockets_per_player: _Bound = 50
    sockets_per_address: _Bound = 1000
    connections_per_address: _Bound = 2000
    share_per_address: int = Field(default=25, ge=0, le=100)
    misses_per_address: _Bound = 60
    metrics: bool = True
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"

    @property
    def store_kind(self) -> Literal["local", "redis"]:
        """Where rooms live."""
        return "redis" if self.redis_url else "local"

    @property
    def is_embedded(self) -> bool:
        """Whether finished games are kept in a file of this server's own."""
        return self.database_url.startswith("sqlite")


class WrongSettings(Exception):
    """A setting that can't be used; the text is one line that says what to do."""


def load_settings() -> Settings:
    """The settings of this process's environment. Raises WrongSettings."""
    _refuse_unknown(os.environ)
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = _name_in_use(variable_of(str(first["loc"][0])))
        raise WrongSettings(f"{name}: {_sentence(first['msg'])}. Set it right or unset it.") from None


def variable_of(field: str) -> str:
    """The environment variable of a field; what is one already stays."""
    return field if field.isupper() else f"{PREFIX}{field.upper()}"


def _name_in_use(variable: str) -> str:
    """HOST and PORT are known without the prefix too: the name that was set is the one to say."""
    short = variable.removeprefix(PREFIX)
    return variable if os.environ.get(variable) or not os.environ.get(short) else short


def _refuse_unknown(names: Iterable[str]) -> None:
    """A misspelt name would silently mean the default."""
    known = {variable_of(field) for field in Settings.model_fields}
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in known:
            raise WrongSettings(f"{name}: no setting has that name. Known are {', '.join(sorted(known))}.")


def _sentence(message: str) -> str:
    return " ".join(message.removeprefix("Value error, ").split()).removesuffix(".")
