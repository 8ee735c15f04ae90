"""What is said about scenarios: findings of `check`, and the report of `agentl test` (scenario.md)."""

from __future__ import annotations

from agentl.messages.message import Message, Text

# -- findings of `check`

NO_TICK_LEFT = Message(
    "E010",
    "no-tick-left",
    "scenario `{scenario}` has WITHIN {within}: no tick would run",
    "le scénario `{scenario}` a WITHIN {within} : aucun tick ne s'exécuterait",
    Text("write WITHIN 1 or more, or remove it for one tick", "écrivez WITHIN 1 ou plus, ou retirez-le pour un tick"),
)
UNKNOWN_ASSERTION_TARGET = Message(
    "E014",
    "unknown-assertion-target",
    "EXPECT {assertion} {target}: agent `{agent}` has no {kind} `{target}`",
    "EXPECT {assertion} {target} : l'agent `{agent}` n'a pas de {kind} `{target}`",
    Text("name a declared tool or event", "nommez un outil ou un événement déclaré"),
)
UNKNOWN_GIVEN_PATH = Message(
    "W117",
    "unknown-given-path",
    "GIVEN poses `{path}`, which nothing in agent `{agent}` senses, believes or produces",
    "GIVEN pose `{path}`, que rien dans l'agent `{agent}` n'observe, ne croit ni ne produit",
    Text(
        "correct the path, or add it to OBSERVE or BELIEF; the scenario is red until then",
        "corrigez le chemin, ou ajoutez-le à OBSERVE ou BELIEF ; d'ici là, le scénario est rouge",
    ),
)
UNPRODUCED_EXPECTATION = Message(
    "W118",
    "unproduced-expectation",
    "nothing that agent `{agent}` does can change `{expression}`",
    "rien de ce que fait l'agent `{agent}` ne peut changer `{expression}`",
    Text(
        "expect something that a tool, SET or a model's answer brings about; the scenario is red until then",
        "attendez ce qu'un outil, SET ou une réponse du modèle produit ; d'ici là, le scénario est rouge",
    ),
)
