"""What is said about operations; the wire codes of operations-contract.md §4 stand beside those of the register."""

from __future__ import annotations

from agentl.messages.message import Message, Text

NOT_FOUND = Message(
    "O401",
    "operation-not-found",
    en="there is no operation `{operation_id}` in this state folder",
    fr="il n'y a pas d'opération `{operation_id}` dans ce dossier d'état",
    help=Text(
        en="`agentl operation list` shows those there are",
        fr="`agentl operation list` montre celles qui existent",
    ),
)
TARGET_UNKNOWN = Message(
    "O402",
    "target-unknown",
    en="the folder has no {what} `{name}`",
    fr="le dossier n'a pas de {what} `{name}`",
    help=Text(
        en="it has: {known}",
        fr="il a : {known}",
    ),
)
MESSAGE_CONFLICT = Message(
    "O403",
    "message-conflict",
    en="message `{message_id}` was admitted with other content",
    fr="le message `{message_id}` a été admis avec un autre contenu",
    help=Text(
        en="send a new request under a new message id",
        fr="envoyez une nouvelle demande sous un nouvel identifiant de message",
    ),
)
DURABLE_RESUME_CONFLICT = Message(
    "O404",
    "resume-conflict",
    en=("the resume does not fit what is there now ({reason}); the current revision is {current_revision}"),
    fr=("la reprise ne correspond plus à l'état présent ({reason}) ; la révision courante est {current_revision}"),
    help=Text(
        en="read `agentl operation recovery {operation_id}` again and ask with what it shows",
        fr="relisez `agentl operation recovery {operation_id}` et demandez avec ce qu'elle montre",
    ),
)
OPERATION_FINISHED = Message(
    "O405",
    "operation-finished",
    en="the operation has ended: {state}",
    fr="l'opération est terminée : {state}",
)
OPERATION_CANCELLED = Message(
    "O406",
    "operation-cancelled",
    en="the operation was cancelled",
    fr="l'opération a été annulée",
)
OPERATION_NOT_RESUMABLE = Message(
    "O407",
    "operation-not-resumable",
    en="an operation of the general profile cannot be resumed",
    fr="une opération du profil général ne peut pas être reprise",
    help=Text(
        en="cancel it, and start a new one",
        fr="annulez-la, et démarrez-en une nouvelle",
    ),
)
RUNTIME_INPUTS = Message(
    "O408",
    "runtime-inputs",
    en="the operation was given raw inputs, so it is not resumable",
    fr="l'opération a reçu des entrées brutes : elle n'est pas reprenable",
    help=Text(
        en='give inputs as references: {{"$ref": "NAME"}}',
        fr='donnez les entrées par référence : {{"$ref": "NOM"}}',
    ),
)
ARTIFACT_CHANGED = Message(
    "O409",
    "artifact-changed",
    en="{artifact} is not what the operation was admitted with",
    fr="{artifact} n'est plus ce avec quoi l'opération a été admise",
    help=Text(
        en="restore it, or cancel the operation and start a new one",
        fr="rétablissez-le, ou annulez l'opération et démarrez-en une nouvelle",
    ),
)
BUILD_INCOMPATIBLE = Message(
    "O410",
    "build-incompatible",
    en="the operation was written by {recorded}; this is {own}",
    fr="l'opération a été écrite par {recorded} ; ceci est {own}",
    help=Text(
        en="resume it with a release that knows its format",
        fr="reprenez-la avec une version qui connaît son format",
    ),
)
CHECKPOINT_DAMAGED = Message(
    "O411",
    "checkpoint-damaged",
    en="the stored state of the operation is not what was written: {reason}",
    fr="l'état enregistré de l'opération n'est pas celui qui a été écrit : {reason}",
    help=Text(
        en=("nothing is repaired by guessing; restore the state folder, or see `agentl operation accept-restore`"),
        fr=(
            "rien n'est réparé par conjecture ; restaurez le dossier d'état, ou voyez `agentl operation accept-restore`"
        ),
    ),
)
EFFECT_LEDGER_MISMATCH = Message(
    "O412",
    "effect-ledger-mismatch",
    en="the effect ledger and the checkpoint differ: {reason}",
    fr="le journal d'effets et le checkpoint diffèrent : {reason}",
    help=Text(
        en="nothing is launched; restore the state folder",
        fr="rien n'est lancé ; restaurez le dossier d'état",
    ),
)
EFFECT_RESULT_UNAVAILABLE = Message(
    "O413",
    "effect-result-unavailable",
    en="an effect was applied, and its result cannot be restored",
    fr="un effet a été appliqué, et son résultat ne peut pas être restauré",
)
EFFECT_OUTCOME_UNKNOWN = Message(
    "O414",
    "effect-outcome-unknown",
    en="whether the last call took effect is unknown, and its contract has no way to find out",
    fr="on ignore si le dernier appel a pris effet, et son contrat ne donne aucun moyen de l'établir",
    help=Text(
        en="find out at the provider; `agentl operation reconcile --by person` records the verdict",
        fr=("établissez-le chez le fournisseur ; `agentl operation reconcile --by person` enregistre le verdict"),
    ),
)
EFFECT_RECONCILIATION_REQUIRED = Message(
    "O415",
    "effect-reconciliation-required",
    en="whether the last call took effect is unknown; its package has to say",
    fr="on ignore si le dernier appel a pris effet ; son package doit le dire",
    help=Text(
        en="ask it with `agentl operation reconcile {operation_id}`",
        fr="demandez-le-lui avec `agentl operation reconcile {operation_id}`",
    ),
)
EFFECT_KEY_EXPIRED = Message(
    "O416",
    "effect-key-expired",
    en="the provider may have forgotten the key of the last call, so it is not sent again",
    fr="le fournisseur peut avoir oublié la clé du dernier appel : elle n'est pas renvoyée",
)
ATTEMPT_STILL_RUNNING = Message(
    "O417",
    "attempt-still-running",
    en="something of the earlier attempt still runs",
    fr="quelque chose de la tentative précédente tourne encore",
    help=Text(
        en="ask again in a moment",
        fr="redemandez dans un instant",
    ),
)
RUN_TIME_BUDGET_EXCEEDED = Message(
    "O418",
    "run-time-budget-exceeded",
    en=(
        "{reservationMs} ms for the next launch do not fit: {activeElapsedMs} ms of the budget are "
        "used, {remainingMs} ms are left"
    ),
    fr=(
        "{reservationMs} ms pour le prochain lancement ne tiennent pas : {activeElapsedMs} ms du "
        "budget sont consommées, il reste {remainingMs} ms"
    ),
    help=Text(
        en="start a new operation with a larger --max-run-ms",
        fr="démarrez une nouvelle opération avec un --max-run-ms plus grand",
    ),
)
CALL_BUDGET_EXCEEDED = Message(
    "O419",
    "call-budget-exceeded",
    en="the operation has used its {max_calls} calls",
    fr="l'opération a utilisé ses {max_calls} appels",
)
RECONCILIATION_CONFLICT = Message(
    "O420",
    "reconciliation-conflict",
    en="a verdict on this call was recorded already, and says otherwise",
    fr="un verdict sur cet appel est déjà enregistré, et dit le contraire",
)
NOTHING_UNKNOWN = Message(
    "O421",
    "nothing-unknown",
    en="no effect of the operation is unknown",
    fr="aucun effet de l'opération n'est inconnu",
)
DECISION_MISSING = Message(
    "O422",
    "decision-missing",
    en="a person's decision on `{tool}` is needed, and none is at hand",
    fr="une décision humaine sur `{tool}` est nécessaire, et aucune n'est disponible",
    help=Text(
        en="give it with --decision when the operation starts",
        fr="donnez-la avec --decision au démarrage de l'opération",
    ),
)
DECISION_EXPIRED = Message(
    "O423",
    "decision-expired",
    en="the decision on `{tool}` is no longer valid",
    fr="la décision sur `{tool}` n'est plus valable",
)
DECISION_CONFLICT = Message(
    "O424",
    "decision-conflict",
    en="decision `{decision_id}` is already there, and says otherwise",
    fr="la décision `{decision_id}` existe déjà, et dit autre chose",
)
INVALID_REQUEST = Message(
    "O425",
    "invalid-request",
    en="the request is not well formed: {reason}",
    fr="la demande est mal formée : {reason}",
)
CONTRACT_UNSUPPORTED = Message(
    "O426",
    "contract-unsupported",
    en="schema_version `{given}` is not `{wanted}`",
    fr="schema_version `{given}` n'est pas `{wanted}`",
)
OPERATION_NOT_ELIGIBLE = Message(
    "O427",
    "operation-not-eligible",
    en="the plan does not fit the sequential profile: {count} reason(s)",
    fr="le plan n'entre pas dans le profil séquentiel : {count} raison(s)",
    help=Text(
        en="`agentl check --profile sequential` shows them in the source",
        fr="`agentl check --profile sequential` les montre dans la source",
    ),
)
POLICY_DENIED = Message(
    "O428",
    "policy-denied",
    en="the policy refuses `{tool}`: {reason}",
    fr="la politique refuse `{tool}` : {reason}",
)
INPUT_REFUSED = Message(
    "O429",
    "input-refused",
    en="the arguments of `{tool}` were refused: {reason}",
    fr="les arguments de `{tool}` ont été refusés : {reason}",
)
REQUIRES_NOT_MET = Message(
    "O430",
    "requires-not-met",
    en="REQUIRES of `{tool}` does not hold",
    fr="REQUIRES de `{tool}` n'est pas satisfait",
)
HANDLER_ERROR = Message(
    "O431",
    "handler-error",
    en="`{tool}` says that nothing was applied: {reason}",
    fr="`{tool}` dit que rien n'a été appliqué : {reason}",
)
OUTPUT_REFUSED = Message(
    "O432",
    "output-refused",
    en="`{tool}` was applied, but its output was refused: {reason}",
    fr="`{tool}` a été appliqué, mais sa sortie a été refusée : {reason}",
)
SECRET_IN_OUTPUT = Message(
    "O433",
    "secret-in-output",
    en="`{tool}` was applied, but its output holds a secret; it is stored nowhere",
    fr="`{tool}` a été appliqué, mais sa sortie contient un secret ; elle n'est enregistrée nulle part",
)
SECRET_UNAVAILABLE = Message(
    "O434",
    "secret-unavailable",
    en="a secret of `{tool}` is not to be had: {reason}",
    fr="un secret de `{tool}` n'est pas disponible : {reason}",
)
PAYLOAD_TOO_LARGE = Message(
    "O435",
    "payload-too-large",
    en="the input of `{tool}` is larger than its max_payload_bytes",
    fr="l'entrée de `{tool}` dépasse son max_payload_bytes",
)
RESULT_UNDEFINED = Message(
    "O436",
    "result-undefined",
    en="GIVE has no value",
    fr="GIVE n'a pas de valeur",
)
AUTHORITY_REVOKED = Message(
    "O437",
    "authority-revoked",
    en="the authority this continuation was started with is gone",
    fr="l'autorité qui a lancé cette continuation n'existe plus",
)
STORAGE_LIMIT = Message(
    "O438",
    "storage-limit",
    en="the state folder holds {limit} operations",
    fr="le dossier d'état contient {limit} opérations",
    help=Text(
        en="remove ended ones with `agentl operation gc`",
        fr="retirez les opérations terminées avec `agentl operation gc`",
    ),
)

SHUTTING_DOWN = Message(
    "O439",
    "shutting-down",
    en="the process was told to stop, so nothing more was launched",
    fr="le processus a reçu l'ordre de s'arrêter : rien d'autre n'a été lancé",
    help=Text(
        en="resume the operation when you want it to go on",
        fr="reprenez l'opération quand vous voulez qu'elle continue",
    ),
)

RUNTIME_INPUTS_NOT_DURABLE = Message(
    "O440",
    "runtime-inputs-not-durable",
    en="raw inputs cannot stand in a checkpoint that is observed: one of them could be a prompt or a credential",
    fr="des entrées brutes ne peuvent figurer dans un checkpoint observé : l'une pourrait être un prompt ou un secret",
    help=Text(
        en='give them as references, {{"$ref": "NAME"}}, or run without an observer',
        fr='donnez-les par référence, {{"$ref": "NOM"}}, ou exécutez sans observateur',
    ),
)
NO_FOLDER = Message(
    "O450",
    "no-served-folder",
    en="there is no folder `{path}`",
    fr="il n'y a pas de dossier `{path}`",
)
AGENT_TWICE = Message(
    "O451",
    "agent-twice",
    en="the folder `{path}` has two agents called `{agent}`, ignoring case",
    fr="le dossier `{path}` a deux agents du nom de `{agent}`, sans tenir compte de la casse",
    help=Text(en="rename one of them", fr="renommez l'un d'eux"),
)
NOT_A_PROGRAM_FILE = Message(
    "O452",
    "not-a-program-file",
    en="`{path}` is no regular file of at most {most} bytes",
    fr="`{path}` n'est pas un fichier ordinaire d'au plus {most} octets",
)
UNREADABLE = Message(
    "O453",
    "folder-unreadable",
    en="`{path}` cannot be read: {reason}",
    fr="`{path}` est illisible : {reason}",
)
WIRE = {
    "NotFound": NOT_FOUND,
    "TargetUnknown": TARGET_UNKNOWN,
    "MessageConflict": MESSAGE_CONFLICT,
    "DurableResumeConflict": DURABLE_RESUME_CONFLICT,
    "OperationFinished": OPERATION_FINISHED,
    "OperationCancelled": OPERATION_CANCELLED,
    "OperationNotResumable": OPERATION_NOT_RESUMABLE,
    "RuntimeInputs": RUNTIME_INPUTS,
    "RuntimeInputsNotDurable": RUNTIME_INPUTS_NOT_DURABLE,
    "ArtifactChanged": ARTIFACT_CHANGED,
    "BuildIncompatible": BUILD_INCOMPATIBLE,
    "CheckpointDamaged": CHECKPOINT_DAMAGED,
    "EffectLedgerMismatch": EFFECT_LEDGER_MISMATCH,
    "EffectResultUnavailable": EFFECT_RESULT_UNAVAILABLE,
    "EffectOutcomeUnknown": EFFECT_OUTCOME_UNKNOWN,
    "EffectReconciliationRequired": EFFECT_RECONCILIATION_REQUIRED,
    "EffectKeyExpired": EFFECT_KEY_EXPIRED,
    "AttemptStillRunning": ATTEMPT_STILL_RUNNING,
    "RunTimeBudgetExceeded": RUN_TIME_BUDGET_EXCEEDED,
    "CallBudgetExceeded": CALL_BUDGET_EXCEEDED,
    "ReconciliationConflict": RECONCILIATION_CONFLICT,
    "NothingUnknown": NOTHING_UNKNOWN,
    "DecisionMissing": DECISION_MISSING,
    "DecisionExpired": DECISION_EXPIRED,
    "DecisionConflict": DECISION_CONFLICT,
    "InvalidRequest": INVALID_REQUEST,
    "ContractUnsupported": CONTRACT_UNSUPPORTED,
    "OperationNotEligible": OPERATION_NOT_ELIGIBLE,
    "PolicyDenied": POLICY_DENIED,
    "InputRefused": INPUT_REFUSED,
    "RequiresNotMet": REQUIRES_NOT_MET,
    "HandlerError": HANDLER_ERROR,
    "OutputRefused": OUTPUT_REFUSED,
    "SecretInOutput": SECRET_IN_OUTPUT,
    "SecretUnavailable": SECRET_UNAVAILABLE,
    "PayloadTooLarge": PAYLOAD_TOO_LARGE,
    "ResultUndefined": RESULT_UNDEFINED,
    "AuthorityRevoked": AUTHORITY_REVOKED,
    "StorageLimit": STORAGE_LIMIT,
    "ShuttingDown": SHUTTING_DOWN,
}
