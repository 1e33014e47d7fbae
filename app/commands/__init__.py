"""The commands of ``metes``, one module each, listed here and loaded only when asked for.

A module named below holds ``command``, a ``typer.Typer``: with one command it is ``metes NAME``, with several
it is ``metes NAME SUB``. It finds the settings with ``app.terminal.settings_of(ctx)``, raises ``MetesError`` to
refuse, and writes its result with ``app.terminal.put``. Loading on demand keeps GDAL out of ``metes serve``.
"""

from __future__ import annotations

COMMANDS: dict[str, str] = {
    "demo": "app.commands.demo",
    "serve": "app.commands.serve",
    "inspect": "app.commands.inspect",
    "screen": "app.commands.screen",
    "facts": "app.commands.facts",
    "abutters": "app.commands.abutters",
    "layers": "app.commands.layers",
    "parcels": "app.commands.parcels",
    "setbacks": "app.commands.setbacks",
    "trees": "app.commands.trees",
    "rescreen": "app.commands.rescreen",
    "keys": "app.commands.keys",
}
"""Name of a command and the module that holds it, in the order of the help page."""
