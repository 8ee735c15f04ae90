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
ONE_TICK = Text("write WITHIN 1", "écrire WITHIN 1")
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
UNTESTED_RISK = Message(
    "W124",
    "untested-risk",
    "tool `{tool}` has risk {risk}, and no scenario expects anything of its effects",
    "l'outil `{tool}` a le risque {risk}, et aucun scénario n'attend rien de ses effets",
    Text(
        "write a SCENARIO whose EXPECT {{ … }} reads one of its effects; a scenario of what must not happen counts",
        "écrivez un SCENARIO dont EXPECT {{ … }} lit l'un de ses effets ; dire ce qui ne doit pas arriver compte aussi",
    ),
)
NO_EFFECTS = Text(
    "it declares no EFFECT: declare what it brings about, and expect it in a SCENARIO",
    "il ne déclare pas d'EFFECT : déclarez ce qu'il produit, et attendez-le dans un SCENARIO",
)

# -- why a scenario is red without an expectation failing (scenario.md §8)

BAD_GIVEN = Message(
    "R201",
    "given-without-value",
    "GIVEN {path}: {reason}",
    "GIVEN {path} : {reason}",
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
NO_OUTCOME = Message(
    "R213",
    "no-possible-outcome",
    "every outcome of `{tool}` has probability 0",
    "chaque issue de `{tool}` a la probabilité 0",
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
DASH = Text(
    "it is read as a subtraction ({detail}); a word with a dash needs quotes",
    "c'est lu comme une soustraction ({detail}) ; un mot avec un tiret veut des guillemets",
)
NO_VALUE = Text("it has no value ({detail})", "sans valeur ({detail})")
UNDEFINED_VALUE = Text("its value is undefined", "sa valeur est indéfinie")
NOT_POSED_BEFORE = Text("`{path}` is not posed before it", "`{path}` n'est pas posé avant")
NO_FUNCTION_HERE = Text("`{name}` is not a function of GIVEN", "`{name}` n'est pas une fonction de GIVEN")

# -- the report of `agentl test` (scenario.md §9)

NO_SCENARIO = Message(
    "C060",
    "no-scenario",
    "agent `{agent}` has no scenario: nothing tests it",
    "l'agent `{agent}` n'a pas de scénario : rien ne le teste",
    Text("write a SCENARIO, or give --allow-empty", "écrivez un SCENARIO, ou donnez --allow-empty"),
)
NOTHING_TO_TEST = Message(
    "C061",
    "nothing-to-test",
    "nothing to test below `{path}`: 0 files",
    "rien à tester sous `{path}` : 0 fichier",
    Text("programs are files named *.agent", "les programmes sont les fichiers nommés *.agent"),
)
EMPTY_ALLOWED = Text("agent `{agent}` has no scenario", "l'agent `{agent}` n'a pas de scénario")
AGENT = Text("agent {agent}", "agent {agent}")
GREEN = Text("green", "vert")
RED = Text("red", "rouge")
INVALID = Text("red (invalid scenario)", "rouge (scénario non valide)")
HELP = Text("help", "aide")
SATISFIED = Text("satisfied at tick {tick}/{bound}", "satisfait au tick {tick}/{bound}")
HELD = Text("invariant held over {ticks}/{bound} ticks", "invariant tenu sur {ticks}/{bound} ticks")
MET = Text("assertions met over {ticks}/{bound} ticks", "assertions tenues sur {ticks}/{bound} ticks")
NEVER_TRUE = Text(
    "never true over {ticks}/{bound} ticks: {expression}",
    "jamais vrai sur {ticks}/{bound} ticks : {expression}",
)
BROKEN = Text("broken at tick {tick}: {expression}", "rompu au tick {tick} : {expression}")
NOT_MET = Text("not met: EXPECT {assertion}", "non tenu : EXPECT {assertion}")
SUMMARY = Text(
    "files: {files} · agents: {agents} · scenarios: {scenarios} · green: {green} · red: {red} · invalid: {invalid}"
    " · agents without scenario: {empty_agents} · not tested: {not_tested}",
    "fichiers : {files} · agents : {agents} · scénarios : {scenarios} · verts : {green} · rouges : {red}"
    " · non valides : {invalid} · agents sans scénario : {empty_agents} · non testés : {not_tested}",
)
BELOW_MINIMUM = Message(
    "C062",
    "coverage-below-minimum",
    "coverage is too low: {share}, and {minimum} % is asked for",
    "la couverture est trop basse : {share}, et {minimum} % sont demandés",
    Text("each part that is not reached is listed", "chaque partie non atteinte est listée"),
)
COVERAGE_OF = Text("coverage of {file}, agent {agent}: {counts}", "couverture de {file}, agent {agent} : {counts}")
NOT_REACHED = Text("not reached: {part} ({place})", "non atteint : {part} ({place})")
LINE = Text("line {line}", "ligne {line}")
COVERAGE = Text("coverage: {share} ({reached} of {total})", "couverture : {share} ({reached} sur {total})")
NOTHING_TO_REACH = Text("nothing to reach", "rien à atteindre")
RULES = Text("rules", "règles")
TOOLS = Text("tools", "outils")
PLANS = Text("plans", "plans")
EVENTS = Text("events", "événements")
MESSAGES = Text("messages", "messages")
OPTION_COVERAGE = Text(
    "Show which rules, tools, plans and handlers no scenario reaches.",
    "Montre les règles, outils, plans et gestionnaires qu'aucun scénario n'atteint.",
)
OPTION_MINIMUM = Text(
    "End with 1 when less than this share of them is reached, in percent.",
    "Finit par 1 si une moindre part en est atteinte, en pour cent.",
)
OPTION_FORMAT = Text("How to write the report: text, json or junit.", "Forme du rapport : text, json ou junit.")
OPTION_TRACE = Text("Show the trace of every scenario.", "Montre la trace de chaque scénario.")
OPTION_ALLOW_EMPTY = Text("Accept agents without scenario.", "Accepte les agents sans scénario.")
OPTION_OUTPUT = Text(
    "Write the report to this file; the counts are still shown.",
    "Écrit le rapport dans ce fichier ; les totaux restent affichés.",
)
PATHS = Text("Programs, and folders with programs.", "Programmes, et dossiers contenant des programmes.")
