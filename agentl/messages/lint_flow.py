"""Findings about the order of statements: what is confirmed after an action, and what is known before a test."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNVERIFIED_ACTION = Message(
    "W102",
    "unverified-action",
    "nothing after this call of `{tool}` verifies what it was to bring about",
    "rien après cet appel de `{tool}` ne vérifie ce qu'il devait produire",
    Text("VERIFY one of {paths} after it, on every path", "après lui, et sur tout chemin, VERIFY l'un de {paths}"),
)
NOTHING_DECLARED = Text(
    "the tool declares neither EFFECT nor OUTPUT: declare one, and VERIFY it after the call",
    "l'outil ne déclare ni EFFECT ni OUTPUT : déclarez-en un, et VERIFY après l'appel",
)

SELF_CONFIRMING_VERIFY = Message(
    "W121",
    "self-confirming-verify",
    "this VERIFY reads what a tool says it did, not the world: {paths} is not observed",
    "ce VERIFY lit ce qu'un outil dit avoir fait, pas le monde : {paths} n'est pas observé",
    Text(
        "add the path to OBSERVE, so that a sensor confirms it",
        "ajoutez le chemin à OBSERVE, pour qu'un capteur le confirme",
    ),
)
DECLARED_EFFECT = Text("`{tool}` declares it as its effect here", "`{tool}` le déclare ici comme son effet")

UNSURE_INEQUALITY = Message(
    "W135",
    "unsure-inequality",
    "`{path} != …` is also true while nothing has defined `{path}`",
    "`{path} != …` est vrai aussi tant que rien n'a défini `{path}`",
    Text(
        "compare with ==, or define it first: in OBSERVE, in BELIEF, or by SET on every path",
        "comparez par ==, ou définissez-le d'abord : dans OBSERVE, dans BELIEF, ou par SET sur tout chemin",
    ),
)

UNSURE_ELSEWHERE = Message(
    "W205",
    "unsure-elsewhere",
    "this condition is also true while nothing has defined `{path}`",
    "cette condition est vraie aussi tant que rien n'a défini `{path}`",
    Text(
        "ask for what must hold, by ==, or define `{path}` first: in OBSERVE, in BELIEF, or by SET on every path",
        "demandez ce qui doit valoir, par ==, ou définissez `{path}` : dans OBSERVE, dans BELIEF, ou par SET partout",
    ),
)
