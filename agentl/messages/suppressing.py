"""What is said about comments that suppress findings (codes S; tooling.md §14)."""

from __future__ import annotations

from agentl.messages.message import Message, Text

MALFORMED = Message(
    "S001",
    "malformed-suppression",
    "this comment suppresses nothing: {why}",
    "ce commentaire ne supprime rien : {why}",
    help=Text(
        "write `# ignore[W102]: reason`, with an end if it has one: `# ignore[W102] until 2030-01-31: reason`",
        "écrire `# ignore[W102]: raison`, avec une fin s'il y en a une : `# ignore[W102] until 2030-01-31: raison`",
    ),
)
UNUSED = Message(
    "S002",
    "unused-suppression",
    "nothing here is suppressed by {codes}",
    "rien n'est supprimé ici par {codes}",
)
UNKNOWN = Message(
    "S003",
    "unknown-suppressed-code",
    "no rule has the code or name `{code}`",
    "aucune règle n'a le code ou le nom `{code}`",
    help=Text("`agentl explain` lists them all", "`agentl explain` en donne la liste"),
)
EXPIRED = Message(
    "S004",
    "expired-suppression",
    "this suppression ended on {until}; what it suppressed is told again",
    "cette suppression a pris fin le {until} ; ce qu'elle supprimait est de nouveau dit",
    help=Text(
        "mend what it was for, or give it another end", "corriger ce qu'elle couvrait, ou lui donner une autre fin"
    ),
)
NOT_SUPPRESSIBLE = Message(
    "S005",
    "suppressed-error",
    "`{code}` cannot be suppressed: it is no warning of a rule",
    "`{code}` ne peut être supprimé : ce n'est pas un avertissement d'une règle",
)

# Found beside what the rules find; S001 is an error and not among them.
WARNINGS = (UNUSED, UNKNOWN, EXPIRED, NOT_SUPPRESSIBLE)

NO_REASON = Text("it gives no reason", "il ne donne pas de raison")
NO_CODES = Text("it names no code", "il ne nomme aucun code")
NO_COLON = Text("`:` and a reason are missing behind the codes", "il manque `:` et une raison derrière les codes")
NO_SUCH_DAY = Text("`{day}` is no day of the form 2030-01-31", "`{day}` n'est pas un jour de la forme 2030-01-31")
NOT_AT_TOP = Text(
    "`ignore-file` stands above everything else in its file",
    "`ignore-file` se place au-dessus de tout le reste du fichier",
)
NOT_A_LINE = Text("it must be a line comment", "ce doit être un commentaire de ligne")

REMOVE_COMMENT = Text("remove the comment", "retirer le commentaire")
REMOVE_CODES = Text("remove {codes} from the comment", "retirer {codes} du commentaire")
