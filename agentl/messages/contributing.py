"""What `agentl new` says to whoever works on agentl itself."""

from __future__ import annotations

from agentl.messages.message import Message, Text

NO_CHECKOUT = Message(
    "C114",
    "no-checkout",
    "`{path}` is no checkout of agentl, and rules are written in one",
    "`{path}` n'est pas une copie de travail d'agentl, et c'est là que s'écrivent les règles",
    help=Text("clone the repository and run this in it", "clonez le dépôt et lancez ceci dedans"),
)
UNKNOWN_GROUP = Message(
    "C115",
    "unknown-group",
    "no group of rules is called `{name}`",
    "aucun groupe de règles ne s'appelle `{name}`",
    help=Text("the groups are {groups}", "les groupes sont {groups}"),
)
RULE_NAME = Message(
    "C116",
    "rule-name",
    "`{name}` cannot be the name of a rule",
    "`{name}` ne peut pas nommer une règle",
    help=Text(
        "two small words or more that name the fault, e.g. unapproved_tool",
        "deux mots en minuscules ou plus qui nomment la faute, p. ex. unapproved_tool",
    ),
)
RULE_EXISTS = Message(
    "C117",
    "rule-exists",
    "a rule is called `{name}` already: nothing was written",
    "une règle s'appelle déjà `{name}` : rien n'a été écrit",
)

NEW_RULE = Text(
    "Begin a lint rule: rule, page, message and case file.", "Commence une règle : règle, page, message, cas."
)
RULE_NAME_ARGUMENT = Text("What it finds, e.g. unapproved_tool.", "Ce qu'elle trouve, p. ex. unapproved_tool.")
RULE_GROUP = Text(
    "The folder of agentl/analysis/rules/ it belongs to.", "Le dossier de agentl/analysis/rules/ où elle va."
)
RULE_NEXT = Text(
    "{code}: fill in what stands in <>, then: pytest tests/analysis -k {name}",
    "{code} : remplissez ce qui est entre <>, puis : pytest tests/analysis -k {name}",
)
