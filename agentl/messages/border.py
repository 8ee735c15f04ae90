"""What is said about values that may not pass the border of an operation."""

from __future__ import annotations

from agentl.messages.message import Text

NOT_UTF8 = Text("it is not UTF-8", "ce n'est pas de l'UTF-8")
EMPTY = Text("there is no value", "il n'y a aucune valeur")
NOT_JSON = Text("it is not JSON", "ce n'est pas du JSON")
UNEXPECTED = Text(
    "it is not JSON: `{found}` may not stand here", "ce n'est pas du JSON : `{found}` n'a pas sa place ici"
)
ENDS_EARLY = Text("it is not JSON: it ends too early", "ce n'est pas du JSON : le texte s'arrête trop tôt")
NOT_A_NUMBER = Text("`{word}` is not JSON", "`{word}` n'est pas du JSON")
MORE_THAN_ONE = Text("something follows the value", "quelque chose suit la valeur")
BYTE_ORDER_MARK = Text("it begins with a byte order mark", "cela commence par une marque d'ordre des octets (BOM)")
DUPLICATE_KEY = Text("an object has this key twice", "un objet a deux fois cette clé")
INTEGER_OUT_OF_RANGE = Text("a whole number is beyond ±(2^53 - 1)", "un nombre entier dépasse ±(2^53 - 1)")
NUMBER_OUT_OF_RANGE = Text("a number is not finite", "un nombre n'est pas fini")
TOO_DEEP = Text("it is nested deeper than {most}", "l'imbrication dépasse {most} niveaux")
LONE_SURROGATE = Text(
    "a text has half of a surrogate pair", "un texte contient une moitié isolée de paire de substitution (surrogate)"
)
NO_BORDER_TYPE = Text("a value of type {type} cannot leave", "une valeur de type {type} ne peut pas sortir")
KEY_NOT_TEXT = Text("a key is not a text", "une clé n'est pas un texte")
AT_POINTER = Text("{reason} (at `{pointer}`)", "{reason} (à `{pointer}`)")
AT_OFFSET = Text("{reason} (character {offset})", "{reason} (caractère {offset})")
