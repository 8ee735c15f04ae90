"""What is said about manifests: which handler carries out a tool, with which grants and which promise."""

from __future__ import annotations

from agentl.messages.message import Message, Text

TWO_MANIFESTS = Message(
    "O300",
    "two-manifests",
    "the folder has two manifests, `{one}` and `{other}`",
    "le dossier a deux manifestes, `{one}` et `{other}`",
    help=Text("keep one of them", "n'en garder qu'un"),
)
UNREADABLE = Message(
    "O301",
    "manifest-unreadable",
    "the manifest cannot be read: {reason}",
    "le manifeste est illisible : {reason}",
)
NOT_A_FILE = Message(
    "O302",
    "manifest-no-file",
    "the manifest is no regular file",
    "le manifeste n'est pas un fichier ordinaire",
)
TOO_LARGE = Message(
    "O303",
    "manifest-too-large",
    "the manifest is larger than {most} KiB",
    "le manifeste dépasse {most} Kio",
)
LEADS_OUT = Message(
    "O304",
    "manifest-leads-out",
    "the manifest is a link that leads out of its folder",
    "le manifeste est un lien qui sort de son dossier",
    help=Text("put the file itself beside the program", "placer le fichier lui-même à côté du programme"),
)
NOT_UTF8 = Message(
    "O305",
    "manifest-not-utf8",
    "the manifest is not UTF-8",
    "le manifeste n'est pas en UTF-8",
)
BYTE_ORDER_MARK = Message(
    "O306",
    "manifest-byte-order-mark",
    "the manifest begins with a byte order mark, which JSON does not have",
    "le manifeste commence par une marque d'ordre des octets (BOM), que JSON n'admet pas",
    help=Text("save it as UTF-8 without BOM", "l'enregistrer en UTF-8 sans BOM"),
)
NOT_JSON = Message(
    "O307",
    "manifest-not-json",
    "the manifest cannot be read as JSON: {reason}",
    "le manifeste ne se lit pas comme du JSON : {reason}",
)
OUT_OF_BOUNDS = Message(
    "O308",
    "manifest-out-of-bounds",
    "the manifest has a value that is not allowed: {reason}",
    "le manifeste contient une valeur qui n'est pas admise : {reason}",
    help=Text(
        "I-JSON (RFC 7493) holds: whole numbers within ±(2^53 - 1), no infinity, at most 64 levels",
        "I-JSON (RFC 7493) s'applique : nombres entiers dans ±(2^53 - 1), pas d'infini, 64 niveaux au plus",
    ),
)
DUPLICATE_KEY = Message(
    "O309",
    "manifest-duplicate-key",
    "the key {key} stands here twice",
    "la clé {key} figure ici deux fois",
    help=Text("keep one of them", "n'en garder qu'une"),
)
BOUND_TWICE = Message(
    "O310",
    "tool-bound-twice",
    "the tool {tool} is bound twice",
    "l'outil {tool} est lié deux fois",
    help=Text(
        "keep one binding; names of agents are the same when only their case differs",
        "ne garder qu'une liaison ; deux noms d'agents qui ne diffèrent que par la casse sont les mêmes",
    ),
)
WRONG_VERSION = Message(
    "O311",
    "manifest-version",
    "`manifest_version` must be `{expected}`",
    "`manifest_version` doit valoir `{expected}`",
)
UNKNOWN_FIELD = Message(
    "O312",
    "manifest-unknown-field",
    "{place} has no field {field}",
    "{place} n'a pas de champ {field}",
    help=Text("the fields are {fields}", "les champs sont {fields}"),
)
MISSING_FIELD = Message(
    "O313",
    "manifest-missing-field",
    "{place} lacks `{field}`",
    "il manque `{field}` dans {place}",
    help=Text("give it: {expected}", "l'ajouter : {expected}"),
)
WRONG_VALUE = Message(
    "O314",
    "manifest-wrong-value",
    "`{field}` must be {expected}",
    "`{field}` doit être {expected}",
)
WRONG_OBJECT = Message(
    "O323",
    "manifest-no-object",
    "{place} must be an object",
    "{place} doit être un objet",
)
TOOL_NAME = Message(
    "O315",
    "manifest-tool-name",
    "{tool} names no tool",
    "{tool} ne désigne aucun outil",
    help=Text(
        "write `tool:`, the agent's name, `/`, the tool's name: `tool:examples.orders/CreateOrder`",
        "écrire `tool:`, le nom de l'agent, `/`, le nom de l'outil : `tool:examples.orders/CreateOrder`",
    ),
)
GRANT = Message(
    "O316",
    "manifest-grant",
    "{grant} is no grant",
    "{grant} n'est pas une autorisation",
    help=Text(
        "a grant is `network`, `env:NAME`, `fs-read:PATH`, `fs-write:PATH` or `secret:handle`",
        "une autorisation est `network`, `env:NOM`, `fs-read:CHEMIN`, `fs-write:CHEMIN` ou `secret:identifiant`",
    ),
)
GRANT_TWICE = Message(
    "O317",
    "manifest-grant-twice",
    "{grant} is granted twice",
    "{grant} est accordé deux fois",
)
RESERVED_VARIABLE = Message(
    "O318",
    "manifest-reserved-variable",
    "the environment variable `{name}` cannot be granted",
    "la variable d'environnement `{name}` ne peut pas être accordée",
    help=Text(
        "PATH and LANG are set for every handler; what begins with AGENTL_ or LD_ is never handed over",
        "PATH et LANG sont fixés pour chaque handler ; ce qui commence par AGENTL_ ou LD_ n'est jamais transmis",
    ),
)
UNGRANTED_VARIABLE = Message(
    "O319",
    "manifest-ungranted-variable",
    "the path begins with `${name}`, which is not granted",
    "le chemin commence par `${name}`, qui n'est pas accordé",
    help=Text("grant `env:{name}` as well", "accorder aussi `env:{name}`"),
)
VARIABLE_OF_SECRET = Message(
    "O320",
    "manifest-variable-of-secret",
    "`env:{name}` and `secret:{handle}` would be the same variable",
    "`env:{name}` et `secret:{handle}` seraient la même variable",
    help=Text("rename one of them", "renommer l'un des deux"),
)
PATH_LEADS_OUT = Message(
    "O321",
    "manifest-path-leads-out",
    "`{field}` must be a path inside the manifest's folder",
    "`{field}` doit être un chemin à l'intérieur du dossier du manifeste",
    help=Text(
        "write it relative to the folder, without `..` that leaves it; a command without `/` is looked up in PATH",
        "l'écrire relativement au dossier, sans `..` qui en sorte ; une commande sans `/` est cherchée dans PATH",
    ),
)
KEY_LIFE_NOT_V1 = Message(
    "O322",
    "manifest-key-life",
    "`key_life_ms` is read in `{own}` only",
    "`key_life_ms` n'est lu que dans `{own}`",
    help=Text("rename the file to {own}, or leave the field out", "renommer le fichier en {own}, ou retirer le champ"),
)

THE_MANIFEST = Text("the manifest", "le manifeste")
A_BINDING = Text("the binding of {tool}", "la liaison de {tool}")
A_HANDLER = Text("the handler of {tool}", "le handler de {tool}")
A_PROCESS = Text("the process handler of {tool}", "le handler process de {tool}")
A_FUNCTION = Text("the python handler of {tool}", "le handler python de {tool}")
A_CONTRACT = Text("the effect contract of {tool}", "le contrat d'effet de {tool}")

AN_OBJECT = Text("an object", "un objet")
A_LIST = Text("a list of texts", "une liste de textes")
A_TEXT = Text("a text that is not empty and has no NUL", "un texte non vide et sans NUL")
AN_ARGUMENT = Text("a text without NUL", "un texte sans NUL")
ONE_OF = Text("one of {choices}", "une valeur parmi {choices}")
A_NUMBER = Text("a whole number from {least} to {most}", "un nombre entier de {least} à {most}")
MODULE_FUNCTION = Text(
    "a module and its function, as in `orders.handlers:create`",
    "un module et sa fonction, comme dans `orders.handlers:create`",
)
DID_YOU_MEAN = Text("did you mean `{name}`?", "vouliez-vous dire `{name}` ?")
FIRST_HERE = Text("it stands here before", "déjà présent ici")
