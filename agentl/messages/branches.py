"""Findings about PARALLEL, GIVE and STOP (decision 18)."""

from __future__ import annotations

from agentl.messages.message import Message, Text

CONFLICTING_BRANCHES = Message(
    "E207",
    "conflicting-branches",
    "the branches `{one}` and `{other}` both write `{path}`",
    "les branches `{one}` et `{other}` écrivent toutes deux `{path}`",
    Text(
        "which of the two counts would depend on nothing the program says: let one branch write it, or use two names",
        "rien dans le programme ne dirait laquelle compte : qu'une seule branche l'écrive, ou prenez deux noms",
    ),
)
WRITTEN_HERE = Text(
    "branch `{branch}` writes it here: {how}",
    "la branche `{branch}` l'écrit ici : {how}",
)
BY_SET = Text("an assignment", "une affectation")
BY_OUTPUT = Text("an output of `{tool}`", "une sortie de `{tool}`")
BY_EFFECT = Text("an EFFECT of `{tool}`", "un EFFECT de `{tool}`")
BY_SIDE_EFFECT = Text("a SIDE_EFFECT of `{tool}`", "un SIDE_EFFECT de `{tool}`")
BY_REQUIRES = Text("REQUIRES of `{tool}` reads the sensor again", "REQUIRES de `{tool}` relit le capteur")
BY_VERIFY = Text("VERIFY reads the sensor again", "VERIFY relit le capteur")
BY_MODEL = Text("an answer of the model", "une réponse du modèle")
BY_PERSON = Text("an answer to ASK", "une réponse à ASK")
BY_AGENT = Text("an answer of the sub-agent `{agent}`", "une réponse du sous-agent `{agent}`")

SHARED_SIDE_EFFECT = Message(
    "E208",
    "tool-in-two-branches",
    "`{tool}` has a SIDE_EFFECT and is called in the branches `{one}` and `{other}`",
    "`{tool}` a un SIDE_EFFECT et est appelé dans les branches `{one}` et `{other}`",
    Text(
        "call it in one branch only, or let the branches run one after the other: PARALLEL MAX 1",
        "appelez-le dans une seule branche, ou exécutez les branches l'une après l'autre : PARALLEL MAX 1",
    ),
)
CALLED_HERE = Text("branch `{branch}` calls it here", "la branche `{branch}` l'appelle ici")

MISPLACED_STATEMENT = Message(
    "E209",
    "misplaced-statement",
    "{word} cannot stand {where}",
    "{word} ne peut pas figurer {where}",
    Text(
        "GIVE and STOP end a plan and stand in one; a branch does its work and ends by itself",
        "GIVE et STOP terminent un plan et s'y trouvent ; une branche fait son travail et se termine seule",
    ),
)
IN_A_BRANCH = Text("in a branch of PARALLEL", "dans une branche de PARALLEL")
OUTSIDE_A_PLAN = Text("outside of a plan", "hors d'un plan")

# Statements that were read as a name, because what follows is none of theirs.
HOW_TO_WRITE = {
    "GIVE": Text(
        "the statement GIVE needs a value, `GIVE total`, or a record, `GIVE {{ name = value }}`",
        "l'instruction GIVE demande une valeur, `GIVE total`, ou un enregistrement, `GIVE {{ nom = valeur }}`",
    ),
    "PARALLEL": Text(
        "the statement is written `PARALLEL {{ BRANCH a {{ … }} BRANCH b {{ … }} }}`",
        "l'instruction s'écrit `PARALLEL {{ BRANCH a {{ … }} BRANCH b {{ … }} }}`",
    ),
    "STOP": Text(
        'the statement is written `STOP` or `STOP "reason"`', "l'instruction s'écrit `STOP` ou `STOP \"raison\"`"
    ),
}
