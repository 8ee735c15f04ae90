"""What the runtime says to people; trace lines are not here, they have one fixed form (decision 27)."""

from __future__ import annotations

from agentl.messages.message import Message, Text

NO_AGENT = Message(
    "R007",
    "no-agent",
    en="the file holds no AGENT, so there is nothing to run",
    fr="le fichier ne contient aucun AGENT : il n'y a rien à exécuter",
    help=Text(
        en="a file of modules can be imported; run a program whose agents USE them",
        fr="un fichier de modules peut être importé ; exécutez un programme dont les agents les utilisent par USE",
    ),
)
NOT_RUN = Message(
    "R001",
    "construct-not-run",
    en="{construct} cannot be run by this release",
    fr="{construct} ne peut pas être exécuté par cette version",
    help=Text(
        en="the program can be checked and compiled; remove the construct to run it",
        fr="le programme peut être vérifié et compilé ; retirez cette construction pour l'exécuter",
    ),
)
# R002 meant "several agents are not run"; it is not used again.
UNKNOWN_BUCKET = Message(
    "R003",
    "unknown-memory-bucket",
    en="there is no memory {bucket}",
    fr="il n'existe pas de mémoire {bucket}",
    help=Text(
        en="use SHORT_TERM, LONG_TERM or KNOWLEDGE",
        fr="utilisez SHORT_TERM, LONG_TERM ou KNOWLEDGE",
    ),
)
TOO_LATE = Message(
    "R004",
    "given-after-start",
    en="{what} must be given before the first tick",
    fr="{what} doit être donné avant le premier tick",
)
UNKNOWN_PHASE = Message(
    "R005",
    "unknown-phase",
    en="there is no phase {phase}",
    fr="il n'existe pas de phase {phase}",
)
FOREIGN_SNAPSHOT = Message(
    "R006",
    "snapshot-unreadable",
    en="the snapshot cannot be read: {reason}",
    fr="l'instantané ne peut pas être lu : {reason}",
)
