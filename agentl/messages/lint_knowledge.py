"""Findings about what an agent observes and believes."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNUSED_OBSERVATION = Message(
    "W103",
    "unused-observation",
    "`{path}` is observed, and nothing in agent `{agent}` reads it",
    "`{path}` est observé, et rien dans l'agent `{agent}` ne le lit",
    Text("read it somewhere, or remove it from OBSERVE", "lisez-le quelque part, ou retirez-le d'OBSERVE"),
)

REMOVE_OBSERVER = Text("remove `{path}` from OBSERVE", "retirer `{path}` d'OBSERVE")
OBSERVE_TOO = Text("add {paths} to OBSERVE", "ajouter {paths} à OBSERVE")

STALE_BELIEF = Message(
    "W104",
    "stale-belief",
    "`{path}` is believed and read, and nothing ever gives it a new value",
    "`{path}` est cru et lu, et rien ne lui donne jamais de nouvelle valeur",
    Text(
        "add it to OBSERVE, let a tool or SET change it, or write the value where it is read",
        "ajoutez-le à OBSERVE, laissez un outil ou SET le changer, ou écrivez la valeur là où elle est lue",
    ),
)

SILENT_SENSOR = Message(
    "W131",
    "silent-sensor",
    "a rule on `{target}` reads `{path}`, and nothing says what holds when that sensor is silent",
    "une règle sur `{target}` lit `{path}`, et rien ne dit ce qui vaut quand ce capteur se tait",
    Text(
        "add ON UNKNOWN ESCALATE: the rule applies while the value is unknown, and a person hears of it",
        "ajoutez ON UNKNOWN ESCALATE : la règle s'applique tant que la valeur manque, et une personne l'apprend",
    ),
)
ASK_WHEN_SILENT = Text("add ON UNKNOWN ESCALATE", "ajouter ON UNKNOWN ESCALATE")

ASSUMED_READING = Message(
    "W132",
    "assumed-reading",
    "a rule on `{target}` reads `{path}`, which a silent sensor replaces by a declared value",
    "une règle sur `{target}` lit `{path}`, qu'un capteur muet remplace par une valeur déclarée",
    Text(
        "the rule then judges a guess: use ON UNKNOWN ESCALATE, or write the condition in an ALLOW",
        "la règle juge alors une supposition : prenez ON UNKNOWN ESCALATE, ou écrivez la condition dans un ALLOW",
    ),
)
RULE_READS_IT = Text("this rule reads it", "cette règle le lit")
