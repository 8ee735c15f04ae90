"""What `agentl operation` says (codes C180 on), and what is said of state folders and their keys."""

from __future__ import annotations

from agentl.messages.message import Message, Text

NO_STATE = Message(
    "C180",
    "no-operations-kept",
    en="no operations are kept at `{path}`",
    fr="aucune opération n'est conservée à `{path}`",
    help=Text(
        en="give the served folder with --folder, or the state folder with --state",
        fr="donnez le dossier servi avec --folder, ou le dossier d'état avec --state",
    ),
)
STATE_OF_ANOTHER = Message(
    "C181",
    "state-of-another-folder",
    en="the state folder `{path}` is that of `{served}`",
    fr="le dossier d'état `{path}` est celui de `{served}`",
    help=Text(en="name another one with --state", fr="désignez-en un autre avec --state"),
)
SERVED_UNKNOWN = Message(
    "C182",
    "served-folder-unknown",
    en="the state folder `{path}` does not say which folder it serves",
    fr="le dossier d'état `{path}` ne dit pas quel dossier il sert",
    help=Text(en="name it with --folder", fr="désignez-le avec --folder"),
)
KEY_INSIDE = Message(
    "C183",
    "key-inside-state",
    en="the key `{path}` lies inside the state folder, where whoever rewrites a checkpoint finds it",
    fr="la clé `{path}` est dans le dossier d'état, où la trouve quiconque réécrit un point de reprise",
    help=Text(en="keep it elsewhere", fr="gardez-la ailleurs"),
)
BAD_JSON_FILE = Message(
    "C184",
    "bad-operation-file",
    en="`{path}` does not hold one JSON object: {reason}",
    fr="`{path}` ne contient pas un unique objet JSON : {reason}",
)
NOT_A_PERSONS = Message(
    "C185",
    "not-by-a-person",
    en="`{option}` goes with `--by person`",
    fr="`{option}` va avec `--by person`",
)
NEEDED_OF_A_PERSON = Message(
    "C186",
    "needed-by-a-person",
    en="`--by person` needs `{option}`",
    fr="`--by person` demande `{option}`",
)
BAD_INPUT_NAME = Message(
    "C187",
    "bad-operation-input",
    en="`{name}` cannot be the name of an input: one word of letters, digits and `_` can",
    fr="`{name}` ne peut pas être le nom d'une entrée : un mot de lettres, chiffres et `_` le peut",
)
NOT_OF_THIS_PLAN = Message(
    "C188",
    "decision-for-another-plan",
    en="the decision in `{path}` is for `{agent}` and `{plan}`",
    fr="la décision de `{path}` est pour `{agent}` et `{plan}`",
)

STATE_OWNED = Message(
    "O454",
    "state-owned",
    en="the state folder `{path}` is owned by process {pid} on {host} since {since}",
    fr="le dossier d'état `{path}` appartient au processus {pid} sur {host} depuis {since}",
    help=Text(
        en="wait until that process has ended, or ask it",
        fr="attendez la fin de ce processus, ou adressez-vous à lui",
    ),
)
KEY_NOT_ED25519 = Message(
    "O455",
    "checkpoint-key-not-ed25519",
    en="`{path}` holds no Ed25519 key in PEM form",
    fr="`{path}` ne contient pas de clé Ed25519 au format PEM",
)

SUMMARY_START = Text("Carry out an operation; print its id first.", "Exécute une opération ; affiche d'abord son id.")
SUMMARY_LIST = Text("List operations, newest first.", "Liste les opérations, la plus récente d'abord.")
SUMMARY_SHOW = Text("Show state, result or error, and budget.", "Montre état, résultat ou erreur, et budget.")
SUMMARY_RECOVERY = Text("Show where it stands and what may be done.", "Montre où elle en est et ce qui est possible.")
SUMMARY_EVENTS = Text("Show the events of an operation.", "Montre les événements d'une opération.")
SUMMARY_RESUME = Text("Go on from the checkpoint that was seen.", "Continue depuis le point de reprise observé.")
SUMMARY_CANCEL = Text("Cancel an operation for good.", "Annule définitivement une opération.")
SUMMARY_RECONCILE = Text("Establish what became of an effect.", "Établit ce qu'un effet est devenu.")
SUMMARY_GC = Text("Remove ended operations, oldest first.", "Retire les opérations terminées.")
SUMMARY_ACCEPT = Text("Accept an older copy of a state folder.", "Accepte une copie ancienne de l'état.")

FOLDER = Text("The served folder: programs and manifest.", "Le dossier servi : programmes et manifeste.")
OPERATION_ID = Text("The id that `start` printed.", "L'identifiant que `start` a affiché.")
STATE = Text(
    "The state folder (one of each served folder, under the XDG state home).",
    "Le dossier d'état (un par dossier servi, sous le dossier d'état XDG).",
)
SERVED_FOLDER = Text(
    "The served folder, where it is not the one noted at the start.",
    "Le dossier servi, s'il n'est pas celui noté au démarrage.",
)
WHOSE = Text("The served folder whose operations are meant.", "Le dossier servi dont les opérations sont visées.")
AGENT = Text("The agent.", "L'agent.")
PLAN = Text("Its plan.", "Son plan.")
MAX_RUN_MS = Text("Active time it may use, in ms.", "Temps actif autorisé, en ms.")
MAX_CALLS = Text("How many launches it may make.", "Nombre de lancements autorisés.")
MESSAGE_ID = Text(
    "Your own id of this request: the same again is the same operation.",
    "Votre identifiant de cette demande : le même désigne la même opération.",
)
INPUTS = Text(
    'A JSON object of inputs; {{"$ref": "NAME"}} keeps the operation resumable.',
    'Un objet JSON d\'entrées ; {{"$ref": "NOM"}} garde l\'opération reprenable.',
)
DECISION = Text(
    "A decision (agentl-decision-v1) it may use; may be repeated.",
    "Une décision (agentl-decision-v1) utilisable ; peut être répétée.",
)
SECRETS = Text(
    "Where secrets come from: dir:PATH or env:PREFIX (the folder secrets of the state).",
    "D'où viennent les secrets : dir:CHEMIN ou env:PRÉFIXE (le dossier secrets de l'état).",
)
SANDBOX = Text("Confine handlers: require, auto or off.", "Confine les gestionnaires : require, auto ou off.")
SIGN_KEY = Text(
    "Sign each checkpoint with this Ed25519 key (PEM).", "Signe chaque point de reprise avec cette clé Ed25519 (PEM)."
)
VERIFY_KEY = Text(
    "Refuse a checkpoint that is not signed with the key of this file.",
    "Refuse un point de reprise non signé par la clé de ce fichier.",
)
LIMIT = Text("Show at most so many.", "En montre au plus autant.")
ONLY = Text("Only operations in this state.", "Seulement les opérations dans cet état.")
STDERR = Text("Also what its handlers wrote to stderr.", "Aussi ce que ses gestionnaires ont écrit sur stderr.")
AFTER = Text("Only events numbered above this.", "Seulement les événements de numéro supérieur.")
REVISION = Text("The checkpoint_revision that was seen.", "La checkpoint_revision observée.")
DIGEST = Text("The checkpoint_digest that was seen.", "Le checkpoint_digest observé.")
REQUEST_ID = Text(
    "Your own id of this request (made up when left out).", "Votre identifiant de cette demande (créé sinon)."
)
REASON = Text("Why, for the record.", "Pourquoi, pour mémoire.")
BY = Text("Who says it: package or person.", "Qui le dit : package ou person.")
VERDICT = Text(
    "What a person found out: applied, not_applied or unknown.",
    "Ce qu'une personne a établi : applied, not_applied ou unknown.",
)
OUTPUT = Text("The output of the effect, a JSON object.", "La sortie de l'effet, un objet JSON.")
EVIDENCE = Text("What it was seen by; its SHA-256 is recorded.", "Ce qui l'atteste ; son SHA-256 est enregistré.")
FINAL = Text("With unknown: give up for good; the operation fails.", "Avec unknown : renonce ; l'opération échoue.")
EFFECT = Text("The effect that is meant (the unknown one).", "L'effet visé (celui qui est inconnu).")
CALL = Text("The call that is meant (its last).", "L'appel visé (le dernier).")
DRY_RUN = Text("Only say what would be removed.", "Dit seulement ce qui serait retiré.")
KEEP = Text("Keep the newest N ended operations.", "Garde les N opérations terminées les plus récentes.")

STATE_WORDS = {
    "accepted": Text("accepted", "acceptée"),
    "running": Text("running", "en cours"),
    "waiting_decision": Text("waiting for a decision", "en attente d'une décision"),
    "interrupted": Text("interrupted", "interrompue"),
    "completed": Text("completed", "achevée"),
    "stopped": Text("stopped", "arrêtée"),
    "failed": Text("failed", "échouée"),
    "cancelled": Text("cancelled", "annulée"),
}
L_OPERATION = Text("operation: {operation_id}", "opération : {operation_id}")
L_STATE = Text("state: {state}", "état : {state}")
L_PROFILE = Text("profile: {profile}", "profil : {profile}")
L_RESULT = Text("result: {result}", "résultat : {result}")
L_STOP = Text("stopped: {reason}", "arrêt : {reason}")
L_ERROR = Text("error: {code}: {text}", "erreur : {code} : {text}")
L_REASON = Text("  {place}{code}: {text}", "  {place}{code} : {text}")
L_BUDGET = Text(
    "budget: {active_elapsed_ms} of {max_run_ms} ms used, {remaining_ms} left; {calls} of {max_calls} calls",
    "budget : {active_elapsed_ms} ms sur {max_run_ms} consommées, {remaining_ms} restantes ;"
    " {calls} appels sur {max_calls}",
)
L_CANCEL_ASKED = Text("a cancel was asked for", "une annulation est demandée")
L_CHECKPOINT = Text("checkpoint: revision {revision}, {digest}", "point de reprise : révision {revision}, {digest}")
L_NO_CHECKPOINT = Text("checkpoint: cannot be read", "point de reprise : illisible")
L_SEEN = Text("seen at: {at}", "observée le : {at}")
L_EFFECTS = Text(
    "external writes: {total}; applied: {applied}, not applied: {not_applied}, unknown: {unknown}",
    "écritures externes : {total} ; appliquées : {applied}, non appliquées : {not_applied}, inconnues : {unknown}",
)
L_IN_FLIGHT = Text("something of the last attempt still runs", "quelque chose de la dernière tentative tourne encore")
RECONCILIATION_WORDS = {
    "retry_safe": Text(
        "the last call may be made again: the contract of its tool allows it",
        "le dernier appel peut être refait : le contrat de son outil le permet",
    ),
    "provider_required": Text(
        "whether the last call took effect must be established first",
        "il faut d'abord établir si le dernier appel a pris effet",
    ),
    "unavailable": Text(
        "nothing at hand can tell what became of the last call",
        "rien de disponible ne dit ce qu'est devenu le dernier appel",
    ),
}
L_ACTIONS = Text("actions: {actions}", "actions : {actions}")
L_NO_ACTIONS = Text("actions: none", "actions : aucune")
L_REFUSED = Text("cannot be resumed: {code}: {text}", "ne peut pas être reprise : {code} : {text}")
L_HELP = Text("  {text}", "  {text}")
L_TO_RESUME = Text("to resume it:", "pour la reprendre :")
L_TO_RECONCILE = Text("to ask its package:", "pour interroger son package :")
L_LISTED = Text("{operation_id}  {created}  {state}  {target}", "{operation_id}  {created}  {state}  {target}")
L_SERVED = Text("{folder}:", "{folder} :")
L_NONE = Text("no operations", "aucune opération")
L_EVENT = Text("{number}  {at}  {event}  {details}", "{number}  {at}  {event}  {details}")
L_STDERR = Text("stderr of {call_id}:", "stderr de {call_id} :")
L_NO_STDERR = Text("nothing of its handlers' stderr is kept", "rien du stderr de ses gestionnaires n'est conservé")
KNOWN_MESSAGE = Text(
    "this message was admitted before: nothing was started",
    "ce message a déjà été admis : rien n'a été démarré",
)
COALESCED = Text(
    "this request was accepted before: nothing was started", "cette demande a déjà été acceptée : rien n'a été démarré"
)
OUTCOME_UNKNOWN = Text("the last call: {cause}", "le dernier appel : {cause}")
INTERRUPTED_HERE = Text(
    "the operation is interrupted; see: {command}", "l'opération est interrompue ; voyez : {command}"
)
FINISHING = Text(
    "no more calls are made; the one under way is left to end (once more to kill it)",
    "plus aucun appel n'est lancé ; celui en cours va à son terme (une seconde fois pour le tuer)",
)
ASKING = Text(
    "the package is asked, once its last call can no longer take effect",
    "le package est interrogé, dès que son dernier appel ne peut plus prendre effet",
)
RECORDED = Text("recorded: {verdict}", "enregistré : {verdict}")
RECORDED_BEFORE = Text("recorded before: {verdict}", "déjà enregistré : {verdict}")
STILL_UNKNOWN = Text(
    "the package does not know: nothing was recorded", "le package ne sait pas : rien n'est enregistré"
)
REMOVED = Text("removed: {count}", "retirées : {count}")
WOULD_REMOVE = Text("would be removed: {count}", "seraient retirées : {count}")
L_COLLECTED = Text("{operation_id}  {state}", "{operation_id}  {state}")
L_COLLECTED_UNKNOWN = Text(
    "{operation_id}  {state}  (unknown effects: {unknown})", "{operation_id}  {state}  (effets inconnus : {unknown})"
)
ACCEPTED = Text(
    "the state folder is taken as it is; effects that are unknown stay unknown",
    "le dossier d'état est pris tel quel ; les effets inconnus restent inconnus",
)
NOT_RESTORED = Text(
    "the state folder is not older than what was noted: nothing to accept",
    "le dossier d'état n'est pas plus ancien que ce qui est noté : rien à accepter",
)
