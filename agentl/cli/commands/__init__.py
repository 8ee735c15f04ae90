"""One file a command: it holds `command`, a function, or `app`, a Typer group. Found by being here."""
