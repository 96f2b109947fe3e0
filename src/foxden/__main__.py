"""`python -m foxden`, and the command `foxden`."""

from __future__ import annotations

import sys

from foxden.engine.errors import FoxdenError


def main() -> None:
    """Runs the command line; a refusal is one sentence and exit status 2."""
    try:
        from foxden.cli import app  # needs the rules, which may refuse to load

        app(prog_name="foxden")
    except FoxdenError as error:
        print(f"foxden: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
