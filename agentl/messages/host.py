"""What is said about host modules: missing, broken or incomplete ones, and what they promise."""

from __future__ import annotations

from agentl.messages.message import Message, Text

HOST_MISSING = Message(
    "H001",
    "host-missing",
    en="no host module for `{program}`: `{host}` does not exist",
    fr="pas de module hôte pour `{program}` : `{host}` n'existe pas",
    help=Text(
        en="write `{host}` with a function build() that returns a Host, or name another file with --host",
        fr="écrivez `{host}` avec une fonction build() qui rend un Host, ou nommez un autre fichier avec --host",
    ),
)
HOST_UNREADABLE = Message(
    "H002",
    "host-unreadable",
    en="the host module `{host}` cannot be read: {reason}",
    fr="le module hôte `{host}` est illisible : {reason}",
)
HOST_BROKEN = Message(
    "H003",
    "host-broken",
    en="the host module failed while loading: {error_class}: {reason}",
    fr="le module hôte a échoué au chargement : {error_class} : {reason}",
)
BUILD_NOT_CALLABLE = Message(
    "H004",
    "build-not-callable",
    en="`build` in the host module `{host}` is not a function",
    fr="`build` dans le module hôte `{host}` n'est pas une fonction",
)
_AN_AGENTL_HOST = Text(
    en="return an agentl.Host, or an object with the methods read, invoke, ask, approve and drain",
    fr="rendez un agentl.Host, ou un objet avec les méthodes read, invoke, ask, approve et drain",
)
HOST_INCOMPLETE = Message(
    "H005",
    "host-incomplete",
    en="what the host module `{host}` gives is no host: it lacks {members}",
    fr="ce que rend le module hôte `{host}` n'est pas un hôte : il manque {members}",
    help=_AN_AGENTL_HOST,
)
HOST_IS_A_CLASS = Message(
    "H009",
    "host-is-a-class",
    en="the host module `{host}` gives the class `{name}` where one of its objects belongs",
    fr="le module hôte `{host}` rend la classe `{name}` là où il faut un de ses objets",
    help=Text(en="make one: `{name}(…)`", fr="créez-en un : `{name}(…)`"),
)
MODEL_INCOMPLETE = Message(
    "H019",
    "model-incomplete",
    en="what the host module `{host}` gives as a model is none: it has neither reason, judge nor select_plan",
    fr="ce que le module hôte `{host}` rend comme modèle n'en est pas un : il n'a ni reason, ni judge, ni select_plan",
    help=Text(
        en="return an agentl.LLM, or an object with these methods; None where the program asks no model",
        fr="rendez un agentl.LLM, ou un objet avec ces méthodes ; None là où le programme n'interroge aucun modèle",
    ),
)
HOST_OF_AGENT_INCOMPLETE = Message(
    "H008",
    "host-of-agent-incomplete",
    en="what the host module `{host}` gives for agent `{agent}` is no host: it lacks {members}",
    fr="ce que rend le module hôte `{host}` pour l'agent `{agent}` n'est pas un hôte : il manque {members}",
    help=_AN_AGENTL_HOST,
)
HOST_FOR_UNKNOWN_AGENT = Message(
    "H006",
    "host-for-unknown-agent",
    en="the host module has a host for agent `{agent}`, which the program does not have",
    fr="le module hôte a un hôte pour l'agent `{agent}`, que le programme n'a pas",
    help=Text(
        en="the agents of the program are: {agents}; names are matched exactly",
        fr="les agents du programme sont : {agents} ; les noms doivent être identiques",
    ),
)
MODEL_FOR_UNKNOWN_AGENT = Message(
    "H007",
    "model-for-unknown-agent",
    en="the host module has a model for agent `{agent}`, which the program does not have",
    fr="le module hôte a un modèle pour l'agent `{agent}`, que le programme n'a pas",
    help=Text(
        en="the agents of the program are: {agents}; names are matched exactly",
        fr="les agents du programme sont : {agents} ; les noms doivent être identiques",
    ),
)
TOOL_MISSING = Message(
    "H010",
    "host-tool-missing",
    en="the program calls tool `{tool}` and the host does not have it",
    fr="le programme appelle l'outil `{tool}` et l'hôte ne l'a pas",
    help=Text(
        en='register it with @host.tool("{tool}"), or run with --allow-missing-tools',
        fr='enregistrez-le avec @host.tool("{tool}"), ou exécutez avec --allow-missing-tools',
    ),
)
_BY_NAME = Text(
    en="its parameters are the INPUT names, passed by name: {inputs}",
    fr="ses paramètres sont les noms d'INPUT, passés par nom : {inputs}",
)
TOOL_CANNOT_TAKE = Message(
    "H011",
    "host-tool-cannot-take",
    en="the host's function for tool `{tool}` cannot take `{parameter}`",
    fr="la fonction de l'hôte pour l'outil `{tool}` ne peut pas recevoir `{parameter}`",
    help=_BY_NAME,
)
TOOL_ALSO_WANTS = Message(
    "H016",
    "host-tool-also-wants",
    en="the host's function for tool `{tool}` also wants `{parameter}`, which is no INPUT of it",
    fr="la fonction de l'hôte pour l'outil `{tool}` exige aussi `{parameter}`, qui n'est pas dans son INPUT",
    help=_BY_NAME,
)
TOOL_NOT_CALLABLE = Message(
    "H017",
    "host-tool-not-callable",
    en="what the host has for tool `{tool}` is not a function",
    fr="ce que l'hôte a pour l'outil `{tool}` n'est pas une fonction",
    help=_BY_NAME,
)
TOOL_UNDECLARED = Message(
    "H012",
    "host-tool-undeclared",
    en="the host has tool `{tool}`, which the program does not declare",
    fr="l'hôte a l'outil `{tool}`, que le programme ne déclare pas",
)
RECONCILER_UNDECLARED = Message(
    "H013",
    "reconciler-undeclared",
    en="the host has a reconciler for `{tool}`, which the program does not declare",
    fr="l'hôte a un réconciliateur pour `{tool}`, que le programme ne déclare pas",
)
RECONCILER_SIGNATURE = Message(
    "H014",
    "reconciler-signature",
    en="the reconciler of `{tool}` cannot be called with (args, context)",
    fr="le réconciliateur de `{tool}` ne peut pas être appelé avec (args, context)",
    help=Text(
        en="after a crash it would fail, and the action would be left in doubt",
        fr="après un crash il échouerait, et l'action resterait indéterminée",
    ),
)
SECRET_UNDECLARED = Message(
    "H015",
    "secret-parameter-undeclared",
    en="tool `{tool}` has no parameter `{parameter}`, which the host says is secret",
    fr="l'outil `{tool}` n'a pas de paramètre `{parameter}`, que l'hôte dit secret",
    help=Text(
        en="a misspelt name would let the real parameter be written down; its INPUT is: {inputs}",
        fr="un nom mal écrit laisserait écrire le vrai paramètre ; son INPUT est : {inputs}",
    ),
)

# Why a secret could not be handed out; no value is ever in these texts.
NO_THREAD = Text(
    en="the system has no thread left to call it in",
    fr="le système n'a plus de fil d'exécution où l'appeler",
)
SECRET_NOT_A_HANDLE = Text(
    en="parameter `{parameter}` is secret and takes a handle such as `secret:name`, not a value",
    fr="le paramètre `{parameter}` est secret et reçoit une référence telle que `secret:nom`, pas une valeur",
)
SECRET_WITHOUT_SUPPLIER = Text(
    en='no one supplies the secret `{name}`: register @host.secret("{name}")',
    fr='personne ne fournit le secret `{name}` : enregistrez @host.secret("{name}")',
)
SECRET_NOT_SUPPLIED = Text(
    en="the secret `{name}` could not be supplied: {error_class}",
    fr="le secret `{name}` n'a pas pu être fourni : {error_class}",
)
SECRET_NEEDED = Message(
    "H018",
    "secret-needed",
    "the secret `{name}` is needed to settle {tool} ({action_id}): {why}",
    "le secret `{name}` est nécessaire pour trancher {tool} ({action_id}) : {why}",
    Text(
        "an earlier call may have taken place; supply the secret, then run the same command again",
        "un appel précédent a pu avoir lieu ; fournissez le secret, puis relancez la même commande",
    ),
)

# What is wrong with an option of a decorator.
BAD_ON_ERROR = Text(
    en='on_error is "failed" or "unknown", not {value}',
    fr='on_error vaut "failed" ou "unknown", pas {value}',
)
BAD_TIMEOUT = Text(
    en="timeout_s is a number of seconds above 0, not {value}",
    fr="timeout_s est un nombre de secondes supérieur à 0, pas {value}",
)
BAD_KEY_LIFE = Text(
    en="key_life_s is a number of seconds above 0, not {value}",
    fr="key_life_s est un nombre de secondes supérieur à 0, pas {value}",
)
BAD_AFTER = Text(
    en="after_s is a number of seconds from 0, not {value}",
    fr="after_s est un nombre de secondes à partir de 0, pas {value}",
)
HOST_ASYNC = Message(
    "H022",
    "host-async",
    "`build()` of `{host}` is async, and nothing awaits it here",
    "`build()` de `{host}` est async, et rien ne l'attend ici",
    Text(
        "`agentl run` awaits it; from Python, give load_host a `wait_for`",
        "`agentl run` l'attend ; depuis Python, donnez un `wait_for` à load_host",
    ),
)
