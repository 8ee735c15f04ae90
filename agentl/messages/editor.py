"""What the language server says: in hovers, in menus, and when something cannot be done."""

from __future__ import annotations

from agentl.messages.message import Text

UNUSABLE_MESSAGE = Text(
    "agentl: a message of the editor could not be used ({kind})",
    "agentl : un message de l'éditeur n'a pas pu être utilisé ({kind})",
)
CHECK_FAILED = Text(
    "agentl: internal error while checking ({kind}); the findings shown may be old",
    "agentl : erreur interne pendant la vérification ({kind}) ; les constats affichés peuvent être anciens",
)
