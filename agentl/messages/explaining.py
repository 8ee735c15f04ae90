"""Texts of `agentl explain`."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNKNOWN_CODE = Message(
    "C017",
    "unknown-code",
    "no finding or error has the code or name `{name}`",
    "aucun constat ni aucune erreur n'a le code ou le nom `{name}`",
    Text("`agentl explain` lists them all", "`agentl explain` en donne la liste"),
)

EXPLAIN_CODES = Text(
    "Codes such as W102, or names such as unverified-action; none for a list.",
    "Des codes comme W102, ou des noms comme unverified-action ; aucun pour la liste.",
)
EXPLAIN_ALL = Text("Every page of a rule of `check`.", "Toutes les pages des règles de `check`.")
EXPLAIN_FORMAT = Text("text, markdown or json.", "text, markdown ou json.")

IN_PROFILE = {
    "reference": Text("in every profile", "dans tous les profils"),
    "ours": Text(
        "in the profiles reference, strict and sequential", "dans les profils reference, strict et sequential"
    ),
    "strict": Text("in the profile strict only", "dans le profil strict seulement"),
    "sequential": Text("in the profile sequential only", "dans le profil sequential seulement"),
}
SAYS = Text("it says", "le message")
HELPS = Text("it advises", "le conseil")
WHAT = Text("What it finds", "Ce qu'elle trouve")
WHY = Text("Why it matters", "Pourquoi cela compte")
EXAMPLE = Text("Example", "Exemple")
FOUND = Text("What check says", "Ce que dit check")
MANIFEST = Text("Beside it, touba.manifest.json", "À côté, touba.manifest.json")
BETTER = Text("Better", "Mieux")
SUPPRESS = Text("When to suppress it", "Quand la faire taire")
NEVER_ELIGIBLE = Text(
    "Never: such a plan is refused as a sequential operation, and no comment lifts it.",
    "Jamais : un tel plan est refusé comme opération séquentielle, et aucun commentaire ne le lève.",
)
NEVER_SUPPRESSED = Text(
    "Never: an error stops the program from being run, and no comment lifts it.",
    "Jamais : une erreur empêche d'exécuter le programme, et aucun commentaire ne la lève.",
)
