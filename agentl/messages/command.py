"""Messages of the command line (codes C) and the one-line summary of each command."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNKNOWN_COMMAND = Message(
    "C001",
    "unknown-command",
    "no command is called `{name}`",
    "aucune commande ne s'appelle `{name}`",
    help=Text("`{program} --help` lists the commands", "`{program} --help` donne la liste des commandes"),
)
NO_COMMAND = Message(
    "C002",
    "no-command",
    "no command was given",
    "aucune commande n'a été donnée",
    help=Text("`{program} --help` lists the commands", "`{program} --help` donne la liste des commandes"),
)
UNKNOWN_OPTION = Message(
    "C003",
    "unknown-option",
    "`{program}` has no option `{name}`",
    "`{program}` n'a pas d'option `{name}`",
    help=Text("`{program} --help` lists the options", "`{program} --help` donne la liste des options"),
)
MISSING_ARGUMENT = Message(
    "C004",
    "missing-argument",
    "`{program}` needs `{name}`",
    "`{program}` a besoin de `{name}`",
    help=Text("`{program} --help` shows the usage", "`{program} --help` montre l'usage"),
)
BAD_VALUE = Message(
    "C005",
    "bad-option-value",
    "`{name}` cannot take this value: {detail}",
    "`{name}` n'accepte pas cette valeur : {detail}",
)
EXTRA_ARGUMENT = Message(
    "C006",
    "extra-argument",
    "`{program}` does not take so many arguments",
    "`{program}` n'accepte pas autant d'arguments",
    help=Text("`{program} --help` shows the usage", "`{program} --help` montre l'usage"),
)
BAD_USAGE = Message(
    "C007",
    "bad-usage",
    "the command line cannot be understood: {detail}",
    "la ligne de commande n'est pas comprise : {detail}",
)
UNKNOWN_LANGUAGE = Message(
    "C008",
    "unknown-language",
    "`--lang` is `en` or `fr`, not `{name}`",
    "`--lang` vaut `en` ou `fr`, pas `{name}`",
)
OPTIONS_EXCLUDE = Message(
    "C009",
    "options-exclude-each-other",
    "`{first}` and `{second}` exclude each other",
    "`{first}` et `{second}` s'excluent",
)
CANNOT_READ = Message(
    "C010",
    "cannot-read",
    "`{path}` cannot be read: {reason}",
    "`{path}` ne peut pas être lu : {reason}",
)
CANNOT_WRITE = Message(
    "C011",
    "cannot-write",
    "`{path}` cannot be written: {reason}",
    "`{path}` ne peut pas être écrit : {reason}",
)
TARGET_IS_INPUT = Message(
    "C013",
    "target-is-input",
    "`{path}` is what is read; it is not written over",
    "`{path}` est ce qui est lu ; il n'est pas écrasé",
)
TARGET_OF_A_RUN = Message(
    "C014",
    "target-of-a-run",
    "`{path}` belongs to a run folder; it is not written over",
    "`{path}` appartient à un répertoire d'exécution ; il n'est pas écrasé",
)
EMPTY_FOLDER = Message(
    "C015",
    "folder-not-named",
    "the folder of the run has no name (is a variable empty?)",
    "le répertoire d'exécution n'a pas de nom (une variable vide ?)",
)
NOT_A_FOLDER = Message(
    "C016",
    "not-a-folder",
    "`{path}` is not a folder",
    "`{path}` n'est pas un dossier",
)
NOTHING_TO_CHECK = Message(
    "C012",
    "nothing-to-check",
    "nothing to check below `{path}`: 0 files",
    "rien à vérifier sous `{path}` : 0 fichier",
    help=Text("programs are files named *.agent", "les programmes sont les fichiers nommés *.agent"),
)
INTERNAL_ERROR = Message(
    "C070",
    "internal-error",
    "internal error ({kind}); the report is in `{path}`",
    "erreur interne ({kind}) ; le rapport est dans `{path}`",
    help=Text(
        "this is a fault of agentl: please pass the report on; it holds no values of the program",
        "c'est une faute d'agentl : merci de transmettre le rapport ; il ne contient aucune valeur du programme",
    ),
)
NO_REPORT = Message(
    "C071",
    "internal-error-unreported",
    "internal error ({kind}); no report could be written",
    "erreur interne ({kind}) ; aucun rapport n'a pu être écrit",
)
CUT_SHORT = Message(
    "C073",
    "cut-short-by-the-host",
    "the host raised {kind}, which is no ordinary error and ends the process; where is in `{path}`",
    "l'hôte a levé {kind}, qui n'est pas une erreur ordinaire et met fin au processus ; l'endroit est dans `{path}`",
    help=Text(
        "raise an Exception; a durable run goes on with the same command, calls in flight have no result",
        "levez une Exception ; une exécution durable reprend par la même commande, sans résultat des appels en cours",
    ),
)
INTERRUPTED = Message("C130", "interrupted", "interrupted", "interrompu")
TERMINATED = Message("C143", "terminated", "told to stop", "arrêt demandé")

EXPECTED_WHOLE_NUMBER = Text("a whole number is expected", "un nombre entier est attendu")
EXPECTED_NUMBER = Text("a number is expected", "un nombre est attendu")
EXPECTED_CHOICE = Text("expected one of {choices}", "valeurs possibles : {choices}")
EXPECTED_OTHER = Text("another value is expected", "une autre valeur est attendue")

NO_SUCH_FILE = Text("there is no such file", "ce fichier n'existe pas")
IS_A_FOLDER = Text("it is a folder", "c'est un dossier")
NO_RIGHT = Text("permission is denied", "l'accès est refusé")

PROGRAM_HELP = Text(
    "A language for agents that may touch the real world.",
    "Un langage pour des agents qui agissent sur le monde réel.",
)
OPTION_LANGUAGE = Text("Language of the messages: en or fr.", "Langue des messages : en ou fr.")
OPTION_VERSION = Text("Show the version and exit.", "Affiche la version et s'arrête.")

# The one-line summary of each command: what `agentl --help` shows without loading any.
SUMMARIES = {
    "check": Text(
        "Check programs without running them.",
        "Vérifie des programmes sans les exécuter.",
    ),
    "compile": Text(
        "Compile a program to canonical JSON, or print its digest.",
        "Compile un programme en JSON canonique, ou affiche son empreinte.",
    ),
    "config": Text(
        "Show what the configuration says about a program.",
        "Montre ce que la configuration dit d'un programme.",
    ),
    "diff": Text(
        "Show what differs between two programs, by rule and statement.",
        "Montre ce qui diffère entre deux programmes, par règle et instruction.",
    ),
    "durable": Text(
        "Inspect, export and verify the folder of a durable run.",
        "Examine, exporte et vérifie le dossier d'une exécution durable.",
    ),
    "explain": Text(
        "Explain a code of a finding or an error.",
        "Explique le code d'un constat ou d'une erreur.",
    ),
    "fmt": Text(
        "Give programs their one canonical layout.",
        "Donne aux programmes leur mise en page canonique.",
    ),
    "infer": Text(
        "Show each hypothesis and its evidence, without acting.",
        "Montre chaque hypothèse et ses preuves, sans agir.",
    ),
    "init": Text(
        "Make a new program with host, scenarios, test and continuous integration.",
        "Crée un nouveau programme avec hôte, scénarios, test et intégration continue.",
    ),
    "lsp": Text(
        "Serve an editor: the language server on standard input and output.",
        "Sert un éditeur : le serveur de langage sur l'entrée et la sortie standard.",
    ),
    "mcp": Text(
        "List the tools of MCP servers, or import them as programs.",
        "Liste les outils de serveurs MCP, ou les importe en programmes.",
    ),
    "new": Text(
        "For whoever works on agentl: the files of a new lint rule.",
        "Pour qui travaille sur agentl : les fichiers d'une nouvelle règle.",
    ),
    "operation": Text(
        "Run, inspect and recover operations of a folder.",
        "Exécute, examine et reprend les opérations d'un dossier.",
    ),
    "plan": Text(
        "Show what the planner would do now, without acting.",
        "Montre ce que ferait le planificateur, sans agir.",
    ),
    "replay": Text(
        "Derive an ended run again from its journal, with no effect.",
        "Re-dérive une exécution terminée depuis son journal, sans effet.",
    ),
    "run": Text(
        "Run a program; with --durable, start or resume it.",
        "Exécute un programme ; avec --durable, le démarre ou le reprend.",
    ),
    "test": Text(
        "Play the scenarios of programs against their declared world.",
        "Joue les scénarios des programmes contre leur monde déclaré.",
    ),
}

COMPILE_FILE = Text("The program, or - for standard input.", "Le programme, ou - pour l'entrée standard.")
COMPILE_OUTPUT = Text("Write here instead of standard output.", "Écrit ici plutôt que sur la sortie standard.")
COMPILE_FORMAT = Text(
    "json: canonical JSON, as it is hashed; text: an outline for people.",
    "json : JSON canonique, tel qu'il est haché ; text : un plan pour les personnes.",
)
COMPILE_DIGEST = Text("Print the program's digest only.", "N'affiche que l'empreinte du programme.")

CHECK_PATHS = Text(
    "Programs, folders of *.agent files, patterns, or - for standard input.",
    "Programmes, dossiers de fichiers *.agent, motifs, ou - pour l'entrée standard.",
)
CHECK_PROFILE = Text(
    "Which rules: reference, strict for more warnings, sequential for plans that are to be resumed as operations too, "
    "or compat for those of AGENT-L 1.10 alone.",
    "Quelles règles : reference, strict pour plus d'avertissements, sequential pour les plans à reprendre comme "
    "opérations, ou compat pour celles d'AGENT-L 1.10 seules.",
)
CHECK_FORMAT = Text(
    "How the report is written: text, or one line a finding (concise), or for code hosts and programs.",
    "Forme du rapport : text, ou une ligne par constat (concise), ou pour forges et programmes.",
)
CHECK_OUTPUT_FILE = Text(
    "Write the report to this file, whole or not at all.",
    "Écrire le rapport dans ce fichier, en entier ou pas du tout.",
)
CHECK_STATISTICS = Text(
    "Count what each rule found, and what can be fixed, in place of the findings.",
    "Compter ce que chaque règle a trouvé, et ce qui se corrige, au lieu des constats.",
)
CHECK_CATEGORY = Text(
    "Name of this analysis in SARIF, to tell several of one repository apart; by default the paths.",
    "Nom de cette analyse en SARIF, pour en distinguer plusieurs d'un même dépôt ; par défaut les chemins.",
)
CHECK_NO_CACHE = Text(
    "Check every program, also those known to be clean since they last changed (always so where CI is set).",
    "Contrôler aussi les programmes sans constat qui n'ont pas changé depuis (toujours ainsi si CI est défini).",
)
CHECK_SUMMARY = Text(
    "files: {files} · agents: {agents} · policy rules: {policy_rules} · checks: {checks}"
    " · errors: {errors} · warnings: {warnings} · suppressed: {suppressed}",
    "fichiers : {files} · agents : {agents} · règles de politique : {policy_rules} · contrôles : {checks}"
    " · erreurs : {errors} · avertissements : {warnings} · supprimés : {suppressed}",
)
STDIN_FILENAME = Text(
    "What standard input is called in messages.",
    "Nom de l'entrée standard dans les messages.",
)
OPTION_FORMAT = Text("How to write the result: text or json.", "Forme du résultat : text ou json.")

# Headings of the help pages, which the option parser writes in English.
HEADINGS = (
    Text("Usage:", "Usage :"),
    Text("Options:", "Options :"),
    Text("Arguments:", "Arguments :"),
    Text("Commands:", "Commandes :"),
    Text("Show this message and exit.", "Affiche cette aide et s'arrête."),
    Text("[required]", "[obligatoire]"),
    Text("[default: ", "[par défaut : "),
    Text("; required]", "; obligatoire]"),
)
