"""Findings about hypotheses."""

from __future__ import annotations

from agentl.messages.message import Message, Text

CERTAIN_EVIDENCE = Message(
    "E006",
    "certain-evidence",
    "{field} {value} of hypothesis `{hypothesis}` is not between 0 and 1",
    "{field} {value} de l'hypothèse `{hypothesis}` n'est pas entre 0 et 1",
    Text(
        "evidence is never certain: write a number above 0 and below 1, or a percentage",
        "un indice n'est jamais certain : écrivez un nombre entre 0 et 1 exclus, ou un pourcentage",
    ),
)

IDLE_HYPOTHESIS = Message(
    "W107",
    "idle-hypothesis",
    "hypothesis `{hypothesis}`: {problem}",
    "hypothèse `{hypothesis}` : {problem}",
)
UNREAD_HYPOTHESIS = Text("nothing reads it and it EXPLAINS nothing", "rien ne la lit et elle n'a pas d'EXPLAINS")
READ_OR_EXPLAIN = Text(
    "read it as P({hypothesis}), give it EXPLAINS, or remove it",
    "lisez-la par P({hypothesis}), donnez-lui EXPLAINS, ou retirez-la",
)
EVIDENCE_OF_NOTHING = Text(
    "this evidence is as likely with it as without it ({value}), and moves nothing",
    "cet indice est aussi probable avec elle que sans elle ({value}), et ne change rien",
)
MAKE_THEM_DIFFER = Text(
    "let LIKELIHOOD and GIVEN_NOT differ, or remove the evidence",
    "donnez à LIKELIHOOD et GIVEN_NOT des valeurs différentes, ou retirez l'indice",
)

UNCAPPED_EVIDENCE = Message(
    "W114",
    "uncapped-evidence",
    "{count} evidence items of `{hypothesis}` add up without GROUP or MAX_EVIDENCE, and authority depends on the sum",
    "{count} indices de `{hypothesis}` s'additionnent sans GROUP ni MAX_EVIDENCE, et une autorité dépend de la somme",
    Text(
        "put items with one cause into a GROUP, or cap the whole with MAX_EVIDENCE",
        "mettez les indices de même cause dans un GROUP, ou plafonnez le tout par MAX_EVIDENCE",
    ),
)

UNREACHABLE_THRESHOLD = Message(
    "W116",
    "unreachable-threshold",
    "THRESHOLD {threshold} of `{hypothesis}` decides nothing: its probability stays within {low} and {high}",
    "THRESHOLD {threshold} de `{hypothesis}` ne décide rien : sa probabilité reste entre {low} et {high}",
    Text(
        "choose a threshold above the lowest and up to the highest value, or change PRIOR or EVIDENCE",
        "prenez un seuil au-dessus de la plus basse valeur et jusqu'à la plus haute, ou changez PRIOR ou EVIDENCE",
    ),
)
