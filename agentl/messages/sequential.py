"""Why a plan cannot be run as an operation that is resumed: the reasons of the sequential profile (contract §1)."""

from __future__ import annotations

from agentl.messages.message import Message, Text

_ONE_PATH = Text(
    "leave it to the caller to choose a plan, or run this one in the general profile, which is not resumed",
    "laissez l'appelant choisir un plan, ou exécutez celui-ci dans le profil général, qui ne se reprend pas",
)
_BEFORE = Text(
    "settle it before the plan starts and give the outcome as an input, or run it in the general profile",
    "réglez cela avant le début du plan et donnez le résultat en entrée, ou prenez le profil général",
)

BRANCH = Message(
    "O101",
    "branch-in-sequence",
    "{word} makes the plan `{plan}` branch: a sequential plan has one path",
    "{word} crée une branche dans le plan `{plan}` : un plan séquentiel n'a qu'un chemin",
    _ONE_PATH,
)
WITHOUT_BLOCK = Text(
    "write what stands in the block without `THEN {{ … }}`", "écrivez ce que contient le bloc sans `THEN {{ … }}`"
)
LOOP = Message(
    "O102",
    "loop-in-sequence",
    "{word} makes the plan `{plan}` loop: a sequential plan does each thing once",
    "{word} crée une boucle dans le plan `{plan}` : un plan séquentiel fait chaque chose une fois",
    Text(
        "write the calls out one after the other, or let one tool do all of it",
        "écrivez les appels l'un après l'autre, ou laissez un seul outil faire le tout",
    ),
)
FALLBACK = Message(
    "O103",
    "fallback-in-sequence",
    "{word} gives the plan `{plan}` a fallback: a sequential plan stops at the first call that does not succeed",
    "{word} donne un repli au plan `{plan}` : un plan séquentiel s'arrête au premier appel qui n'aboutit pas",
    Text(
        "let OUTPUT say what a good result is: another one stops the operation",
        "laissez OUTPUT dire ce qu'est un bon résultat : tout autre arrête l'opération",
    ),
)
NESTED_CALL = Message(
    "O104",
    "nested-call-in-sequence",
    "{word} leads out of the plan `{plan}`: a sequential plan calls tools and nothing else",
    "{word} fait sortir du plan `{plan}` : un plan séquentiel n'appelle que des outils",
    Text(
        "write the calls of the other plan here, or put what the other agent does into a tool",
        "écrivez ici les appels de l'autre plan, ou mettez dans un outil ce que fait l'autre agent",
    ),
)
INTERACTION = Message(
    "O105",
    "interaction-in-sequence",
    "{word} makes the plan `{plan}` wait for a person",
    "{word} fait attendre une personne au plan `{plan}`",
    _BEFORE,
)
MODEL = Message(
    "O106",
    "model-in-sequence",
    "{word} makes the plan `{plan}` ask a model",
    "{word} fait interroger un modèle au plan `{plan}`",
    Text(
        "put the question into a tool with an effect contract of `kind: none`, or use the general profile",
        "mettez la question dans un outil dont le contrat d'effet est `kind: none`, ou prenez le profil général",
    ),
)
MESSAGE = Message(
    "O107",
    "message-in-sequence",
    "{word} makes the plan `{plan}` send to another agent",
    "{word} fait envoyer quelque chose à un autre agent par le plan `{plan}`",
    Text(
        "send it by a tool with an effect contract of its own",
        "envoyez-le par un outil qui a son propre contrat d'effet",
    ),
)
MEMORY = Message(
    "O108",
    "memory-in-sequence",
    "{what} is memory, which an operation of the plan `{plan}` does not have",
    "{what} relève de la mémoire, qu'une opération du plan `{plan}` n'a pas",
    Text(
        "read it by a tool with an effect contract of `kind: external_read`, or give it as an input",
        "lisez-le par un outil dont le contrat d'effet est `kind: external_read`, ou donnez-le en entrée",
    ),
)
PARALLEL = Message(
    "O109",
    "parallel-in-sequence",
    "{word} splits the plan `{plan}` into branches that run at the same time",
    "{word} divise le plan `{plan}` en branches qui s'exécutent en même temps",
    Text(
        "write the branches one after the other; a parallel group has checkpoints of its own",
        "écrivez les branches l'une après l'autre ; un groupe parallèle a ses propres checkpoints",
    ),
)
APPROVAL_MISSING = Message(
    "O110",
    "approval-missing",
    "this call of `{tool}` may need an approval, and none is at hand before the start",
    "cet appel de `{tool}` peut demander une approbation, et aucune n'est donnée avant le début",
    Text(
        "store the decision for this tool and these arguments first, and name it in the message that starts the work",
        "enregistrez d'abord la décision pour cet outil et ces arguments, et nommez-la dans le message de départ",
    ),
)
APPROVAL_NOT_CONSTANT = Message(
    "O111",
    "approval-not-constant",
    "this call of `{tool}` may need an approval, and what it passes as `{argument}` is not constant",
    "cet appel de `{tool}` peut demander une approbation, et ce qu'il passe comme `{argument}` n'est pas constant",
    Text(
        "a decision before the start is about the arguments themselves: write constants, or let no rule ask for one",
        "une décision avant le début porte sur les arguments mêmes : écrivez des constantes, ou n'en demandez aucune",
    ),
)
RULE_HERE = Text("this rule asks for it", "cette règle la demande")
NO_CONTRACT = Message(
    "O112",
    "no-effect-contract",
    "`{tool}` has no effect contract in the manifest",
    "`{tool}` n'a pas de contrat d'effet dans le manifeste",
    Text(
        "bind `tool:{agent}/{tool}` in touba.manifest.json with its effect_contract, `kind: none` included",
        "liez `tool:{agent}/{tool}` dans touba.manifest.json avec son effect_contract, `kind: none` compris",
    ),
)
BOUND_INSTEAD = Text(
    "the manifest binds `{bound}`: was `{name}` meant?", "le manifeste lie `{bound}` : vouliez-vous dire `{name}` ?"
)
NO_TERMINAL = Message(
    "O113",
    "no-terminal",
    "the plan `{plan}` does not end in GIVE or STOP",
    "le plan `{plan}` ne se termine pas par GIVE ou STOP",
    Text(
        "write GIVE with its result, or STOP, as its last statement",
        "écrivez GIVE avec son résultat, ou STOP, comme dernière instruction",
    ),
)
AFTER_TERMINAL = Message(
    "O114",
    "statement-after-terminal",
    "the plan `{plan}` has ended before this statement",
    "le plan `{plan}` est terminé avant cette instruction",
    Text("remove it, or move the end of the plan behind it", "retirez-la, ou mettez la fin du plan après elle"),
)
ENDS_HERE = Text("the plan ends here", "le plan se termine ici")
GUARD_NEEDS_OBSERVATION = Message(
    "O115",
    "guard-needs-observation",
    "{place} reads `{path}`, which {source} alone could fill: the plan `{plan}` observes nothing",
    "{place} lit `{path}`, qui ne peut venir que d'{source} : le plan `{plan}` n'observe rien",
    Text(
        "call a tool of `kind: external_read` first and read its output, `<tool>.<key>`",
        "appelez d'abord un outil de `kind: external_read` et lisez sa sortie, `<outil>.<clé>`",
    ),
)
READ_AGAIN = Text(
    "REQUIRES reads what OBSERVE names again: let it read the output of a tool, or take `{path}` out of OBSERVE",
    "REQUIRES relit ce que nomme OBSERVE : qu'il lise la sortie d'un outil, ou retirez `{path}` de OBSERVE",
)
REFERENCE_COMPUTED = Message(
    "O116",
    "reference-computed",
    "`{path}` is a reference: it may only be passed on as a whole argument",
    "`{path}` est une référence : elle ne peut être transmise que comme argument entier",
    Text(
        "pass `{reference}` to a tool as it is, and let the tool do what is to be done with it",
        "passez `{reference}` telle quelle à un outil, et laissez l'outil en faire ce qu'il faut",
    ),
)
CALLED_HERE = Text("`{tool}` is called here", "`{tool}` est appelé ici")

IN_A_GUARD = Text("a policy rule on `{tool}`", "une règle de politique sur `{tool}`")
IN_REQUIRES = Text("REQUIRES of `{tool}`", "REQUIRES de `{tool}`")
IN_EFFECT = Text("an EFFECT of `{tool}`", "un EFFECT de `{tool}`")

A_SENSOR = Text("a sensor", "un capteur")
A_MODEL = Text("a model", "un modèle")
A_PERSON = Text("a person", "une personne")
A_SUB_AGENT = Text("another agent", "un autre agent")
A_MESSAGE = Text("an event or a message", "un événement ou un message")
A_PHASE = Text("a phase of the agent", "une phase de l'agent")
A_HYPOTHESIS = Text("a hypothesis", "une hypothèse")

CREDENTIAL = Message(
    "W251",
    "credential-in-constant",
    "this constant looks like a credential ({why}), and a checkpoint would hold it as it is",
    "cette constante ressemble à un secret ({why}), et un checkpoint la garderait telle quelle",
    Text(
        "give the handler `secret:<handle>` in the manifest: it is resolved at each launch and stored nowhere",
        "donnez `secret:<identifiant>` au handler dans le manifeste : résolu à chaque départ, gardé nulle part",
    ),
)
BY_FORM = Text("it has the form of {kind}", "elle a la forme {kind}")
FORMS = {
    "private-key": Text("a private key", "d'une clé privée"),
    "jwt": Text("a JSON web token", "d'un jeton JWT"),
    "aws": Text("an AWS access key", "d'une clé d'accès AWS"),
    "github": Text("a GitHub token", "d'un jeton GitHub"),
    "gitlab": Text("a GitLab token", "d'un jeton GitLab"),
    "slack": Text("a Slack token", "d'un jeton Slack"),
    "google": Text("a Google API key", "d'une clé d'API Google"),
    "stripe": Text("a Stripe key", "d'une clé Stripe"),
    "api-key": Text("an API key", "d'une clé d'API"),
    "agentl": Text("a token of `agentl token`", "d'un jeton de `agentl token`"),
    "bearer": Text("a bearer token", "d'un jeton « bearer »"),
    "address": Text("an address with a password", "d'une adresse avec mot de passe"),
}
BY_NAME = Text("it is given as `{name}`", "elle est donnée comme `{name}`")
BY_CHANCE = Text("long and random", "longue et aléatoire")
