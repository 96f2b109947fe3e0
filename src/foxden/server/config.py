"""Server configuration: environment (FOXDEN_…), TOML file, command line."""

from __future__ import annotations

import difflib
import errno
import os
import secrets
import tempfile
from collections.abc import Iterable
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

PREFIX = "FOXDEN_"
# Environment variables that are not server settings.
OTHERS = ("CACHE", "CHECKS", "CHROMIUM", "COMPILE", "CONFIG", "SERVER", "STATIC", "WORKER")
SHORTEST_SECRET = 16  # characters
FEWEST_SIGNS = 6  # distinct characters of a secret
LINKS_MISSING = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


class BadConfig(FoxdenError):
    """Is raised for an invalid configuration."""


class Config(BaseSettings):
    """All settings; keyword arguments override the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid")

    host: Annotated[str, Field(description="The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="The port; 0 picks a free one.")] = 8100
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
        int, Field(ge=0, le=256, description="Threads for bots; 0: all cores but one.")
    ] = 0
    proxies: Annotated[
        str,
        Field(description="Addresses of trusted reverse proxies, or `*`."),
    ] = "127.0.0.1"
    origins: Annotated[
        list[str],
        Field(description="Other origins, such as `https://play.example`, that may use the API."),
    ] = []
    logs: Annotated[
        Literal["text", "json"], Field(description="The format of the log, on standard error.")
    ] = "text"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Field(description="The lowest severity to log."),
    ] = "info"
    limits: Annotated[
        bool, Field(description="Whether rate limits apply; turn them off only to measure.")
    ] = True
    sockets_per_person: Annotated[
        int, Field(ge=1, description="Sockets that one person may have open.")
    ] = 32
    sockets_per_address: Annotated[
        int,
        Field(ge=1, description="Sockets of one address, except the first two of each person."),
    ] = 256
    connections_per_address: Annotated[
        int, Field(ge=16, description="Connections of one address, at most a quarter of all files.")
    ] = 1024
    open_tables_per_person: Annotated[
        int, Field(ge=1, description="Open tables, not yet started, of one person.")
    ] = 5
    open_tables_per_address: Annotated[
        int, Field(ge=1, description="The same for all people of one address.")
    ] = 100
    seats_per_person: Annotated[
        int,
        Field(ge=1, description="Seats one person may take at others' tables not yet begun."),
    ] = 10
    seats_per_address: Annotated[
        int,
        Field(ge=1, description="Seats at tables not yet begun for all people of one address."),
    ] = 400
    unfinished_per_person: Annotated[
        int, Field(ge=1, description="Unfinished tables of one person.")
    ] = 100
    open_hours: Annotated[
        float, Field(gt=0, description="Hours after which a table that has not begun is closed.")
    ] = 24.0
    keep_chat: Annotated[
        float, Field(ge=0, description="Days that chat is kept; 0 keeps it for ever.")
    ] = 180.0
    keep_results: Annotated[
        float, Field(ge=0, description="Days that a match is kept after its end; 0: for ever.")
    ] = 730.0
    keep_unfinished: Annotated[
        float, Field(ge=0, description="Days that an unfinished match is kept after its last move.")
    ] = 180.0
    keep_people: Annotated[
        float,
        Field(ge=0, description="Days that people without tables are kept after their last visit."),
    ] = 730.0
    keep_audit: Annotated[
        float, Field(ge=0, description="Days that the audit log is kept; 0: for ever.")
    ] = 730.0
    admin_token: Annotated[
        str, Field(description="Opens the administrators' page; at least 16 characters, or empty.")
    ] = ""
    grace: Annotated[
        float, Field(ge=0, description="Least seconds left on a clock after a restart.")
    ] = 30.0
    shutdown: Annotated[
        float, Field(ge=0, description="Seconds for requests in flight when the server stops.")
    ] = 5.0
    review_effort: Annotated[
        float,
        Field(ge=0.01, le=10, description="The effort of a review; 0.5 takes half the time."),
    ] = 1.0
    watchdog: Annotated[
        float,
        Field(ge=1, description="Seconds after which an unresponsive worker is replaced."),
    ] = 30.0

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
        """Returns the store's address."""
        return self.database or f"sqlite:///{self.data / 'foxden.sqlite'}"

    @property
    def thinkers(self) -> int:
        """Returns the number of threads for bots."""
        return self.threads or max(1, (os.cpu_count() or 1) - 1)

    def check(self) -> None:
        """Refuses settings that cannot work."""
        if self.admin_token and len(self.admin_token) < 16:
            raise BadConfig("The token for administrators must have at least 16 characters.")
        if self.workers > 1 and not self.url.startswith("postgres"):
            raise BadConfig("Several workers need a PostgreSQL database; SQLite serves one.")

    def find_secret(self) -> str:
        """Returns the secret, made at the first start and kept in the data folder."""
        if self.secret:
            return _strong(self.secret, "FOXDEN_SECRET")
        file = self.data / "secret"
        try:
            if not file.exists():
                self.data.mkdir(parents=True, exist_ok=True)
                _write_once(file, secrets.token_urlsafe(32))
            kept = file.read_bytes().decode(errors="replace").strip()
        except OSError as error:
            raise BadConfig(f"The secret cannot be kept in {file}: {error.strerror}.") from error
        return _strong(
            kept,
            str(file),
            " Restore it from a backup, or delete it for a new one; every cookie is then invalid.",
        )


def _strong(secret: str, where: str, advice: str = "") -> str:
    """Refuses a guessable secret: whoever knows it can pose as anybody."""
    if len(secret) < SHORTEST_SECRET or len(set(secret)) < FEWEST_SIGNS:
        raise BadConfig(
            f"The secret in {where} is too weak: it must have at least {SHORTEST_SECRET} "
            f"characters, {FEWEST_SIGNS} of them different.{advice}"
        )
    return secret


def _write_once(file: Path, text: str) -> None:
    """Writes a file atomically, unless another process has written it meanwhile."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(handle, "w") as f:  # mkstemp lets nobody else read it
            f.write(text)
            f.flush()
            os.fsync(f.fileno())
        try:
            os.link(name, file)  # unlike a rename, it never replaces the secret of another start
        except FileExistsError:
            pass
        except OSError as error:
            if error.errno not in LINKS_MISSING:
                raise
            os.rename(name, file)
    finally:
        Path(name).unlink(missing_ok=True)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_names(names: Iterable[str]) -> None:
    """Refuses an environment variable that looks like a setting but is not one."""
    known = [PREFIX + name.upper() for name in (*Config.model_fields, *OTHERS)]
    for name in names:
        if name.upper().startswith(PREFIX) and name.upper() not in known:
            raise BadConfig(f"{name} is not a setting.{_nearest(name.upper(), known)}")


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f" Did you mean {near[0]}?" if near else ""


def read_config(file: Path | None = None, **given: Any) -> Config:
    """Reads the configuration; arguments that are not None override it."""
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    if file:
        if not file.is_file():
            raise BadConfig(f"There is no configuration file {file}.")
        os.environ["FOXDEN_CONFIG"] = str(file)
    check_names(os.environ)
    try:
        config = Config(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "configuration"
        if first["type"] == "extra_forbidden":
            near = _nearest(where, list(Config.model_fields))
            raise BadConfig(f"{where} is not a setting.{near}") from error
        raise BadConfig(f"{where}: {first['msg']}.") from error
    except (SettingsError, ValueError) as error:
        raise BadConfig(f"The configuration cannot be read: {error}.") from error
    config.check()
    return config
