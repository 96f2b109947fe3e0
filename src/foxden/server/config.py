"""How a server is set up: by environment (FOXDEN_…), by a TOML file, by the command line."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import Field
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from foxden.engine.errors import FoxdenError


class BadConfig(FoxdenError):
    """Is raised for a configuration that no server can run with."""


class Config(BaseSettings):
    """Everything that an operator may decide; what is given by name wins over the environment."""

    model_config = SettingsConfigDict(env_prefix="FOXDEN_", extra="forbid")

    host: Annotated[str, Field(description="The address to listen at.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="The port; 0 takes a free one.")] = 8100
    database: Annotated[
        str,
        Field(description="`sqlite:///FILE` or `postgresql://…`; if empty, SQLite in `data`."),
    ] = ""
    data: Annotated[Path, Field(description="The folder for the database and the secret.")] = Field(
        default_factory=lambda: platformdirs.user_data_path("foxden")
    )
    secret: Annotated[
        str,
        Field(description="Signs cookies and invitations; made and kept in the data folder."),
    ] = ""
    workers: Annotated[
        int, Field(ge=1, le=64, description="Processes; more than one needs PostgreSQL.")
    ] = 1
    threads: Annotated[
        int, Field(ge=0, le=256, description="Threads in which bots think; 0: all cores but one.")
    ] = 0
    proxies: Annotated[
        str,
        Field(description="Addresses of reverse proxies whose headers are believed, or `*`."),
    ] = "127.0.0.1"
    origins: Annotated[
        list[str],
        Field(description="Further origins, such as `https://play.example`, that may use the API."),
    ] = []
    logs: Annotated[
        Literal["text", "json"], Field(description="How the log is written, to standard error.")
    ] = "text"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Field(description="What is worth a line.")
    ] = "info"
    limits: Annotated[
        bool, Field(description="Whether strangers are held to rates; off only for measuring.")
    ] = True
    sockets_per_person: Annotated[
        int, Field(ge=1, description="Sockets that one person may have open.")
    ] = 32
    sockets_per_address: Annotated[
        int, Field(ge=1, description="Sockets that one address may have open.")
    ] = 256
    grace: Annotated[
        float, Field(ge=0, description="Seconds that a clock has at least after a restart.")
    ] = 30.0
    shutdown: Annotated[
        float, Field(ge=0, description="Seconds that requests in flight get when the server stops.")
    ] = 5.0

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Reads the command line first, then the environment, then the file."""
        file = os.environ.get("FOXDEN_CONFIG")
        return (
            init_settings,
            env_settings,
            *([TomlConfigSettingsSource(settings_cls, Path(file))] if file else []),
        )

    @property
    def url(self) -> str:
        """Gives the store's address."""
        return self.database or f"sqlite:///{self.data / 'foxden.sqlite'}"

    @property
    def thinkers(self) -> int:
        """Gives how many threads bots think in."""
        return self.threads or max(1, (os.cpu_count() or 1) - 1)

    def check(self) -> None:
        """Refuses what cannot work."""
        if self.workers > 1 and not self.url.startswith("postgres"):
            raise BadConfig("Several workers need a PostgreSQL database; SQLite serves one.")

    def find_secret(self) -> str:
        """Gives the secret, making one and keeping it in the data folder at the first start."""
        if self.secret:
            if len(self.secret) < 16:
                raise BadConfig("The secret must have at least 16 characters.")
            return self.secret
        file = self.data / "secret"
        try:
            self.data.mkdir(parents=True, exist_ok=True)
            try:
                with os.fdopen(
                    os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w"
                ) as f:
                    f.write(secrets.token_urlsafe(32))
            except FileExistsError:
                pass
            return file.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise BadConfig(f"The secret cannot be kept in {file}: {error.strerror}.") from error


def read_config(file: Path | None = None, **given: Any) -> Config:
    """Reads the configuration; what is given here wins, where it is not None."""
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    if file:
        if not file.is_file():
            raise BadConfig(f"There is no configuration file {file}.")
        os.environ["FOXDEN_CONFIG"] = str(file)
    try:
        config = Config(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "configuration"
        raise BadConfig(f"{where}: {first['msg']}.") from error
    except (SettingsError, ValueError) as error:
        raise BadConfig(f"The configuration cannot be read: {error}.") from error
    config.check()
    return config
