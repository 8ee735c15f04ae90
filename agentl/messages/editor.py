"""What the language server says: in hovers, in menus, and when something cannot be done."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNUSABLE_MESSAGE = Text(
    "agentl: a message of the editor could not be used ({kind})",
    "agentl : un message de l'éditeur n'a pas pu être utilisé ({kind})",
)
CHECK_FAILED = Text(
    "agentl: internal error while checking ({kind}); the findings shown may be old",
    "agentl : erreur interne pendant la vérification ({kind}) ; les constats affichés peuvent être anciens",
)

RENAME_NEEDS_PROGRAM = Message(
    "C150",
    "rename-needs-program",
    "nothing can be renamed while the text is no program",
    "rien ne peut être renommé tant que le texte n'est pas un programme",
)
NOTHING_TO_RENAME = Message(
    "C151",
    "nothing-to-rename",
    "there is no name here",
    "il n'y a pas de nom ici",
)
RENAME_OF_LANGUAGE = Message(
    "C152",
    "rename-of-language",
    "`{name}` is a word of the language",
    "`{name}` est un mot du langage",
)
RENAME_OF_RUN = Message(
    "C153",
    "rename-of-run",
    "`{name}` is given its value by the run itself",
    "`{name}` reçoit sa valeur de l'exécution elle-même",
)
RENAME_OF_DOTTED = Message(
    "C154",
    "rename-of-dotted",
    "`{name}` has several segments and is renamed as a whole: by hand",
    "`{name}` a plusieurs segments et se renomme en entier : à la main",
)
RENAME_OF_UNDECLARED = Message(
    "C155",
    "rename-of-undeclared",
    "nothing in the program declares `{name}` or gives it a value: it is a word for itself",
    "rien dans le programme ne déclare `{name}` ni ne lui donne de valeur : c'est un mot pour lui-même",
)
RENAME_OF_SHIPPED = Message(
    "C156",
    "rename-of-shipped",
    "`{name}` comes from {file}, which ships with the language",
    "`{name}` vient de {file}, livré avec le langage",
)
RENAME_TO_NO_NAME = Message(
    "C157",
    "rename-to-no-name",
    "`{name}` is no name: a letter or `_`, then letters, digits and `_`",
    "`{name}` n'est pas un nom : une lettre ou `_`, puis des lettres, des chiffres et `_`",
)
RENAME_TO_RESERVED = Message(
    "C158",
    "rename-to-reserved",
    "`{name}` is a reserved word",
    "`{name}` est un mot réservé",
)
RENAME_TO_RUN = Message(
    "C159",
    "rename-to-run",
    "`{name}` is a name that the run itself gives values to",
    "`{name}` est un nom auquel l'exécution donne elle-même des valeurs",
)
RENAME_CLASHES = Message(
    "C160",
    "rename-clashes",
    "`{name}` is taken: {file}:{line}",
    "`{name}` est déjà pris : {file}:{line}",
)
NO_STREAMS = Message(
    "C161",
    "no-streams",
    "the language server needs standard input, output and error; one of them is closed",
    "le serveur de langage a besoin de l'entrée, de la sortie et de l'erreur standard ; l'une d'elles est fermée",
    help=Text("an editor starts it, and speaks to it there", "c'est un éditeur qui le lance et lui parle par là"),
)
RULES_FAILED = Message(
    "C162",
    "rules-failed",
    "a fault of agentl: these rules broke off, and what they would have found here is missing: {rules}",
    "une faute d'agentl : ces règles ont échoué, et ce qu'elles auraient trouvé ici manque : {rules}",
    Text("please pass the program on", "merci de transmettre le programme"),
)

IN_HOST = Text("the host registers it by this name", "l'hôte l'enregistre sous ce nom")
HOST_NAMES_IT = Text(
    "the host names `{name}` too, and was not changed: {files}",
    "l'hôte nomme aussi `{name}`, et n'a pas été modifié : {files}",
)

# --- Menus ------------------------------------------------------------------------------------------------------------

UNSAFE_FIX = Text("{title} (may change the meaning)", "{title} (peut changer le sens)")
FIX_ALL = Text("Apply every safe fix: {count}", "Appliquer toutes les corrections sûres : {count}")
SUPPRESS = Text("Suppress {code} here, with a reason", "Supprimer {code} ici, avec une raison")
REASON_PLACEHOLDER = Text("reason", "raison")

# --- Hovers -----------------------------------------------------------------------------------------------------------

RULES_ON = Text("Policy rules on it", "Règles de politique qui le concernent")
NO_RULES = Text("No policy rule names it", "Aucune règle de politique ne le nomme")
DEFAULT_IS = Text("otherwise DEFAULT {word}", "sinon DEFAULT {word}")
SIDE_EFFECTS = Text("Side effects", "Effets de bord")
EFFECTS = Text("Brings about", "Produit")
REQUIRES = Text("Requires", "Exige")
RISK_IS = Text("risk {word}", "risque {word}")
COST_IS = Text("cost {number}", "coût {number}")
DURATION_IS = Text("duration {number}", "durée {number}")
WRITTEN_BY = Text("Given a value by", "Reçoit une valeur de")
NEVER_WRITTEN = Text(
    "Nothing in the program gives it a value: a word for itself, or unknown",
    "Rien dans le programme ne lui donne de valeur : un mot pour lui-même, ou inconnu",
)
READ_BY = Text("Read by", "Lu par")
NEVER_READ = Text("Nothing reads it", "Rien ne le lit")
SUPPOSED_IN = Text("scenarios that suppose it: {count}", "scénarios qui le supposent : {count}")
MORE_PLACES = Text("and {count} more", "et {count} de plus")
COVERS = Text("Holds for", "Vaut pour")
EVERY_TOOL = Text("every tool", "tous les outils")
GUARD_READS = Text("The condition reads", "La condition lit")
NO_VALUE = Text("nothing gives it a value", "rien ne lui donne de valeur")
STARTED_BY = Text("Named by", "Nommé par")
INPUT_OF = Text("input of `{tool}`", "entrée de `{tool}`")
OUTPUT_OF = Text("output of `{tool}`; read as `{tool}.{name}`", "sortie de `{tool}` ; lue comme `{tool}.{name}`")
BOUND_TO = Text("bound to `{path}`", "liée à `{path}`")
ATTESTED_BY = Text("attested by `{tool}`", "attestée par `{tool}`")
PRIOR_IS = Text("prior {number}", "a priori {number}")
THRESHOLD_IS = Text("threshold {number}", "seuil {number}")
EVIDENCE_COUNT = Text("items of evidence: {count}", "éléments de preuve : {count}")
TURNS_OF = Text("each turn of", "à chaque tour de")
SENT_BY = Text("Sent by", "Envoyé par")
WHAT_IT_FINDS = Text("What it finds", "Ce qu'elle trouve")
WHY_IT_MATTERS = Text("Why it matters", "Pourquoi c'est important")
BETTER = Text("Better", "Mieux")

# The functions of expressions (syntax.md §2.4).
FUNCTIONS = {
    "CONFIDENCE": Text("the confidence of that belief; 0 without one", "la confiance de cette croyance ; 0 sans elle"),
    "UNCERTAINTY": Text("1 minus the confidence; 1 without one", "1 moins la confiance ; 1 sans elle"),
    "P": Text("the posterior of a hypothesis; 0 before the first", "l'a posteriori d'une hypothèse ; 0 avant"),
    "PROBABILITY": Text("the posterior of a hypothesis; the same as P", "l'a posteriori d'une hypothèse ; comme P"),
    "POSTERIOR": Text("the posterior of a hypothesis; the same as P", "l'a posteriori d'une hypothèse ; comme P"),
    "ORIGIN": Text("where the value came from, as a sorted list", "d'où vient la valeur, en liste triée"),
    "UNTRUSTED": Text("did an untrusted source have a part in it?", "une source non sûre y a-t-elle contribué ?"),
    "TRUSTED": Text("did no untrusted source have a part in it?", "aucune source non sûre n'y a-t-elle contribué ?"),
    "LLM_DERIVED": Text("did a model have a part in it?", "un modèle y a-t-il contribué ?"),
    "ATTESTED": Text(
        "has a tool (or that one) accepted the value as an argument?",
        "un outil (ou celui-là) a-t-il accepté la valeur en argument ?",
    ),
    "len": Text("how many elements; 0 of what has none", "combien d'éléments ; 0 pour ce qui n'en a pas"),
    "abs": Text("the number without its sign", "le nombre sans son signe"),
    "min": Text("the smallest", "le plus petit"),
    "max": Text("the greatest", "le plus grand"),
    "round": Text("rounded, to so many digits", "arrondi, à autant de chiffres"),
}
