"""What is said about adapters that need an extra, and about models that cannot be asked or do not answer."""

from __future__ import annotations

from agentl.messages.message import Message, Text

EXTRA_MISSING = Message(
    "H020",
    "extra-missing",
    en="{what} needs the package `{package}`, which is not installed",
    fr="{what} a besoin du paquet `{package}`, qui n'est pas installé",
    help=Text(
        en="install the extra: pip install 'agentl[{extra}]'",
        fr="installez l'extra : pip install 'agentl[{extra}]'",
    ),
)
BAD_VARIABLE = Message(
    "H023",
    "bad-variable",
    en="the environment variable {name} is a whole number from 1, not `{value}`",
    fr="la variable d'environnement {name} est un entier à partir de 1, pas `{value}`",
)
MODEL_UNUSABLE = Message(
    "H021",
    "model-unusable",
    en="the model `{model}` cannot be used: {reason}",
    fr="le modèle `{model}` n'est pas utilisable : {reason}",
    help=Text(
        en="a model is named `provider:model`; its provider may need a key in the environment or an extra of its own",
        fr="un modèle se nomme `fournisseur:modèle` ; son fournisseur peut demander une clé dans l'environnement"
        " ou un extra à lui",
    ),
)
BAD_PATIENCE = Text(
    en="{name} cannot be {value}: it is a number from 0 up",
    fr="{name} ne peut pas valoir {value} : c'est un nombre à partir de 0",
)
BAD_PRICES = Text(
    en='prices are money for a million tokens, as {{"input": "0.50", "output": "2"}}, not {value}',
    fr='les prix sont de l\'argent par million de jetons, comme {{"input": "0.50", "output": "2"}}, pas {value}',
)
# Both are recorded as the error of a question, so always said in English (decision 27).
NO_ANSWER = Text(
    en="{model} did not answer in {attempts} attempts over {seconds} s: {reason}",
    fr="{model} n'a pas répondu en {attempts} essais sur {seconds} s : {reason}",
)
REFUSED = Text(
    en="{model} cannot answer this question: {reason}",
    fr="{model} ne peut pas répondre à cette question : {reason}",
)
