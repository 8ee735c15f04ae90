"""Texts of the parser: P001 syntax, P1xx characters and tokens, W201 on warnings about what is replaced."""

from __future__ import annotations

from agentl.messages.message import Message, Text

STALE_TABLES = Text(
    "note: the parse tables are older than the grammar and were rebuilt in memory (`make generate` writes them)",
    "note : les tables d'analyse sont plus anciennes que la grammaire et ont été refaites en mémoire"
    " (`make generate` les écrit)",
)

# --- Syntax ---------------------------------------------------------------------------------------------------------

UNEXPECTED = Message(
    "P001",
    "unexpected-token",
    "expected {expected}, found {found}",
    "{expected} attendu, mais {found} trouvé",
)
UNEXPECTED_END = Message(
    "P002",
    "unexpected-end",
    "the text ends where {expected} should follow",
    "le texte se termine alors que {expected} devrait suivre",
)
MISSING_CLOSE = Message(
    "P003",
    "missing-brace",
    "`{bracket}` is missing before {found}",
    "il manque `{bracket}` avant {found}",
)
EXTRA_CLOSE = Message(
    "P004",
    "extra-brace",
    "`{bracket}` closes nothing",
    "`{bracket}` ne ferme rien",
)
EMPTY = Message(
    "P005",
    "empty-program",
    "the text holds no agent",
    "le texte ne contient aucun agent",
    Text("a program is one or more `AGENT name {{ … }}`", "un programme est fait d'un ou plusieurs `AGENT nom {{ … }}`"),
)
TOO_DEEP = Message(
    "P006",
    "nested-too-deep",
    "nested deeper than {limit} levels",
    "imbrication de plus de {limit} niveaux",
    Text("split it: a plan can queue another plan, a value can be SET first",
         "découpez : un plan peut en appeler un autre, une valeur peut être posée avant par SET"),
)
REPEATED_ARGUMENT = Message(
    "P010",
    "repeated-argument",
    "the argument `{name}` is given twice",
    "l'argument `{name}` est donné deux fois",
)
REPEATED_QUESTION = Message(
    "P011",
    "repeated-question",
    "the JUDGE field `{name}` stands twice",
    "le champ `{name}` de JUDGE figure deux fois",
)
NOTHING_EXPECTED = Message(
    "P012",
    "nothing-expected",
    "the scenario `{name}` expects nothing",
    "le scénario `{name}` n'attend rien",
    Text("add `EXPECT {{ … }}` or `EXPECT CALL tool`", "ajoutez `EXPECT {{ … }}` ou `EXPECT CALL outil`"),
)
EXPECT_WORDS = Message(
    "P013",
    "expect-words",
    "`EXPECT {words}` is none of the forms of EXPECT",
    "`EXPECT {words}` n'est pas une forme de EXPECT",
    Text("EXPECT {{ … }}, EXPECT CALL x, EXPECT NEVER CALL x, EXPECT BLOCKED x, EXPECT EVENT x, EXPECT NO ERROR",
         "EXPECT {{ … }}, EXPECT CALL x, EXPECT NEVER CALL x, EXPECT BLOCKED x, EXPECT EVENT x, EXPECT NO ERROR"),
)
POLICY_DEFAULT = Message(
    "P014",
    "policy-default",
    "DEFAULT takes ALLOW or DENY, not `{word}`",
    "DEFAULT prend ALLOW ou DENY, pas `{word}`",
)
EVERY_REMOVED = Message(
    "P015",
    "every-removed",
    "EVERY is no longer part of OBSERVE",
    "EVERY ne fait plus partie de OBSERVE",
    Text("observers are read once a tick; the host sets the pace of ticks",
         "les observations sont lues une fois par tour ; l'hôte règle le rythme des tours"),
)
WORD_NOT_A_NAME = Message(
    "P016",
    "word-not-a-name",
    "`{word}` goes on the field before it and cannot name a field here",
    "`{word}` continue le champ précédent et ne peut pas nommer un champ ici",
)
LABEL_THEN_OPERATOR = Message(
    "P017",
    "label-then-operator",
    "the text after VERIFY is its label; a condition must follow, found {found}",
    "le texte après VERIFY est son étiquette ; une condition doit suivre, mais {found} trouvé",
    Text('write `VERIFY ("x" == y)`', 'écrivez `VERIFY ("x" == y)`'),
)

# --- Characters and tokens ------------------------------------------------------------------------------------------

UNKNOWN_CHARACTER = Message(
    "P101",
    "unknown-character",
    "the character {character} has no meaning outside texts and comments",
    "le caractère {character} n'a pas de sens hors des textes et des commentaires",
)
OPEN_STRING = Message(
    "P102",
    "open-text",
    "this text is not closed by `\"`",
    "ce texte n'est pas fermé par `\"`",
)
OPEN_COMMENT = Message(
    "P103",
    "open-comment",
    "this comment is not closed by `*/`",
    "ce commentaire n'est pas fermé par `*/`",
)
GLUED_DATETIME = Message(
    "P104",
    "glued-datetime",
    "`{text}` is not a date and time",
    "`{text}` n'est pas une date et heure",
    Text("YYYY-MM-DD, THH:MM and :SS may follow; there is no time zone, so no Z",
         "AAAA-MM-JJ, puis THH:MM et :SS si besoin ; il n'y a pas de fuseau, donc pas de Z"),
)
HIDDEN_CHARACTER = Message(
    "P105",
    "hidden-character",
    "the invisible character {character} is not allowed, not even in texts and comments",
    "le caractère invisible {character} est interdit, même dans les textes et les commentaires",
    Text("it makes a text read differently from what it says: remove it",
         "il fait lire autre chose que ce qui est écrit : retirez-le"),
)
NUL = Message(
    "P106",
    "nul-character",
    "the text holds a NUL character ({character}): is it a program?",
    "le texte contient un caractère NUL ({character}) : est-ce un programme ?",
)
NOT_UTF8 = Message(
    "P107",
    "not-utf-8",
    "the file is not UTF-8: byte {value} at offset {offset} (line {line})",
    "le fichier n'est pas en UTF-8 : octet {value} à la position {offset} (ligne {line})",
    Text("save it as UTF-8", "enregistrez-le en UTF-8"),
)
DETACHED_PERCENT = Message(
    "P108",
    "detached-percent",
    "`%` must touch its number",
    "`%` doit toucher son nombre",
    Text("write `{number}%`", "écrivez `{number}%`"),
)
SINGLE_QUOTES = Message(
    "P109",
    "single-quotes",
    "texts stand between double quotes, not single ones",
    "les textes se mettent entre guillemets droits doubles, pas simples",
    Text('write `"…"`', 'écrivez `"…"`'),
)
SEMICOLON = Message(
    "P110",
    "semicolon",
    "`;` does not exist here: a statement ends by itself",
    "`;` n'existe pas ici : une instruction se termine d'elle-même",
    Text("remove it", "retirez-le"),
)
OTHER_OPERATOR = Message(
    "P111",
    "other-operator",
    "the character `{character}` has no meaning here",
    "le caractère `{character}` n'a pas de sens ici",
    Text("write `{instead}`", "écrivez `{instead}`"),
)
LOOKALIKE = Message(
    "P112",
    "look-alike",
    "`{character}` ({escaped}) is not the Latin letter `{like}`",
    "`{character}` ({escaped}) n'est pas la lettre latine `{like}`",
    Text("names are made of ASCII letters, digits and `_`", "les noms sont faits de lettres ASCII, de chiffres et de `_`"),
)

# --- Warnings of the parser ------------------------------------------------------------------------------------------

REPEATED_SECTION = Message(
    "W201",
    "repeated-section",
    "a second {word} replaces the first one entirely",
    "un second {word} remplace entièrement le premier",
    Text("keep one of them", "n'en gardez qu'un"),
)
REPEATED_FIELD = Message(
    "W202",
    "repeated-field",
    "a second {word} replaces the first one",
    "un second {word} remplace le premier",
    Text("keep one of them", "n'en gardez qu'un"),
)
UNREACHABLE_TOOL = Message(
    "W203",
    "unreachable-tool",
    "the tool `{name}` is named by a reserved word: nothing can call it",
    "l'outil `{name}` porte le nom d'un mot réservé : rien ne peut l'appeler",
)

# --- Hints -----------------------------------------------------------------------------------------------------------

FIRST_ONE_HERE = Text("the first one is here", "le premier est ici")
OPENED_HERE = Text("opened here", "ouvert ici")
BACKSLASH_AT_END = Text(
    "a backslash cannot stand before a line end; write `\\\\` for a backslash, or break the line without it",
    "une barre oblique inverse ne peut précéder une fin de ligne ; écrivez `\\\\`, ou coupez la ligne sans elle",
)
