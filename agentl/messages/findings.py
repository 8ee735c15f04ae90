"""Words around a finding when it is shown to people."""

from __future__ import annotations

from agentl.messages.message import Text

ERROR = Text("error", "erreur")
WARNING = Text("warning", "avertissement")
INFO = Text("note", "note")
HELP = Text("help", "aide")
NOTE = Text("note", "note")
