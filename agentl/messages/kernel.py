"""What the kernel says when it refuses to be gone round."""

from __future__ import annotations

from agentl.messages.message import Message, Text

PERMIT_MADE_BY_HAND = Message(
    "R901",
    "permit-made-by-hand",
    en="only the gate makes permits",
    fr="seule la barrière délivre des permis",
    help=Text(
        en="call the tool from a plan, or use agentl.kernel.testing.dispatch in a test",
        fr="appelez l'outil depuis un plan, ou utilisez agentl.kernel.testing.dispatch dans un test",
    ),
)
PERMIT_CHANGED = Message(
    "R902",
    "permit-changed",
    en="a permit cannot be changed",
    fr="un permis ne se modifie pas",
)
PERMIT_SERIALISED = Message(
    "R903",
    "permit-serialised",
    en="a permit cannot be serialised",
    fr="un permis ne se sérialise pas",
)
PERMIT_FORGED = Message(
    "R904",
    "permit-forged",
    en="this permit was not delivered by the gate",
    fr="ce permis n'a pas été délivré par la barrière",
)
PERMIT_NOT_USABLE = Message(
    "R905",
    "permit-not-usable",
    en="the permit of `{target}` has been used or revoked (`{status}`)",
    fr="le permis de `{target}` a déjà servi ou a été révoqué (`{status}`)",
)
PERMIT_FOREIGN = Message(
    "R906",
    "permit-foreign",
    en="the permit of `{target}` was delivered by another kernel",
    fr="le permis de `{target}` a été délivré par un autre noyau",
)
NO_ACTIVE_PERMIT = Message(
    "R907",
    "no-active-permit",
    en="`{target}` was called without an active permit",
    fr="`{target}` a été appelé sans permis actif",
    help=Text(
        en="tools run only after a decision of the policy; in a test, use agentl.kernel.testing.dispatch",
        fr="un outil ne s'exécute qu'après une décision de la politique ; dans un test, utilisez "
        "agentl.kernel.testing.dispatch",
    ),
)
PERMIT_PRESENTED_TWICE = Message(
    "R908",
    "permit-presented-twice",
    en="the permit of `{target}` has already been presented; a permit covers one call",
    fr="le permis de `{target}` a déjà été présenté ; un permis couvre un seul appel",
)
PERMIT_FOR_OTHER_TARGET = Message(
    "R909",
    "permit-for-other-target",
    en="the active permit covers {kind} `{target}`, not {asked_kind} `{asked_target}`",
    fr="le permis actif couvre {kind} `{target}`, et non {asked_kind} `{asked_target}`",
)
PERMIT_FOR_OTHER_ARGUMENTS = Message(
    "R910",
    "permit-for-other-arguments",
    en="`{target}` was called with other arguments than those decided on",
    fr="`{target}` a été appelé avec d'autres arguments que ceux qui ont été décidés",
)
NOT_A_DISPATCH = Message(
    "R911",
    "not-a-dispatch",
    en="only a running dispatch can be carried to another thread or task",
    fr="seul un appel en cours peut être transporté vers un autre fil ou une autre tâche",
)
NOT_JUDGED = Message(
    "R912",
    "not-judged",
    en="the decision presented for `{target}` was not made about this action",
    fr="la décision présentée pour `{target}` n'a pas été prise pour cette action",
)
