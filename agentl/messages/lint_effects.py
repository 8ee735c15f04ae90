"""Findings about effects that may happen twice, without leave, or never: ours, W240 on (decision 32)."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNREAD_DOUBT = Message(
    "W240",
    "unread-doubt",
    "`{tool}` {problem}, and nothing reads whether a call of it is in doubt",
    "`{tool}` {problem}, et rien ne lit si un de ses appels est en doute",
    Text(
        "write NEVER {tool} WHEN tools.{tool}.in_doubt == true, or USE std.durable for every tool",
        "écrivez NEVER {tool} WHEN tools.{tool}.in_doubt == true, ou USE std.durable pour tous les outils",
    ),
)
HOST_PROMISES_NOTHING = Text(
    "acts, its host promises neither a key nor a look-up for it",
    "agit, son hôte ne promet pour lui ni clé ni recherche",
)
ACTS = Text("acts", "agit")
NEVER_IN_DOUBT = Text(
    "add NEVER {tool} WHEN tools.{tool}.in_doubt == true", "ajouter NEVER {tool} WHEN tools.{tool}.in_doubt == true"
)

IMPOSSIBLE_GUARD = Message(
    "W241",
    "impossible-guard",
    "the guard of this rule on `{target}` is never true: {consequence}",
    "la garde de cette règle sur `{target}` n'est jamais vraie : {consequence}",
    Text("correct the condition, or remove the rule", "corrigez la condition, ou retirez la règle"),
)
ALLOWS_NOTHING = Text("it allows nothing", "elle n'autorise rien")
FORBIDS_THE_UNKNOWN_ONLY = Text(
    "it applies only while something in it is unknown",
    "elle ne s'applique que tant que quelque chose y est inconnu",
)

CONSTANT_GUARD = Message(
    "W242",
    "constant-guard",
    "the guard of this rule on `{target}` is true whatever is known: {consequence}",
    "la garde de cette règle sur `{target}` est vraie quoi qu'on sache : {consequence}",
    Text("correct the condition, or write the rule without it", "corrigez la condition, ou écrivez la règle sans elle"),
)
APPLIES_ALWAYS = Text("it applies to every call", "elle s'applique à tout appel")
ALLOWS_WHAT_IS_KNOWN = Text(
    "it allows every call once the values are known", "elle autorise tout appel dès que les valeurs sont connues"
)
REMOVE_GUARD = Text("write the rule without its guard", "écrire la règle sans sa garde")

SHADOWED_RULE = Message(
    "W243",
    "shadowed-rule",
    "this rule on `{target}` decides nothing: {why}",
    "cette règle sur `{target}` ne décide rien : {why}",
    Text("remove it, or change one of the two", "retirez-la, ou changez l'une des deux"),
)
REFUSED_BEFORE = Text(
    "wherever it holds, another rule refuses already", "partout où elle vaut, une autre règle refuse déjà"
)
SAID_ALREADY = Text(
    "wherever it holds, another rule says the same", "partout où elle vaut, une autre règle dit la même chose"
)
OTHER_RULE = Text("the other rule", "l'autre règle")
REMOVE_RULE = Text("remove this rule", "retirer cette règle")

BYPASSED_APPROVAL = Message(
    "W244",
    "bypassed-approval",
    "this call of `{tool}` goes round the person who is asked before another one",
    "cet appel de `{tool}` contourne la personne interrogée avant un autre",
    Text(
        "leave the question to policy: REQUIRE APPROVAL FOR {tool}, with a guard if need be, holds on every way",
        "confiez la question à la politique : REQUIRE APPROVAL FOR {tool}, au besoin sous garde, vaut sur tout chemin",
    ),
)
ASKED_HERE = Text("here a person is asked before it", "ici une personne est interrogée avant")

UNSET_GUARD_PATH = Message(
    "W245",
    "unset-guard-path",
    "nothing in agent `{agent}` ever gives `{path}` a value",
    "rien dans l'agent `{agent}` ne donne jamais de valeur à `{path}`",
    Text(
        "correct the path, or define it: in OBSERVE, in BELIEF, by SET, or as an effect or output",
        "corrigez le chemin, ou définissez-le : dans OBSERVE, dans BELIEF, par SET, ou comme effet ou sortie",
    ),
)

IMPOSSIBLE_FACT_VALUE = Message(
    "W246",
    "impossible-fact-value",
    "`{path}` is true or false: compared with `{value}` the condition never holds as meant",
    "`{path}` est vrai ou faux : comparé à `{value}`, la condition ne vaut jamais comme voulu",
    Text("write `{path} == true` or `{path} == false`", "écrivez `{path} == true` ou `{path} == false`"),
)

OPEN_BY_DEFAULT = Message(
    "W247",
    "open-by-default",
    "tool `{tool}` has risk {risk} and is open: the default is ALLOW, and {what}",
    "l'outil `{tool}` a le risque {risk} et est ouvert : le défaut est ALLOW, et {what}",
    Text(
        "write DEFAULT DENY, or a NEVER, DENY or REQUIRE APPROVAL on {tool}",
        "écrivez DEFAULT DENY, ou un NEVER, DENY ou REQUIRE APPROVAL sur {tool}",
    ),
)
ONLY_ALLOWED = Text("the only rules on it allow it", "les seules règles sur lui l'autorisent")
ONLY_DOUBT = Text(
    "the only rules against it wait for a call in doubt", "les seules règles contre lui attendent un appel en doute"
)

WORD_IS_OUTPUT = Message(
    "W248",
    "word-is-output",
    "`{word}` is meant as a word here, and `{owner}` gives a value to that name",
    "`{word}` est voulu comme un mot ici, et `{owner}` donne une valeur à ce nom",
    Text(
        'after that the comparison is with the value: write "{word}" for the word, or rename the field',
        'la comparaison se fait ensuite avec la valeur : écrivez "{word}" pour le mot, ou renommez le champ',
    ),
)
MEANT_AS_WORD = Text("here `{path}` is given the word", "ici `{path}` reçoit le mot")
WRITE_AS_TEXT = Text('write "{word}"', 'écrire "{word}"')

STALE_OUTPUT = Message(
    "W249",
    "stale-output",
    "`{path}` may be what `{tool}` gave for another element: a call that is refused or fails leaves it as it was",
    "`{path}` peut être ce que `{tool}` a donné pour un autre élément : un appel refusé ou raté le laisse tel quel",
    Text(
        "let the tool say which element it is about, and compare that: `{tool}.<output> == {variable}`",
        "que l'outil dise de quel élément il s'agit, et comparez-le : `{tool}.<sortie> == {variable}`",
    ),
)
CALLED_HERE = Text("called here", "appelé ici")
