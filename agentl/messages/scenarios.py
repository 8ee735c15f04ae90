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

# -- why a scenario is red without an expectation failing (scenario.md §8)

BAD_GIVEN = Message(
    "R201",
    "given-without-value",
    "GIVEN {path}: {reason}",
    "GIVEN {path} : {reason}",
    Text('a word with a dash needs quotes, as in "web-07"', 'un mot avec un tiret veut des guillemets : "web-07"'),
)
BAD_STIMULUS = Message(
    "R202",
    "stimulus-without-value",
    "GIVEN {stimulus}, key {key}: {reason}",
    "GIVEN {stimulus}, clé {key} : {reason}",
)
NO_HANDLER = Message(
    "R203",
    "stimulus-without-handler",
    "GIVEN {stimulus}: the agent has no {handler} for it",
    "GIVEN {stimulus} : l'agent n'a pas de {handler} pour cela",
)
NOT_CONSUMED = Message(
    "R204",
    "stimulus-not-consumed",
    "GIVEN {stimulus}: nothing took it",
    "GIVEN {stimulus} : rien ne l'a pris",
    Text(
        "the loop needs RECEIVE for messages and SELECT_PLAN for events",
        "la boucle a besoin de RECEIVE pour les messages et de SELECT_PLAN pour les événements",
    ),
)
AMBIGUOUS_OUTCOME = Message(
    "R205",
    "ambiguous-outcome",
    "ambiguous outcome: a call of `{tool}` may end as {outcomes}",
    "issue ambiguë : un appel de `{tool}` peut finir par {outcomes}",
    Text("pose scenario.outcome.{tool} in GIVEN", "posez scenario.outcome.{tool} dans GIVEN"),
)
UNKNOWN_OUTCOME = Message(
    "R206",
    "unknown-outcome",
    "scenario.outcome.{tool} is `{outcome}`; the possible outcomes are {outcomes}",
    "scenario.outcome.{tool} vaut `{outcome}` ; les issues possibles sont {outcomes}",
)
UNDEFINED_EFFECT = Message(
    "R207",
    "undefined-effect",
    "the effect of `{tool}` on `{path}`: {reason}",
    "l'effet de `{tool}` sur `{path}` : {reason}",
)
OUTPUT_NOT_POSED = Message(
    "R208",
    "output-not-posed",
    "output not posed: what `{tool}` returns as `{output}` is not known",
    "sortie non posée : ce que `{tool}` rend comme `{output}` n'est pas connu",
    Text("pose {tool}.{output} in GIVEN", "posez {tool}.{output} dans GIVEN"),
)
PLAN_NOT_POSED = Message(
    "R209",
    "plan-not-posed",
    "the model is asked for a plan, and llm.plan is not posed",
    "un plan est demandé au modèle, et llm.plan n'est pas posé",
    Text("pose llm.plan in GIVEN, one of {plans}", "posez llm.plan dans GIVEN, l'un de {plans}"),
)
UNKNOWN_PLAN = Message(
    "R210",
    "posed-plan-unknown",
    "llm.plan is `{plan}`; the plans are {plans}",
    "llm.plan vaut `{plan}` ; les plans sont {plans}",
)
ERROR_IN_RUN = Message(
    "R211",
    "error-in-scenario",
    "ERROR in tick {tick}: {text}",
    "ERROR au tick {tick} : {text}",
)
EXCEPTION = Message(
    "R212",
    "scenario-broke-off",
    "broken off by {kind}: {text}",
    "interrompu par {kind} : {text}",
)
NO_VALUE = Text("it has no value ({detail})", "sans valeur ({detail})")
UNDEFINED_VALUE = Text("its value is undefined", "sa valeur est indéfinie")
NOT_POSED_BEFORE = Text("`{path}` is not posed before it", "`{path}` n'est pas posé avant")
NO_FUNCTION_HERE = Text("`{name}` is not a function of GIVEN", "`{name}` n'est pas une fonction de GIVEN")
