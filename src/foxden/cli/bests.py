"""Best results of cooperative tables, kept in the user's data folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import platformdirs

from foxden.engine.errors import FoxdenError


class Bests:
    """A small file of best results, written atomically."""

    def __init__(self, file: Path | None = None) -> None:
        """Reads the file, if there is one."""
        chosen = os.environ.get("FOXDEN_DATA")
        folder = Path(chosen) if chosen else platformdirs.user_data_path("foxden")
        self.file = file or folder / "bests.json"
        self.bests: dict[str, dict[str, int]] = self._read()

    def _read(self) -> dict[str, dict[str, int]]:
        try:
            found: Any = json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise FoxdenError(
                f"The best results in {self.file} cannot be read: {error}."
            ) from error
        if not isinstance(found, dict) or not all(isinstance(v, dict) for v in found.values()):
            raise FoxdenError(f"The best results in {self.file} are not in Foxden's form.")
        return found

    def entered(self, game: str, key: str, result: int) -> str:
        """Enters a result and says how it compares."""
        best = self.bests.get(game, {}).get(key)
        if best is not None and result <= best:
            return f"The best so far ({key}) is {best}."
        self.bests.setdefault(game, {})[key] = result
        self._write()
        before = "the first" if best is None else f"the best so far was {best}"
        return f"A new best result ({key}): {result}; {before}."

    def _write(self) -> None:
        """Replaces the file in one step, after its contents are on disk."""
        draft = self.file.with_suffix(".new")
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("w", encoding="utf-8") as new:
                json.dump(self.bests, new, indent=2, ensure_ascii=False)
                new.flush()
                os.fsync(new.fileno())
            os.replace(draft, self.file)
        except OSError as error:
            draft.unlink(missing_ok=True)
            raise FoxdenError(f"{self.file} cannot be written: {error.strerror}.") from error
