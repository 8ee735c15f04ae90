"""What `--watch` says beside the reports."""

from __future__ import annotations

from agentl.messages.message import Message, Text

CANNOT_WATCH = Message(
    "C170",
    "cannot-watch",
    "the folders cannot be watched: {reason}",
    "les dossiers ne peuvent pas être surveillés : {reason}",
    Text(
        "the system may watch only so many folders: name fewer of them, or raise its limit",
        "le système ne surveille qu'un nombre limité de dossiers : donnez-en moins, ou relevez la limite",
    ),
)
WATCH = Text(
    "Check again whenever a program, a host or a configuration changes, until Ctrl-C.",
    "Contrôler de nouveau dès qu'un programme, un hôte ou une configuration change, jusqu'à Ctrl-C.",
)
WATCH_TESTS = Text(
    "Test again whenever a program or a module changes, until Ctrl-C.",
    "Tester de nouveau dès qu'un programme ou un module change, jusqu'à Ctrl-C.",
)
WAITING = Text("{time} · exit {code} · watching, Ctrl-C ends", "{time} · code {code} · à l'affût, Ctrl-C termine")
WAITING_SINCE_CLEAN = Text(
    "{time} · exit {code}, 0 until {clean} · watching, Ctrl-C ends",
    "{time} · code {code}, 0 jusqu'à {clean} · à l'affût, Ctrl-C termine",
)
ENDED = Text(
    "no longer watching; the last verdict: exit {code} · {summary}", "fin ; dernier verdict : code {code} · {summary}"
)
NO_VERDICT = Text("no longer watching; there was no verdict", "fin ; il n'y a pas eu de verdict")
