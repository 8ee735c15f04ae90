"""What durable runs say: D1 damage, D2 refused, D3 owned elsewhere, D4 storage, D5 replay; and the lines of a start."""

from __future__ import annotations

from agentl.messages.message import Message, Text

_DAMAGE_HELP = Text(
    "nothing was executed and the journal was left as it is; restore the folder from a copy, or keep it as evidence",
    "rien n'a été exécuté, le journal est resté tel quel ; restaurez une copie, ou gardez-le comme preuve",
)

CHAIN_BROKEN = Message(
    "D100",
    "journal-chain-broken",
    "durable journal damaged at crossing #{seq} (byte {offset}): the chain does not verify",
    "journal durable altéré au franchissement #{seq} (octet {offset}) : la chaîne ne se vérifie plus",
    _DAMAGE_HELP,
)
LINE_UNREADABLE = Message(
    "D101",
    "journal-line-unreadable",
    "durable journal damaged at crossing #{seq} (byte {offset}): the line cannot be read: {detail}",
    "journal durable altéré au franchissement #{seq} (octet {offset}) : la ligne est illisible : {detail}",
    _DAMAGE_HELP,
)
WRONG_NUMBER = Message(
    "D102",
    "journal-number-wrong",
    "durable journal damaged at crossing #{seq} (byte {offset}): an entry numbered {found} stands there",
    "journal durable altéré au franchissement #{seq} (octet {offset}) : une entrée numérotée {found} s'y trouve",
    _DAMAGE_HELP,
)
BAD_ENTRY = Message(
    "D103",
    "journal-entry-invalid",
    "durable journal damaged at crossing #{seq} (byte {offset}): the field {field!r} is missing or wrong",
    "journal durable altéré au franchissement #{seq} (octet {offset}) : le champ {field!r} manque ou est faux",
    _DAMAGE_HELP,
)
SHORTER_THAN_HEAD = Message(
    "D104",
    "journal-shorter-than-head",
    "durable journal damaged at crossing #{seq}: the log ends before it, but the head noted apart names it ({h})",
    "journal durable altéré au franchissement #{seq} : le journal s'arrête avant, la tête notée à part le nomme ({h})",
    _DAMAGE_HELP,
)
OTHER_THAN_HEAD = Message(
    "D105",
    "journal-other-than-head",
    "durable journal damaged at crossing #{seq}: its hash is not the one noted apart ({h})",
    "journal durable altéré au franchissement #{seq} : son empreinte n'est pas celle notée à part ({h})",
    _DAMAGE_HELP,
)
SHORTER_THAN_META = Message(
    "D107",
    "journal-shorter-than-meta",
    "durable journal damaged at crossing #{seq}: the log ends before it, but meta.json says that the run is {status}",
    "journal durable altéré au franchissement #{seq} : le journal s'arrête avant, mais meta.json dit : {status}",
    _DAMAGE_HELP,
)
NO_OPENING = Message(
    "D106",
    "journal-opening-missing",
    "durable journal damaged at crossing #0: the first entry is {kind!r}, not 'open'",
    "journal durable altéré au franchissement #0 : la première entrée est {kind!r}, et non 'open'",
    _DAMAGE_HELP,
)

UNKNOWN_KIND = Message(
    "D206",
    "journal-kind-unknown",
    "entry #{seq} is of kind {kind!r}, which this release does not know; the journal was written by agentl {release}",
    "l'entrée #{seq} est de sorte {kind!r}, inconnue de cette version ; le journal a été écrit par agentl {release}",
    Text("use that release or a later one", "utilisez cette version ou une plus récente"),
)
UNKNOWN_FORMAT = Message(
    "D207",
    "journal-format-unknown",
    "the journal has format {format!r}; this release reads {known!r} (written by agentl {release})",
    "le journal a le format {format!r} ; cette version lit {known!r} (écrit par agentl {release})",
    Text("use that release or a later one", "utilisez cette version ou une plus récente"),
)
FOREIGN_FORMAT = Message(
    "D208",
    "journal-format-foreign",
    "the folder holds a journal of AGENT-L 1.10 ({format!r}), which cannot be resumed here",
    "le répertoire contient un journal d'AGENT-L 1.10 ({format!r}), qui ne peut être repris ici",
    Text(
        "finish it with AGENT-L 1.10, or start in another folder", "terminez-le avec AGENT-L 1.10, ou démarrez ailleurs"
    ),
)
UNKNOWN_ENGINE = Message(
    "D214",
    "journal-engine-unknown",
    "the journal depends on engine behaviour {engine}; this release knows up to {known} (written by agentl {release})",
    "le journal dépend du comportement {engine} du moteur ; cette version va jusqu'à {known} (par agentl {release})",
    Text("use that release or a later one", "utilisez cette version ou une plus récente"),
)
PROGRAM_CHANGED = Message(
    "D200",
    "program-changed",
    "the program has changed since this run began",
    "le programme a changé depuis le début de cette exécution",
    Text("resume with the program the run began with", "reprenez avec le programme du début"),
)
OTHER_RUN_ID = Message(
    "D201",
    "run-id-differs",
    "the journal belongs to run {recorded}, not {given}",
    "le journal appartient à l'exécution {recorded}, et non {given}",
)
OPTION_DIFFERS = Message(
    "D202",
    "run-option-differs",
    "{field} was {recorded} when this run began, and is now given as {given}",
    "{field} valait {recorded} au début de cette exécution, et vaut maintenant {given}",
)
NO_JOURNAL = Message(
    "D209",
    "journal-missing",
    "there is no journal to resume at {path}",
    "il n'y a pas de journal à reprendre à {path}",
)
NEAREST_RUN = Text("the nearest run is at {path}", "l'exécution la plus proche est à {path}")
JOURNAL_EXISTS = Message(
    "D210",
    "journal-exists",
    "{path} already holds the run {run_id}",
    "{path} contient déjà l'exécution {run_id}",
)
NOT_ENDED = Message(
    "D211",
    "run-not-ended",
    "the run {run_id} has not ended: nothing to export",
    "l'exécution {run_id} n'est pas terminée : rien à exporter",
)
NOT_ADMITTED = Message(
    "D212",
    "run-not-admitted",
    "the run at {path} never began: nothing was done",
    "l'exécution à {path} n'a jamais commencé : rien n'a été fait",
)
QUARANTINED = Message(
    "D213",
    "run-quarantined",
    "run {run_id} is set aside after {count} attempts in a row that ended at {place}",
    "l'exécution {run_id} est mise de côté après {count} tentatives de suite arrêtées à {place}",
    Text(
        "find out what ends its process there; --max-attempts 0 tries again all the same",
        "cherchez ce qui arrête son processus à cet endroit ; --max-attempts 0 essaie quand même",
    ),
)
AT_ACTION = Text("{tool} ({action_id})", "{tool} ({action_id})")
AT_ENTRY = Text("entry #{seq}", "l'entrée #{seq}")

DIVERGED = Message(
    "D220",
    "resume-diverged",
    "resume impossible at crossing #{seq}: recorded {recorded}, requested {requested}",
    "reprise impossible au franchissement #{seq} : journalisé {recorded}, demandé {requested}",
    Text(
        "nothing was executed and the journal was left as it is",
        "rien n'a été exécuté et le journal est resté tel quel",
    ),
)
LEFT_OVER = Message(
    "D221",
    "resume-left-over",
    "resume impossible at crossing #{seq}: the run ended, {recorded} and {count} more were never asked for",
    "reprise impossible au franchissement #{seq} : exécution terminée sans demander {recorded} ni {count} autres",
)
STILL_IN_PREFIX = Message(
    "D222",
    "append-before-end",
    "resume impossible at crossing #{seq}: {requested} would be written before {recorded} is served",
    "reprise impossible au franchissement #{seq} : {requested} serait écrit avant que {recorded} soit servi",
)
BEYOND_END = Message(
    "D223",
    "run-already-ended",
    "resume impossible at crossing #{seq}: the run has ended, but {requested} is asked for",
    "reprise impossible au franchissement #{seq} : l'exécution est terminée, mais {requested} est demandé",
)

OWNED_ELSEWHERE = Message(
    "D300",
    "run-owned",
    "the run is owned by process {pid} on {host} since {since}",
    "l'exécution appartient au processus {pid} sur {host} depuis {since}",
    Text("wait for it, or stop it", "attendez-le, ou arrêtez-le"),
)
OWNED_BY_OTHER_HOST = Message(
    "D301",
    "run-owned-by-other-host",
    "the run was last owned by process {pid} on another machine, {host}, since {since}",
    "l'exécution appartenait en dernier au processus {pid} d'une autre machine, {host}, depuis {since}",
    Text(
        "when that process is certainly gone: agentl durable owner DIR --take-over {generation}",
        "quand ce processus a certainement disparu : agentl durable owner DIR --take-over {generation}",
    ),
)
OWNERSHIP_LOST = Message(
    "D302",
    "run-ownership-lost",
    "another process wrote to the journal {path} or replaced it; this one stops without calling anything",
    "un autre processus a écrit dans le journal {path} ou l'a remplacé ; celui-ci s'arrête sans rien appeler",
)

STORAGE_FAILED = Message(
    "D400",
    "storage-failed",
    "the journal could not be kept: {operation} of {path} failed: {error}",
    "le journal n'a pas pu être gardé : {operation} de {path} a échoué : {error}",
    Text(
        "the run stopped at once; resume it when the storage works again",
        "l'exécution s'est arrêtée aussitôt ; reprenez-la quand le stockage fonctionne de nouveau",
    ),
)
UNSAFE_FILE_SYSTEM = Message(
    "D401",
    "file-system-unsafe",
    "{path} is on a {kind} file system, where one owner and a flush cannot be guaranteed",
    "{path} est sur un système de fichiers {kind}, où ni propriétaire unique ni écriture sûre ne sont garantis",
    Text(
        "use a local disk, or accept the risk with --shared-disk-at-my-risk",
        "utilisez un disque local, ou acceptez le risque avec --shared-disk-at-my-risk",
    ),
)
NOT_A_PLAIN_FILE = Message(
    "D402",
    "path-not-plain",
    "{path} is a link or no regular file; a run folder is never written through one",
    "{path} est un lien ou n'est pas un fichier ordinaire ; un répertoire d'exécution n'est jamais écrit à travers",
)
POISONED = Message(
    "D403",
    "journal-closed-after-failure",
    "the journal {path} takes nothing more after a failure of its storage",
    "le journal {path} n'accepte plus rien après une panne de son stockage",
)

REPLAY_KIND = Message(
    "D500",
    "replay-kind-unknown",
    "a journal entry cannot be of kind {kind!r}",
    "une entrée de journal ne peut être de sorte {kind!r}",
)
REPLAY_UNREADABLE = Message(
    "D501",
    "replay-unreadable",
    "the journal cannot be read: {detail}",
    "le journal est illisible : {detail}",
)
REPLAY_CHAIN = Message(
    "D502",
    "replay-chain-broken",
    "the journal was altered: the chain breaks at entry #{seq}",
    "le journal a été modifié : la chaîne se rompt à l'entrée #{seq}",
)
REPLAY_HEAD = Message(
    "D503",
    "replay-head-differs",
    "the journal was altered: its chain ends elsewhere than its meta says",
    "le journal a été modifié : sa chaîne ne finit pas où ses métadonnées le disent",
)
REPLAY_EXHAUSTED = Message(
    "D504",
    "replay-exhausted",
    "the journal is used up, but {requested} is asked for",
    "le journal est épuisé, mais {requested} est demandé",
)
REPLAY_NO_TRACE = Message(
    "D505",
    "replay-trace-missing",
    "the journal has no fingerprint of a trace",
    "le journal n'a pas d'empreinte de trace",
)

STARTED = Text("→ durable run {run_id}: {path}", "→ exécution durable {run_id} : {path}")
RESUMED = Text(
    "↻ durable run {run_id} resumed: {count} journal entries, derived again without effect",
    "↻ reprise de l'exécution durable {run_id} : {count} entrée(s) journalisée(s), re-dérivées sans effet",
)
PENDING = Text(
    "  intent without result: {tool} ({action_id}) — will be settled",
    "  intention sans résultat : {tool} ({action_id}) — sera tranchée",
)
SETTLED_RETRY = Text(
    "  ↻ {tool} ({action_id}): called again with the same idempotency key",
    "  ↻ {tool} ({action_id}) : relancée avec la même clé d'idempotence",
)
SETTLED_RECONCILED = Text(
    "  ✓ {tool} ({action_id}): already done, its result was found",
    "  ✓ {tool} ({action_id}) : déjà exécutée, son résultat a été retrouvé",
)
SETTLED_NOT_EXECUTED = Text(
    "  ↻ {tool} ({action_id}): was not executed, called now",
    "  ↻ {tool} ({action_id}) : n'avait pas été exécutée, appelée maintenant",
)
SETTLED_IN_DOUBT = Text(
    "  ? {tool} ({action_id}): in doubt, not called again",
    "  ? {tool} ({action_id}) : indéterminée, non relancée",
)
LATE_ANSWER = Text(
    "  … {tool} ({action_id}): its answer came after the time limit; it was noted and is not used",
    "  … {tool} ({action_id}) : réponse arrivée après la limite de temps ; notée, elle n'est pas utilisée",
)
TORN_TAIL_CUT = Text(
    "  a torn end of the journal ({count} bytes) was set aside as {name}",
    "  une fin déchirée du journal ({count} octets) a été mise de côté sous {name}",
)
KEY_SPACE_SHARED = Text(
    "  new folder for the given run id {run_id}: idempotency keys are shared with every other folder of that id",
    "  nouveau répertoire pour l'identifiant donné {run_id} : clés d'idempotence partagées avec ses autres répertoires",
)
