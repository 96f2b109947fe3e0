"""Who only plays installs no test tools: a build of the client must do without them."""

import json
import re
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"
# An import by name: neither a file, nor a part of node, nor an icon, which a plugin writes.
IMPORT = re.compile(r"""(?:from|import)\s*\(?['"]((?!node:|~icons/)@?[a-z][^'"]*)['"]""")


def sources() -> list[Path]:
    """Lists what a build reads."""
    files = [file for file in sorted((WEB / "src").rglob("*")) if file.suffix in (".ts", ".svelte")]
    built = [file for file in files if ".test." not in file.name and file.name != "testing.ts"]
    return [WEB / "vite.config.ts", WEB / "svelte.config.js", *built]


def test_a_build_needs_no_test_tools() -> None:
    packages = json.loads((WEB / "package.json").read_text("utf-8"))
    used = set()
    for file in sources():
        for path in IMPORT.findall(file.read_text("utf-8")):
            parts = path.split("/")
            used.add("/".join(parts[: 2 if path.startswith("@") else 1]))
    assert {"svelte", "vite"} <= used
    assert used <= set(packages["dependencies"]), used - set(packages["dependencies"])
