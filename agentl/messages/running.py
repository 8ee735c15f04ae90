"""What `agentl run`, `durable` and `replay` say (codes C02x to C05x), beside the journal's own messages."""

from __future__ import annotations

from agentl.messages.message import Message, Text

NEEDS_OPTION = Message(
    "C020",
    "option-needs-other",
    "`{option}` needs `{needed}`",
    "`{option}` demande `{needed}`",
)
BAD_INPUT = Message(
    "C021",
    "bad-input",
    "`--input` is `name=value`, not `{text}`",
    "`--input` s'écrit `nom=valeur`, pas `{text}`",
)
BAD_INPUTS_FILE = Message(
    "C022",
    "bad-inputs-file",
    "`{path}` does not hold one JSON object of inputs: {detail}",
    "`{path}` ne contient pas un objet JSON d'entrées : {detail}",
)
INPUT_TWICE = Message(
    "C023",
    "input-given-twice",
    "the input `{name}` is given twice",
    "l'entrée `{name}` est donnée deux fois",
)
BAD_DURATION = Message(
    "C024",
    "bad-duration",
    "`{option}` is a duration such as `30s`, `5m` or `250ms`, not `{text}`",
    "`{option}` est une durée comme `30s`, `5m` ou `250ms`, pas `{text}`",
)
NO_RUN_FOLDER = Message(
    "C025",
    "run-folder-missing",
    "there is no run at `{path}`",
    "il n'y a pas d'exécution à `{path}`",
    help=Text("give the folder that --durable was given", "donnez le répertoire donné à --durable"),
)
NO_RUNS = Message(
    "C026",
    "no-runs-found",
    "no run was found below `{path}`",
    "aucune exécution trouvée sous `{path}`",
)
NO_PROGRAM_KNOWN = Message(
    "C027",
    "program-unknown",
    "the journal does not say which program it belongs to",
    "le journal ne dit pas à quel programme il appartient",
    help=Text("name it with --source", "nommez-le avec --source"),
)
OTHER_PROGRAM = Message(
    "C028",
    "program-differs",
    "`{path}` is not the program this journal was made with",
    "`{path}` n'est pas le programme de ce journal",
    help=Text("--force replays it all the same", "--force le rejoue malgré tout"),
)
NO_PROGRAM_KEPT = Message(
    "C030",
    "run-program-unknown",
    "the run folder `{path}` does not say where its program is",
    "le répertoire `{path}` ne dit pas où est son programme",
    help=Text("resume it with: agentl run FILE --durable {path}", "reprenez avec : agentl run FILE --durable {path}"),
)
NOT_A_COUNT = Message(
    "C029",
    "negative-ticks",
    "`--ticks` is a number from 0",
    "`--ticks` est un nombre à partir de 0",
)

BAD_BUDGET = Message(
    "C031",
    "bad-budget",
    "`{option}` is a number from 0",
    "`{option}` est un nombre à partir de 0",
)

NOT_DURABLE = Text(
    "this run keeps no journal: after a crash it cannot be resumed (--durable DIR keeps one)",
    "cette exécution ne tient pas de journal : elle ne peut être reprise après un crash (--durable DIR en tient un)",
)
KEPT_MODULES = Text(
    "  shipped modules have changed since: the run goes on under those it began with",
    "  des modules livrés ont changé depuis : l'exécution continue avec ceux du début",
)
REDERIVED = Text(
    "✓ durable run {run_id} has ended: {count} journal entries, derived again without effect",
    "✓ exécution durable {run_id} terminée : {count} entrée(s) journalisée(s), re-dérivées sans effet",
)
ENDED = Text(
    "{status} · ticks: {ticks} · tool calls: {calls} · blocked: {blocked} · failures: {failures}",
    "{status} · ticks : {ticks} · appels d'outils : {calls} · bloqués : {blocked} · échecs : {failures}",
)
STATUS_WORDS = {
    "completed": Text("completed", "terminée"),
    "ended, in doubt": Text("ended, in doubt", "terminée, indéterminée"),
    "running": Text("running or interrupted", "en cours ou interrompue"),
    "absent": Text("absent", "absente"),
    "not admitted": Text("not admitted: nothing was done", "non admise : rien n'a été fait"),
    "damaged": Text("damaged", "altérée"),
}
GOAL = Text("goal: {score}", "but : {score}")
WAITING_AGE = Text(
    "  … {tool} ({action_id}): waiting {seconds} s until an interrupted call can no longer land",
    "  … {tool} ({action_id}) : attente de {seconds} s, le temps qu'un appel interrompu ne puisse plus aboutir",
)
WAITING_FOR_PERSON = Text(
    "waiting for a person to decide on {subject}; run the same command again when there is an answer",
    "en attente d'une décision humaine sur {subject} ; relancez la même commande quand il y a une réponse",
)
WAITING_LOST = Text(
    "waiting for a person to decide on {subject}; this run keeps no journal, so it cannot go on later (--durable DIR)",
    "en attente d'une décision humaine sur {subject} ; sans journal, l'exécution ne peut continuer (--durable DIR)",
)
IN_DOUBT_HELP = Text(
    "  ? {tool} ({action_id}, key {key}): whether it took place is unknown; look it up outside before doing it again",
    "  ? {tool} ({action_id}, clé {key}) : on ignore si elle a eu lieu ; vérifiez au-dehors avant de la refaire",
)
CALL_UNDER_WAY = Text(
    "a call is still under way after its time limit; its result will not be used",
    "un appel est encore en cours après sa limite de temps ; son résultat ne sera pas utilisé",
)
RESUME_WITH = Text(
    "interrupted; the same command goes on from the journal: {command}",
    "interrompu ; la même commande reprend d'après le journal : {command}",
)
DRY_RUN = Text(
    "dry run: {count} actions would have gone through the gate",
    "à blanc : {count} actions auraient franchi la porte",
)
RECORDED = Text("recorded: {path} ({count} entries)", "enregistré : {path} ({count} entrées)")
EXPORTED = Text(
    "exported: {path} ({count} entries, {annotations} of them annotations)",
    "exporté : {path} ({count} entrées, dont {annotations} annotations)",
)
REPLAYED = Text(
    "replay conforms: {count} crossings served, the trace is identical",
    "rejeu conforme : {count} franchissements servis, la trace est identique",
)
REPLAY_OTHER_TRACE = Message(
    "C050",
    "replay-trace-differs",
    "the replayed trace is not the recorded one",
    "la trace rejouée n'est pas celle enregistrée",
)
REPLAY_LEFT_OVER = Message(
    "C051",
    "replay-left-over",
    "{count} recorded crossings were never asked for",
    "{count} franchissements enregistrés n'ont jamais été demandés",
)
RESUMING = Text("↻ {path}", "↻ {path}")
SKIPPED = Text("- {path}: {status}", "- {path} : {status}")
RESUME_FAILED = Text("! {path}: exit code {code}", "! {path} : code de sortie {code}")
APPROVE_QUESTION = Text("allow {action}? [yes/no] ", "autoriser {action} ? [oui/non] ")

S_RUN = Text("run: {run_id}", "exécution : {run_id}")
S_STATUS = Text("status: {status}", "état : {status}")
S_AGENTS = Text("agents: {agents}", "agents : {agents}")
S_CROSSINGS = Text("crossings: {count} ({kinds})", "franchissements : {count} ({kinds})")
S_CHAIN = Text("chain: verified, {count} entries, head {head}", "chaîne : vérifiée, {count} entrées, tête {head}")
S_TORN = Text(
    "torn end: {count} bytes nobody relied on; the next resume sets them aside",
    "fin déchirée : {count} octets sur lesquels rien ne repose ; la prochaine reprise les met de côté",
)
S_OWNER = Text(
    "owner: process {pid} on {host} since {since}", "propriétaire : processus {pid} sur {host} depuis {since}"
)
S_OWNED_NOW = Text("  at work now", "  au travail maintenant")
S_PENDING = Text(
    "intent without result: {tool} ({action_id}, key {key})",
    "intention sans résultat : {tool} ({action_id}, clé {key})",
)
S_NO_PENDING = Text("intents without result: none", "intentions sans résultat : aucune")
S_ATTEMPTS = Text(
    "attempts in a row that got no further: {count}",
    "tentatives de suite sans progrès : {count}",
)
S_WAITING = Text(
    "waiting for a person: {subject} (asked {since})",
    "en attente d'une décision humaine : {subject} (demandé {since})",
)
S_RESOLUTION = Text("resolution: {tool} ({action_id}): {how}{more}", "résolution : {tool} ({action_id}) : {how}{more}")
S_REASON = Text(", {reason}", ", {reason}")
S_ATTEMPT = Text(", attempt {number}", ", tentative {number}")
VERIFIED = Text(
    "{path}: chain intact, {count} entries, head {head}", "{path} : chaîne intacte, {count} entrées, tête {head}"
)

RUN_FILE = Text("The program.", "Le programme.")
RUN_DURABLE = Text(
    "Keep a journal in this folder, or resume from it.", "Tient un journal dans ce répertoire, ou reprend."
)
RUN_ID = Text("Name of a new durable run.", "Nom d'une nouvelle exécution durable.")
RUN_TICKS = Text("Bound on the ticks of the run.", "Nombre maximal de ticks.")
RUN_QUIET = Text("Do not print the trace.", "N'affiche pas la trace.")
RUN_RECORD = Text("Record the run into this file.", "Enregistre l'exécution dans ce fichier.")
RUN_HOST = Text(
    "The host module, instead of the .py beside the program; an AsyncHost or an async build() is awaited.",
    "Le module hôte, au lieu du .py voisin ; un AsyncHost ou un build() async est attendu (await).",
)
RUN_INPUT = Text("An input, name=value; may be repeated.", "Une entrée, nom=valeur ; répétable.")
RUN_INPUTS = Text("A JSON file with inputs.", "Un fichier JSON d'entrées.")
RUN_EVERY = Text("Wait between ticks, e.g. 30s.", "Attend entre les ticks, p. ex. 30s.")
RUN_DRY = Text(
    "Read sensors, but let no action pass the gate.", "Lit les capteurs, mais aucune action ne franchit la porte."
)
RUN_RESUME = Text("Refuse to start a new run.", "Refuse de démarrer une nouvelle exécution.")
RUN_NEW = Text("Refuse to resume a run.", "Refuse de reprendre une exécution.")
RUN_MISSING = Text("Run although the host lacks tools that are called.", "Exécute même si des outils appelés manquent.")
RUN_TIMEOUT = Text(
    "Time limit for tools that state none, e.g. 20s.", "Limite de temps des outils sans limite, p. ex. 20s."
)
RUN_MAX_TOKENS = Text("Tokens models may use in the whole run.", "Jetons que les modèles peuvent utiliser en tout.")
RUN_MAX_COST = Text("What models may cost in the whole run.", "Ce que les modèles peuvent coûter en tout.")
RUN_APPROVE = Text("Ask for approvals on this terminal.", "Demande les approbations sur ce terminal.")
RUN_LIFE = Text(
    "How long an unused approval may be used after a restart (15m).",
    "Durée de validité d'une approbation inutilisée après un redémarrage (15m).",
)
RUN_ATTEMPTS = Text(
    "Set a run aside after so many attempts that got no further (0: never).",
    "Met de côté une exécution après tant de tentatives sans progrès (0 : jamais).",
)
RUN_SHARED = Text("Accept a network file system for the journal.", "Accepte un système de fichiers réseau.")
RUN_TRACE_ALL = Text("Print re-derived events too, marked.", "Affiche aussi les événements re-dérivés, marqués.")
RUN_COMPAT = Text("Behave as AGENT-L 1.10 where ours differs.", "Se comporte comme AGENT-L 1.10 là où nous différons.")
RUN_EVENTS = Text(
    "Write events to this file, one JSON object a line.", "Écrit les événements, un objet JSON par ligne."
)
DURABLE_DIR = Text("The folder of a run.", "Le répertoire d'une exécution.")
DURABLE_FOLDER = Text("A folder with run folders in it.", "Un dossier contenant des répertoires d'exécution.")
EXPORT_OUTPUT = Text("Write here (DIR/journal.json).", "Écrit ici (DIR/journal.json).")
RESUME_ALL = Text("Resume every unfinished run below the folder.", "Reprend toute exécution inachevée sous le dossier.")
RESUME_ATTEMPTS = Text(
    "Set a run aside after so many attempts that got no further (0: never; 5 with --all, else never).",
    "Met de côté une exécution après tant de tentatives sans progrès (0 : jamais ; 5 avec --all, sinon jamais).",
)
OWNER_TAKE_OVER = Text(
    "The generation of an owner on another machine that is certainly gone.",
    "La génération d'un propriétaire sur une autre machine, certainement disparu.",
)
REPLAY_JOURNAL = Text("A recorded or exported journal.", "Un journal enregistré ou exporté.")
REPLAY_SOURCE = Text("The program, instead of the one the journal names.", "Le programme, au lieu de celui du journal.")
REPLAY_KEY = Text(
    "The key a seal is checked with: a file or a secret; else AGENTL_JOURNAL_KEY.",
    "La clé pour vérifier un sceau : un fichier ou un secret ; sinon AGENTL_JOURNAL_KEY.",
)
REPLAY_REQUIRE_SEAL = Text("Refuse a journal that is not signed.", "Refuse un journal qui n'est pas signé.")
REPLAY_FORCE = Text("Replay although the program differs.", "Rejoue même si le programme diffère.")
EXPLAIN_STATUS = Text("Show what a run did, without resuming it.", "Montre une exécution sans la reprendre.")
EXPLAIN_EXPORT = Text("Export an ended run for replay.", "Exporte une exécution terminée pour le rejeu.")
EXPLAIN_LIST = Text("List the runs below a folder.", "Liste les exécutions sous un dossier.")
EXPLAIN_VERIFY = Text("Verify a journal's chain, and its re-derivation.", "Vérifie la chaîne d'un journal.")
EXPLAIN_RESUME = Text(
    "Resume a run, or with --all every unfinished one.", "Reprend une exécution, ou toutes avec --all."
)
EXPLAIN_OWNER = Text("Show who owns a run, or take it over.", "Montre à qui appartient une exécution, ou la reprend.")
