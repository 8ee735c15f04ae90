"""Findings of `check`: E001-E017 as in AGENT-L 1.10, E2xx and W2xx of ours (decision 32).

W201-W219 are of the strict profile (W223 too); W230 on are of the parser.
"""

from __future__ import annotations

from agentl.messages.message import Message, Text

DID_YOU_MEAN = Text("did you mean `{name}`?", "vouliez-vous dire `{name}` ?")
DID_YOU_MEAN_ONE_OF = Text("did you mean `{one}` or `{other}`?", "vouliez-vous dire `{one}` ou `{other}` ?")
WRITE_INSTEAD = Text("write `{name}`", "écrire `{name}`")
USED_HERE = Text("`{name}` is used here", "`{name}` est utilisé ici")
FIRST_HERE = Text("first declared here", "déclaré ici d'abord")

UNDECLARED_TOOL = Message(
    "E001",
    "undeclared-tool",
    "`{tool}` is called, but agent `{agent}` declares no such tool",
    "`{tool}` est appelé, mais l'agent `{agent}` ne déclare pas cet outil",
    Text(
        "declare it with TOOL {tool}, or call a tool of this agent",
        "déclarez-le avec TOOL {tool}, ou appelez un outil de cet agent",
    ),
)

UNDECLARED_PLAN = Message(
    "E002",
    "undeclared-plan",
    "`{plan}` is to be run, but agent `{agent}` declares no such plan",
    "`{plan}` doit s'exécuter, mais l'agent `{agent}` ne déclare pas ce plan",
    Text("declare it with PLAN {plan}", "déclarez-le avec PLAN {plan}"),
)
TOOL_NEEDS_PARENTHESES = Text(
    "`{name}` is a tool: a call is written `{name}(…)`",
    "`{name}` est un outil : un appel s'écrit `{name}(…)`",
)

UNDECLARED_RULE_TARGET = Message(
    "E003",
    "undeclared-rule-target",
    "rule on `{target}`: neither a tool of agent `{agent}` nor a sub-agent it delegates to",
    "règle sur `{target}` : ni un outil de l'agent `{agent}` ni un sous-agent auquel il délègue",
    Text(
        "a rule that names nothing protects nothing; name a declared tool, or `*` for all",
        "une règle qui ne nomme rien ne protège rien ; nommez un outil déclaré, ou `*` pour tous",
    ),
)

DUPLICATE_DECLARATION = Message(
    "E004",
    "duplicate-declaration",
    "{kind} `{name}` is declared more than once in agent `{agent}`",
    "{kind} `{name}` est déclaré plusieurs fois dans l'agent `{agent}`",
    Text("rename or remove one of them", "renommez-en ou retirez-en un"),
)
UNNAMED_GOALS = Text(
    "goals without a name are all called `main`: give each a name",
    "les buts sans nom s'appellent tous `main` : donnez un nom à chacun",
)

NAME_GOAL = Text("name this goal `{name}`", "nommer ce but `{name}`")

EMPTY_EVENT = Message(
    "E005",
    "empty-event",
    "EVENT `{source}` has no statement",
    "EVENT `{source}` n'a aucune instruction",
    Text("say what is to be done, or remove the handler", "dites ce qu'il faut faire, ou retirez le traitement"),
)

REMOVE_HANDLER = Text("remove the handler", "retirer le traitement")

UNDELIVERABLE_MESSAGE = Message(
    "E007",
    "undeliverable-message",
    "message `{message}` goes to `{to}`, and no agent of this file has that name",
    "le message `{message}` va à `{to}`, et aucun agent de ce fichier ne porte ce nom",
)
MESSAGE_TO_NOBODY = Text("(nobody)", "(personne)")
ADD_ADDRESSEE = Text("add TO with an agent's name, or BROADCAST", "ajoutez TO avec le nom d'un agent, ou BROADCAST")

UNDECLARED_SHARED_KEY = Message(
    "E008",
    "undeclared-shared-key",
    "WRITE into SHARED.{key}, which the agent does not list in MEMORY {{ SHARED }}",
    "WRITE dans SHARED.{key}, que l'agent ne liste pas dans MEMORY {{ SHARED }}",
    Text("add `{key}` to MEMORY {{ SHARED {{ … }} }}", "ajoutez `{key}` à MEMORY {{ SHARED {{ … }} }}"),
)

LIST_SHARED_KEY = Text("add `{key}` to MEMORY {{ SHARED }}", "ajouter `{key}` à MEMORY {{ SHARED }}")

TOOL_IN_EXPRESSION = Message(
    "E009",
    "tool-in-expression",
    "tool `{name}` is called inside an expression",
    "l'outil `{name}` est appelé dans une expression",
    Text(
        "call it as a statement of its own, then read its outputs as `{name}.<output>`",
        "appelez-le comme une instruction, puis lisez ses sorties avec `{name}.<sortie>`",
    ),
)

UNSET_RISK = Message(
    "E011",
    "unset-risk",
    "the risk of tool `{tool}` is UNSET: nobody has judged it",
    "le risque de l'outil `{tool}` est UNSET : personne ne l'a évalué",
    Text(
        "decide: NONE, INFO, LOW, MEDIUM, HIGH, SEVERE or CRITICAL",
        "décidez : NONE, INFO, LOW, MEDIUM, HIGH, SEVERE ou CRITICAL",
    ),
)

DUPLICATE_AGENT = Message(
    "E012",
    "duplicate-agent",
    "agent `{name}` has the same name as an earlier one (upper and lower case count as equal)",
    "l'agent `{name}` porte le même nom qu'un précédent (majuscules et minuscules sont égales)",
    Text("rename one of them", "renommez l'un des deux"),
)

WRONG_ARGUMENTS = Message(
    "E013",
    "wrong-arguments",
    "the call of `{tool}` does not fit its INPUT: {problems}",
    "l'appel de `{tool}` ne correspond pas à son INPUT : {problems}",
    Text("declared: {signature}", "déclaré : {signature}"),
)
TOO_MANY_ARGUMENTS = Text(
    "arguments by position: {given}, declared inputs: {declared}",
    "arguments par position : {given}, entrées déclarées : {declared}",
)
ARGUMENT_TWICE = Text("`{name}` is given twice", "`{name}` est donné deux fois")
UNKNOWN_ARGUMENT = Text("there is no input `{name}`", "il n'y a pas d'entrée `{name}`")
MISSING_ARGUMENT = Text("`{name}` is missing", "`{name}` manque")

UNKNOWN_FUNCTION = Message(
    "E015",
    "unknown-function",
    "`{name}` is not a function of the language",
    "`{name}` n'est pas une fonction du langage",
    Text(
        "the functions are {functions}; upper and lower case differ",
        "les fonctions sont {functions} ; majuscules et minuscules diffèrent",
    ),
)

MISUSED_PROVENANCE = Message(
    "E016",
    "misused-provenance",
    "{function}: {problem}",
    "{function} : {problem}",
    Text(
        "as in UNTRUSTED(order.amount) or ATTESTED(parcel, check_stamp)",
        "comme UNTRUSTED(order.amount) ou ATTESTED(parcel, check_stamp)",
    ),
)
NEEDS_A_PATH = Text("its first argument must be a path", "son premier argument doit être un chemin")
ACTION_IS_NOT_ATTESTED = Text("`action` itself is never attested", "`action` lui-même n'est jamais attesté")
ACTION_OUTSIDE_GUARD = Text(
    "`action` exists only in the guard of a policy rule", "`action` n'existe que dans la garde d'une règle"
)
TOO_MANY_FOR_PROVENANCE = Text(
    "it takes at most {most} positional and no named arguments",
    "au plus {most} arguments positionnels, aucun argument nommé",
)
ATTESTER_IS_NO_TOOL = Text(
    "its second argument must be the name of a declared tool",
    "son second argument doit être le nom d'un outil déclaré",
)

NAMED_ARGUMENT_TO_FUNCTION = Message(
    "E201",
    "named-argument-to-function",
    "function `{function}` takes no named arguments, yet `{name}` is given by name",
    "la fonction `{function}` n'a pas d'arguments nommés, or `{name}` est donné par son nom",
    Text("the value would be ignored: give it by position", "la valeur serait ignorée : donnez-la par position"),
)

CONFIDENCE_OUT_OF_RANGE = Message(
    "E202",
    "confidence-out-of-range",
    "belief `{path}` has CONFIDENCE {value}, outside 0..1",
    "la croyance `{path}` a CONFIDENCE {value}, hors de 0..1",
    Text("write a number from 0 to 1, or a percentage", "écrivez un nombre de 0 à 1, ou un pourcentage"),
)

EMPTY_LIMIT = Message(
    "E203",
    "empty-limit",
    "{construct} with MAX {limit} would never run",
    "{construct} avec MAX {limit} ne s'exécuterait jamais",
    Text("write MAX 1 or more, or remove it", "écrivez MAX 1 ou plus, ou retirez-le"),
)

DOTTED_SHARED_KEY = Message(
    "E204",
    "dotted-shared-key",
    "shared key `{key}` has a dot: it could be written but never read",
    "la clé partagée `{key}` a un point : elle pourrait être écrite mais jamais lue",
    Text("use a name without a dot", "prenez un nom sans point"),
)

UNKNOWN_TOOL_FACT = Message(
    "E205",
    "unknown-tool-fact",
    "`{path}` never has a value: {problem}",
    "`{path}` n'a jamais de valeur : {problem}",
    Text(
        "the facts of a tool are tools.<name>.in_doubt, .available and .failures",
        "les faits d'un outil sont tools.<nom>.in_doubt, .available et .failures",
    ),
)
NO_SUCH_TOOL = Text("there is no tool or sub-agent `{name}`", "il n'y a ni outil ni sous-agent `{name}`")
NO_SUCH_FACT = Text("a tool has no fact `{name}`", "un outil n'a pas de fait `{name}`")

GUARD_IS_NO_QUESTION = Message(
    "E206",
    "guard-is-no-question",
    "the guard of a rule on `{target}` has {form} where a yes-or-no question must stand",
    "la garde d'une règle sur `{target}` a {form} là où il faut une question fermée",
    Text("compare it with something, as in `amount > 100`", "comparez-le, comme dans `amount > 100`"),
)
FORM_NUMBER = Text("a number", "un nombre")
FORM_TEXT = Text("a text", "un texte")
FORM_LIST = Text("a list", "une liste")

UNBOUNDED_LOOP = Message(
    "W220",
    "unbounded-loop",
    "the LOOP of agent `{agent}` has no MAX: it stops after {limit} ticks",
    "le LOOP de l'agent `{agent}` n'a pas de MAX : il s'arrête après {limit} tours",
    Text("write MAX with the bound you mean", "écrivez MAX avec la borne voulue"),
)

FACT_OF_UNCALLED_TOOL = Message(
    "W221",
    "fact-of-uncalled-tool",
    "`{path}` is read by a rule, but nothing in agent `{agent}` calls `{tool}`",
    "`{path}` est lu par une règle, mais rien dans l'agent `{agent}` n'appelle `{tool}`",
    Text(
        "the fact keeps its first value unless the host calls `{tool}` itself; is another tool meant?",
        "le fait garde sa première valeur sauf si l'hôte appelle `{tool}` ; un autre outil est-il visé ?",
    ),
)

FACT_BEFORE_FIRST_CALL = Message(
    "W222",
    "fact-before-first-call",
    "`{path}` is unknown until `{tool}` was called, and until then this rule on `{target}` applies",
    "`{path}` est inconnu tant que `{tool}` n'a pas été appelé, et jusque-là cette règle sur `{target}` s'applique",
    Text(
        "let a plan SET a path of its own from it, and read that here (a BELIEF of the fact would hide it for ever), "
        "or read tools.{tool}.in_doubt",
        "qu'un plan pose (SET) un chemin à lui d'après ce fait, et lisez celui-là ici (un BELIEF du fait le cacherait "
        "pour toujours), ou lisez tools.{tool}.in_doubt",
    ),
)

FAILING_CALL = Message(
    "W223",
    "failing-call",
    "this will fail when it is evaluated: {problem}",
    "ceci échouera à l'évaluation : {problem}",
)

MISSING_GOAL = Message(
    "W105",
    "missing-goal",
    "agent `{agent}` declares no GOAL: nothing says when it is done",
    "l'agent `{agent}` ne déclare aucun GOAL : rien ne dit quand il a fini",
    Text("add GOAL <name> {{ ACHIEVE … }}", "ajoutez GOAL <nom> {{ ACHIEVE … }}"),
)

UNREACHABLE_PLAN = Message(
    "W106",
    "unreachable-plan",
    "plan `{plan}` never starts: it has no WHEN and no statement names it",
    "le plan `{plan}` ne démarre jamais : il n'a pas de WHEN et aucune instruction ne le nomme",
    Text(
        "give it a WHEN, run it with THEN {plan}, or remove it",
        "donnez-lui un WHEN, lancez-le par THEN {plan}, ou retirez-le",
    ),
)

UNHANDLED_MESSAGE = Message(
    "W111",
    "unhandled-message",
    "message `{message}` is sent, and no agent of this file has ON MESSAGE {message}",
    "le message `{message}` est envoyé, et aucun agent de ce fichier n'a ON MESSAGE {message}",
    Text(
        "whoever gets it drops it: handle it, or do not send it",
        "qui le reçoit l'abandonne : traitez-le, ou ne l'envoyez pas",
    ),
)

UNSENT_MESSAGE = Message(
    "W112",
    "unsent-message",
    "ON MESSAGE {message} waits for a message that no agent of this file sends",
    "ON MESSAGE {message} attend un message qu'aucun agent de ce fichier n'envoie",
    Text("send it, or remove the handler", "envoyez-le, ou retirez le traitement"),
)

UNDESCRIBED_DELEGATE = Message(
    "W127",
    "undescribed-delegate",
    "`{target}` is delegated to without a TOOL of that name, so every rule takes its risk to be CRITICAL",
    "`{target}` reçoit une délégation sans TOOL de ce nom, et toute règle tient donc son risque pour CRITICAL",
    Text("declare TOOL {target} with the RISK you mean", "déclarez TOOL {target} avec le RISK voulu"),
)

LONE_AGENT_MESSAGE = Message(
    "W202",
    "lone-agent-message",
    "agent `{agent}` is alone in this file: {problem}",
    "l'agent `{agent}` est seul dans ce fichier : {problem}",
)

UNKNOWN_RISK = Message(
    "W209",
    "unknown-risk",
    "the risk of tool `{tool}` is {risk}, which is no word of the scale: no rule can compare it",
    "le risque de l'outil `{tool}` est {risk}, qui n'est pas un mot de l'échelle : aucune règle ne peut le comparer",
    Text(
        "the words are NONE, INFO, LOW, MEDIUM, HIGH, SEVERE and CRITICAL",
        "les mots sont NONE, INFO, LOW, MEDIUM, HIGH, SEVERE et CRITICAL",
    ),
)

IGNORED_EFFECT = Message(
    "W210",
    "ignored-effect",
    "tool `{tool}` has an OUTCOME, so its EFFECT is ignored: nothing is said to change {paths}",
    "l'outil `{tool}` a un OUTCOME, et son EFFECT est donc ignoré : rien n'est dit changer {paths}",
    Text("write the effect in each OUTCOME that has it", "écrivez l'effet dans chaque OUTCOME qui l'a"),
)

UNKNOWN_MEMORY = Message(
    "W250",
    "unknown-memory",
    "WRITE INTO {memory}: there is no such memory, so each tick reports an error and nothing is kept",
    "WRITE INTO {memory} : cette mémoire n'existe pas, chaque tour signale donc une erreur et rien n'est gardé",
    Text(
        "the memories are SHORT_TERM, LONG_TERM, KNOWLEDGE and SHARED",
        "les mémoires sont SHORT_TERM, LONG_TERM, KNOWLEDGE et SHARED",
    ),
)
