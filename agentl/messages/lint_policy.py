"""Findings about policies: tools that no rule covers, and guards that do not say what they seem to say."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNGOVERNED_TOOL = Message(
    "W101",
    "ungoverned-tool",
    "tool `{tool}` has risk {risk}, and no policy rule concerns it",
    "l'outil `{tool}` a le risque {risk}, et aucune règle ne le concerne",
    Text("write a rule, such as REQUIRE APPROVAL FOR {tool}", "écrivez une règle, comme REQUIRE APPROVAL FOR {tool}"),
)
REQUIRE_APPROVAL = Text("add REQUIRE APPROVAL FOR {tool}", "ajouter REQUIRE APPROVAL FOR {tool}")

UNAPPROVED_TOOL = Message(
    "W120",
    "unapproved-tool",
    "tool `{tool}` has risk {risk}, and there are calls of it that no person approves",
    "l'outil `{tool}` a le risque {risk}, et certains de ses appels ne sont approuvés par personne",
    Text(
        "write REQUIRE APPROVAL FOR {tool} without a guard, or say with a suppression why not",
        "écrivez REQUIRE APPROVAL FOR {tool} sans garde, ou dites pourquoi non par une suppression",
    ),
)

UNATTESTED_ELEMENT = Message(
    "W122",
    "unattested-element",
    "`{tool}` acts on each `{variable}`, while P of `{hypothesis}` that allows it is about all of them",
    "`{tool}` agit sur chaque `{variable}`, alors que P de `{hypothesis}` qui l'autorise porte sur tous",
    Text(
        "attest each element: an input `… ATTESTS <input>`, given from `{variable}` as well",
        "attestez chaque élément : une entrée `… ATTESTS <entrée>`, donnée elle aussi depuis `{variable}`",
    ),
)

UNGUARDED_CLOSURE = Message(
    "W123",
    "unguarded-closure",
    "`{tool}` can end the run while `{backlog}` is not empty: no ALLOW on it reads that path",
    "`{tool}` peut finir l'exécution alors que `{backlog}` n'est pas vide : aucun ALLOW ne lit ce chemin",
    Text("write ALLOW {tool} IF {backlog} == 0", "écrivez ALLOW {tool} IF {backlog} == 0"),
)

UNDEFINED_GUARD_NAME = Message(
    "W128",
    "undefined-guard-name",
    "nothing defines `{name}`, so it stands for the word itself, and this rule on `{target}` compares two words",
    "rien ne définit `{name}`, qui vaut donc le mot lui-même, et cette règle sur `{target}` compare deux mots",
    Text(
        "write the whole path, as in `show.{name}`: while nothing defines that one, the rule applies",
        "écrivez le chemin entier, comme `show.{name}` : tant que rien ne le définit, la règle s'applique",
    ),
)

UNDEFINED_GUARD_WORD = Message(
    "W206",
    "undefined-guard-word",
    "nothing defines `{name}`, so this rule on `{target}` asks about the word itself, which counts as {truth}",
    "rien ne définit `{name}`, et cette règle sur `{target}` interroge donc le mot lui-même, qui compte comme {truth}",
    Text(
        "write the whole path with a comparison, as in `show.{name} == yes`",
        "écrivez le chemin entier avec une comparaison, comme `show.{name} == yes`",
    ),
)
COUNTS_AS_TRUE = Text("true", "vrai")
COUNTS_AS_FALSE = Text("false", "faux")
