"""Findings about questions to models, and about what their answers decide."""

from __future__ import annotations

from agentl.messages.message import Message, Text

MALFORMED_QUESTION = Message(
    "E017",
    "malformed-question",
    "JUDGE field `{field}`: {problem}",
    "champ `{field}` de JUDGE : {problem}",
    Text(
        "the model answers what it is asked: write the question, every option and every level in words",
        "le modèle répond à ce qu'on lui demande : écrivez la question, chaque option et chaque niveau en mots",
    ),
)
BLANK_QUESTION = Text("its question is empty", "sa question est vide")
FEW_OPTIONS = Text(
    "CHOICE needs two options or more, and has {count}", "CHOICE demande deux options ou plus, et en a {count}"
)
BLANK_OPTION = Text("option `{option}` has an empty description", "l'option `{option}` a une description vide")
FEW_LEVELS = Text(
    "SCORE needs two levels or more, and has {count}", "SCORE demande deux niveaux ou plus, et en a {count}"
)
BLANK_LEVEL = Text("level {number} has an empty description", "le niveau {number} a une description vide")
IMPOSSIBLE_ABSTENTION = Text(
    "ABSTAIN BELOW {value} is not above 0 and up to 1", "ABSTAIN BELOW {value} n'est pas entre 0 exclu et 1 compris"
)

UNBOUNDED_ANSWER = Message(
    "W115",
    "unbounded-answer",
    "a rule orders `{field}`, and nothing bounds what the model may answer for it",
    "une règle ordonne `{field}`, et rien ne borne ce que le modèle peut y répondre",
    Text(
        "give it a domain, as in `{field}: Number IN [0, 1]`",
        "donnez-lui un domaine, comme `{field}: Number IN [0, 1]`",
    ),
)
COMPARED_HERE = Text("it is compared here", "il est comparé ici")

MODEL_CHOSEN_TARGET = Message(
    "W119",
    "model-chosen-target",
    "a model chooses what the risky tool `{tool}` acts on: `{input}` is made from its answer",
    "un modèle choisit sur quoi agit l'outil à risque `{tool}` : `{input}` vient de sa réponse",
    Text(
        "take the target from what is observed, or have a tool confirm it: `… : String ATTESTS {input}`",
        "prenez la cible dans ce qui est observé, ou faites-la confirmer par un outil : `… : String ATTESTS {input}`",
    ),
)

UNSCREENED_TEXT = Message(
    "W125",
    "unscreened-text",
    "a model read `{path}`, and its answer decides over the risky tool `{tool}` without a test for injection",
    "un modèle a lu `{path}`, et sa réponse décide de l'outil à risque `{tool}` sans test d'injection",
    Text(
        "put the call inside an IF on a trusted check, as in `IF letter.injection_found == no THEN {{ … }}`",
        "mettez l'appel dans un IF sur un contrôle fiable, comme `IF lettre.injection_found == no THEN {{ … }}`",
    ),
)

MISSING_USING = Message(
    "W129",
    "missing-using",
    "{word} has no USING: the model is shown all that the agent knows",
    "{word} n'a pas de USING : le modèle voit tout ce que l'agent sait",
    Text(
        "list what the question needs, as in `USING {{ letter.subject }}`",
        "listez ce dont la question a besoin, comme `USING {{ lettre.sujet }}`",
    ),
)

SHOW_ONLY = Text("show the model {paths}", "montrer au modèle {paths}")

BANNED_CONTEXT = Message(
    "W130",
    "banned-context",
    "USING {path}, of which NEVER SEND {ban} withholds all or a part",
    "USING {path}, dont NEVER SEND {ban} retient tout ou partie",
    Text(
        "the model gets a placeholder in its place: list the parts it may see",
        "le modèle reçoit un texte de remplacement : listez les parties qu'il peut voir",
    ),
)
BANNED_HERE = Text("withheld here", "retenu ici")

OVERLONG_ANSWER = Message(
    "W133",
    "overlong-answer",
    "{word} asks for {count} fields at once; above {most} answers get worse",
    "{word} demande {count} champs à la fois ; au-delà de {most} les réponses se dégradent",
    Text("ask in two statements", "demandez en deux instructions"),
)

PERMISSIVE_DEFAULT = Message(
    "W134",
    "permissive-default",
    "a rule on `{target}` depends on `{field}`: {problem}",
    "une règle sur `{target}` dépend de `{field}` : {problem}",
    Text(
        "give a DEFAULT under which the rule applies: without an answer nothing should become allowed",
        "donnez un DEFAULT sous lequel la règle s'applique : sans réponse rien ne doit devenir permis",
    ),
)
CLOSING_DEFAULT = Text("write DEFAULT {value}", "écrire DEFAULT {value}")
NO_DEFAULT = Text(
    "it has no DEFAULT for when the model does not answer", "il n'a pas de DEFAULT quand le modèle ne répond pas"
)
DEFAULT_OPENS = Text("its DEFAULT {value} lifts that rule", "son DEFAULT {value} lève cette règle")
RULE_READS_ANSWER = Text("this rule reads it", "cette règle le lit")

UNHEDGED_VERDICT = Message(
    "W136",
    "unhedged-verdict",
    "a rule on `{target}` takes the verdict `{field}` however unsure the model is of it",
    "une règle sur `{target}` prend le verdict `{field}` même quand le modèle en est peu sûr",
    Text(
        "add ABSTAIN BELOW, as in `ABSTAIN BELOW 0.8`, or read judge.{field}.p",
        "ajoutez ABSTAIN BELOW, comme `ABSTAIN BELOW 0.8`, ou lisez judge.{field}.p",
    ),
)
ABSTAIN_BELOW = Text("add ABSTAIN BELOW 0.8", "ajouter ABSTAIN BELOW 0.8")

UNLIMITED_CHOICE = Message(
    "W204",
    "unlimited-choice",
    "the REASON that chooses the plan has no USING: the model is shown all that agent `{agent}` knows",
    "le REASON qui choisit le plan n'a pas de USING : le modèle voit tout ce que l'agent `{agent}` sait",
    Text(
        "list what the choice needs, as in `USING {{ letter.subject }}`",
        "listez ce dont le choix a besoin, comme `USING {{ lettre.sujet }}`",
    ),
)

MODEL_DECIDES_OUTSIDE_PLAN = Message(
    "W207",
    "model-decides-outside-plan",
    "outside of any plan, {problem}",
    "hors de tout plan, {problem}",
)
