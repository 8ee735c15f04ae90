"""Findings about the planner and the tools it plans with."""

from __future__ import annotations

from agentl.messages.message import Message, Text

PLANNER_WITHOUT_OPERATOR = Message(
    "W108",
    "planner-without-operator",
    "agent `{agent}` has a PLANNER, and no tool that declares what it brings about",
    "l'agent `{agent}` a un PLANNER, et aucun outil qui déclare ce qu'il produit",
    Text("give a tool EFFECT or OUTCOME, or remove PLANNER", "donnez EFFECT ou OUTCOME à un outil, ou retirez PLANNER"),
)

UNBOUND_INPUT = Message(
    "W109",
    "unbound-input",
    "the planner cannot call `{tool}`: nothing gives a value to its input `{input}`",
    "le planificateur ne peut pas appeler `{tool}` : rien ne donne de valeur à son entrée `{input}`",
    Text("write `{input}: … BIND <path>`", "écrivez `{input}: … BIND <chemin>`"),
)

UNREACHABLE_AIM = Message(
    "W110",
    "unreachable-aim",
    "no tool has an effect on what the planner is to achieve: `{aim}`",
    "aucun outil n'a d'effet sur ce que le planificateur doit atteindre : `{aim}`",
    Text("declare the EFFECT of the tool that brings it about", "déclarez l'EFFECT de l'outil qui le produit"),
)

UNBALANCED_OUTCOMES = Message(
    "W113",
    "unbalanced-outcomes",
    "the outcomes of `{tool}` have probabilities that sum to {total}, not 1",
    "les issues de `{tool}` ont des probabilités dont la somme est {total}, et non 1",
    Text(
        "the planner divides by the sum: write the probabilities you mean, or the outcome that is missing",
        "le planificateur divise par la somme : écrivez les probabilités voulues, ou l'issue qui manque",
    ),
)
RESCALE = Text("divide each probability by {total}", "diviser chaque probabilité par {total}")

MISSING_DURATION = Message(
    "W126",
    "missing-duration",
    "the planner counts time, and `{tool}` has no DURATION: it is taken to need none",
    "le planificateur compte le temps, et `{tool}` n'a pas de DURATION : sa durée est tenue pour nulle",
    Text("add DURATION, as in `DURATION 4min`", "ajoutez DURATION, comme `DURATION 4min`"),
)

UNPLANNED_OUTCOMES = Message(
    "W203",
    "unplanned-outcomes",
    "the outcomes of `{tool}` have probabilities that sum to {total}, not 1",
    "les issues de `{tool}` ont des probabilités dont la somme est {total}, et non 1",
    Text(
        "they are taken as shares of that sum: write the probabilities you mean, or the outcome that is missing",
        "elles comptent comme des parts de cette somme : écrivez celles voulues, ou l'issue qui manque",
    ),
)

UNDEFINED_BINDING = Message(
    "W208",
    "undefined-binding",
    "the planner cannot call `{tool}`: its input `{input}` is bound to `{path}`, which nothing defines",
    "le planificateur ne peut pas appeler `{tool}` : son entrée `{input}` est liée à `{path}`, que rien ne définit",
    Text(
        "observe the path, believe it, or bind the input to another one",
        "observez le chemin, croyez-le, ou liez l'entrée à un autre",
    ),
)
