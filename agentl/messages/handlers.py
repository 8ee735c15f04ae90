"""What is said about handlers and their launches: O20 what stands against a start, O21 secrets, O22 ends of a call,
O23 answers, O24 the sandbox."""

from __future__ import annotations

from agentl.messages.message import Message, Text

_START_HELP = Text(
    "nothing was started; change the manifest or what it names, and start again",
    "rien n'a été lancé ; corrigez le manifeste ou ce qu'il désigne, puis relancez",
)

FOLDER_OUTSIDE = Message(
    "O200",
    "handler-folder-outside",
    "{tool}: the working folder {cwd!r} is no folder inside {folder}",
    "{tool} : le dossier de travail {cwd!r} n'est pas un dossier situé dans {folder}",
    _START_HELP,
)
COMMAND_NOT_FOUND = Message(
    "O201",
    "handler-command-not-found",
    "{tool}: the command {command!r} is no program in any folder of PATH",
    "{tool} : la commande {command!r} ne correspond à aucun programme des dossiers de PATH",
    _START_HELP,
)
COMMAND_OUTSIDE = Message(
    "O202",
    "handler-command-outside",
    "{tool}: the command {command!r} leads out of {folder}; a path must stay inside, a bare name is looked up in PATH",
    "{tool} : la commande {command!r} sort de {folder} ; un chemin doit y rester, un nom seul est cherché dans PATH",
    _START_HELP,
)
COMMAND_NOT_A_PROGRAM = Message(
    "O203",
    "handler-command-not-a-program",
    "{tool}: the command {command!r} is no file that may be executed",
    "{tool} : la commande {command!r} n'est pas un fichier exécutable",
    _START_HELP,
)
FUNCTION_NOT_FOUND = Message(
    "O204",
    "handler-function-not-found",
    "{tool}: the function {function!r} names no module that can be found from {folder}",
    "{tool} : la fonction {function!r} ne désigne aucun module accessible depuis {folder}",
    _START_HELP,
)
VARIABLE_NOT_SET = Message(
    "O205",
    "handler-variable-not-set",
    "{tool}: the variable {name} is granted, but it is not set",
    "{tool} : la variable {name} est accordée, mais elle n'est pas définie",
    _START_HELP,
)
VARIABLE_RESERVED = Message(
    "O206",
    "handler-variable-reserved",
    "{tool}: the variable {name} cannot be granted: it would change how handlers are run",
    "{tool} : la variable {name} ne peut pas être accordée : elle changerait l'exécution des handlers",
    _START_HELP,
)
PATH_NOT_FOUND = Message(
    "O207",
    "handler-path-not-found",
    "{tool}: the grant {grant!r} names nothing that exists",
    "{tool} : l'autorisation {grant!r} ne désigne rien qui existe",
    _START_HELP,
)
PATH_FORBIDDEN = Message(
    "O208",
    "handler-path-forbidden",
    "{tool}: the grant {grant!r} would show {path}, which no handler may see",
    "{tool} : l'autorisation {grant!r} montrerait {path}, qu'aucun handler ne doit voir",
    _START_HELP,
)
PATH_WITHOUT_VARIABLE = Message(
    "O209",
    "handler-path-without-variable",
    "{tool}: the grant {grant!r} begins with a variable that is not granted as env:{name}",
    "{tool} : l'autorisation {grant!r} commence par une variable qui n'est pas accordée par env:{name}",
    _START_HELP,
)
FOLDER_FORBIDDEN = Message(
    "O210",
    "handler-home-served",
    "the folder {folder} holds {path}, which no handler may see",
    "le dossier {folder} contient {path}, qu'aucun handler ne doit voir",
    _START_HELP,
)
TOOL_NOT_BOUND = Message(
    "O211",
    "handler-tool-not-bound",
    "no handler is bound to {tool}",
    "aucun handler n'est associé à {tool}",
)

_SECRET_HELP = Text(
    "nothing was launched; put the secret where it belongs (a file of mode 0600, not a link), and resume",
    "rien n'a été lancé ; placez le secret là où il doit être (un fichier en mode 0600, pas un lien), puis reprenez",
)
SECRET_MISSING = Message(
    "O212",
    "handler-secret-missing",
    "the secret {handle} is not there",
    "le secret {handle} est absent",
    _SECRET_HELP,
)
SECRET_NOT_PRIVATE = Message(
    "O213",
    "handler-secret-not-private",
    "the secret {handle} is refused: its file must be ours, of mode 0600, and no link",
    "le secret {handle} est refusé : son fichier doit nous appartenir, être en mode 0600, et ne pas être un lien",
    _SECRET_HELP,
)
SECRET_NOT_A_TEXT = Message(
    "O214",
    "handler-secret-not-a-text",
    "the secret {handle} is empty, too long, or no text that an environment variable can hold",
    "le secret {handle} est vide, trop long, ou ne peut pas tenir dans une variable d'environnement",
    _SECRET_HELP,
)
SECRETS_SETTING = Message(
    "O215",
    "secrets-setting",
    "{setting!r} names no place of secrets; write dir:PATH or env:PREFIX",
    "{setting!r} ne désigne aucun lieu de secrets ; écrivez dir:CHEMIN ou env:PRÉFIXE",
)
# How a call ended; recorded in English under every language, as every cause in a journal.
EXITED = Text("the handler ended with exit code {status}", "le handler s'est terminé avec le code {status}")
SIGNALLED = Text("the handler was ended by signal {status}", "le handler a été arrêté par le signal {status}")
TIMED_OUT = Text(
    "the handler was killed at its time-out of {timeout_ms} ms",
    "le handler a été tué à l'expiration de son délai de {timeout_ms} ms",
)
TOO_LARGE = Text(
    "the handler was killed while writing more than {limit} bytes",
    "le handler a été tué alors qu'il écrivait plus de {limit} octets",
)
LOST = Text(
    "the process that serves handlers has ended, and the handler with it",
    "le processus qui sert les handlers s'est terminé, et le handler avec lui",
)
NOT_STARTED = Text("the handler could not be started: {why}", "le handler n'a pas pu être lancé : {why}")
SANDBOX_REFUSED = Text("the sandbox did not enter it", "la sandbox ne l'a pas exécuté")
FOLDER_CHANGED = Text("its working folder is another one now", "son dossier de travail a été remplacé")

# What is wrong with an answer.
NO_JSON = Text("the answer is not one JSON object: {why}", "la réponse n'est pas un unique objet JSON : {why}")
NOT_AN_OBJECT = Text("it is another JSON value", "c'est une autre valeur JSON")
NO_OUTCOME = Text(
    "the answer has neither an output nor an error that says an outcome",
    "la réponse n'a ni sortie, ni erreur indiquant une issue",
)
SAID_UNKNOWN = Text("the handler does not know: {code}: {message}", "le handler ne sait pas : {code} : {message}")
OUTPUT_REFUSED = Text("the output cannot be accepted: {why}", "la sortie ne peut pas être acceptée : {why}")
OUTPUT_NOT_AN_OBJECT = Text("it is no JSON object", "ce n'est pas un objet JSON")
OUTPUT_AND_ERROR = Text("the answer has an error beside it", "la réponse comporte aussi une erreur")
SECRET_IN_OUTPUT = Text(
    "the output holds the secret {handle}, so it was discarded",
    "la sortie contient le secret {handle}, elle a donc été écartée",
)
SECRET_IN_MESSAGE = Text(
    "the handler's message holds the secret {handle} and is not shown",
    "le message du handler contient le secret {handle} et n'est pas montré",
)
NO_VERDICT = Text("the answer says neither applied nor not applied", "la réponse ne dit ni appliqué, ni non appliqué")
NO_RESULT = Text("the answer says applied, without an output", "la réponse dit appliqué, sans sortie")

SANDBOX_MISSING = Message(
    "O240",
    "sandbox-missing",
    "the sandbox is required, but no handler can be run in it: {why}",
    "la sandbox est exigée, mais aucun handler ne peut y être exécuté : {why}",
    Text(
        "install bubblewrap (bwrap), or start with --sandbox auto or off; grants are then declared, not enforced",
        "installez bubblewrap (bwrap), ou lancez avec --sandbox auto ou off ; "
        "les autorisations sont alors déclarées, non imposées",
    ),
)
DECLARED_ONLY = Message(
    "O241",
    "sandbox-declared-only",
    "grants are declared, not enforced ({why}): a handler can read all that this user can read",
    "les autorisations sont déclarées, non imposées ({why}) : un handler lit tout ce que lit cet utilisateur",
)
NO_BWRAP = Text("bwrap is not in PATH", "bwrap n'est pas dans PATH")
SWITCHED_OFF = Text("--sandbox off", "--sandbox off")
PROBE_FAILED = Text("bwrap says: {said}", "bwrap dit : {said}")
PROBE_SILENT = Text("bwrap ends with {status}", "bwrap se termine avec {status}")
