"""Texts of the parser: P001 syntax, P1xx characters and tokens, W230 on warnings about what is replaced."""

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
    "il faut ici {expected}, pas {found}",
)
UNEXPECTED_END = Message(
    "P002",
    "unexpected-end",
    "the text ends where {expected} should follow",
    "le texte se termine là où il faut {expected}",
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
    Text(
        "a program is one or more `AGENT name {{ … }}`", "un programme est fait d'un ou plusieurs `AGENT nom {{ … }}`"
    ),
)
TOO_DEEP = Message(
    "P006",
    "nested-too-deep",
    "nested deeper than {limit} levels",
    "imbrication de plus de {limit} niveaux",
    Text(
        "split it: a plan can queue another plan, a value can be SET first",
        "découpez : un plan peut en appeler un autre, une valeur peut être posée avant par SET",
    ),
)
CLOSED_TOO_EARLY = Message(
    "P007",
    "closed-too-early",
    "`}}` stands too early: {found} belongs before it",
    "`}}` est placé trop tôt : {found} doit se trouver avant",
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
    Text(
        "EXPECT {{ … }}, EXPECT CALL x, EXPECT NEVER CALL x, EXPECT BLOCKED x, EXPECT EVENT x, EXPECT NO ERROR",
        "EXPECT {{ … }}, EXPECT CALL x, EXPECT NEVER CALL x, EXPECT BLOCKED x, EXPECT EVENT x, EXPECT NO ERROR",
    ),
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
    Text(
        "observers are read once a tick; the host sets the pace of ticks",
        "les observations sont lues une fois par tour ; l'hôte règle le rythme des tours",
    ),
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
    "le texte après VERIFY est son étiquette ; il faut ensuite une condition, pas {found}",
    Text('write `VERIFY ("x" == y)`', 'écrivez `VERIFY ("x" == y)`'),
)

NO_BRANCH = Message(
    "P018",
    "no-branch",
    "PARALLEL holds no BRANCH: nothing would run",
    "PARALLEL ne contient aucun BRANCH : rien ne serait exécuté",
    Text(
        "write `PARALLEL {{ BRANCH a {{ … }} BRANCH b {{ … }} }}`",
        "écrivez `PARALLEL {{ BRANCH a {{ … }} BRANCH b {{ … }} }}`",
    ),
)
REPEATED_BRANCH = Message(
    "P019",
    "repeated-branch",
    "the branch `{name}` stands twice in this PARALLEL",
    "la branche `{name}` figure deux fois dans ce PARALLEL",
)
PARALLEL_LIMIT = Message(
    "P020",
    "parallel-limit",
    "MAX {limit} lets no branch run: it is at least 1",
    "MAX {limit} ne laisse tourner aucune branche : il faut au moins 1",
)
REPEATED_RESULT = Message(
    "P021",
    "repeated-result",
    "GIVE names `{name}` twice",
    "GIVE nomme `{name}` deux fois",
)

NOT_IN_MODULE = Message(
    "P022",
    "not-in-module",
    "{word} cannot stand in a MODULE",
    "{word} ne peut pas figurer dans un MODULE",
    Text(
        "a module holds TOOL, POLICY, PLAN, HYPOTHESIS and USE; the rest belongs to the agents that use it",
        "un module contient TOOL, POLICY, PLAN, HYPOTHESIS et USE ; le reste appartient aux agents qui l'utilisent",
    ),
)

# --- Characters and tokens ------------------------------------------------------------------------------------------

UNKNOWN_CHARACTER = Message(
    "P101",
    "unknown-character",
    "the character `{character}` has no meaning outside texts and comments",
    "le caractère `{character}` n'a pas de sens hors des textes et des commentaires",
)
OPEN_STRING = Message(
    "P102",
    "open-text",
    'this text is not closed by `"`',
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
    Text(
        "YYYY-MM-DD, THH:MM and :SS may follow; there is no time zone, so no Z",
        "AAAA-MM-JJ, puis THH:MM et :SS si besoin ; il n'y a pas de fuseau, donc pas de Z",
    ),
)
HIDDEN_CHARACTER = Message(
    "P105",
    "hidden-character",
    "the invisible character {character} is not allowed, not even in texts and comments",
    "le caractère invisible {character} est interdit, même dans les textes et les commentaires",
    Text(
        "it makes a text read differently from what it says: remove it",
        "il fait lire autre chose que ce qui est écrit : retirez-le",
    ),
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
LONG_NUMBER = Message(
    "P113",
    "long-number",
    "a number has at most {limit} digits",
    "un nombre a au plus {limit} chiffres",
)
LOOKALIKE = Message(
    "P112",
    "look-alike",
    "`{character}` ({escaped}) is not the Latin letter `{like}`",
    "`{character}` ({escaped}) n'est pas la lettre latine `{like}`",
    Text(
        "names are made of ASCII letters, digits and `_`", "les noms sont faits de lettres ASCII, de chiffres et de `_`"
    ),
)

# --- Warnings of the parser ------------------------------------------------------------------------------------------

REPEATED_SECTION = Message(
    "W230",
    "repeated-section",
    "a second {word} replaces the first one entirely",
    "{word} : la seconde section remplace entièrement la première",
    Text("keep one of them", "gardez l'une des deux"),
)
REPEATED_FIELD = Message(
    "W231",
    "repeated-field",
    "a second {word} replaces the first one",
    "{word} : la seconde fois remplace la première",
    Text("keep one of them", "gardez l'une des deux"),
)
UNREACHABLE_TOOL = Message(
    "W232",
    "unreachable-tool",
    "the tool `{name}` is named by a reserved word: nothing can call it",
    "l'outil `{name}` porte le nom d'un mot réservé : rien ne peut l'appeler",
)

WORD_IS_DECLARED = Message(
    "W233",
    "word-is-declared",
    "`{word}` names a plan or tool here, so that the statement {word} cannot be used in this agent",
    "`{word}` nomme ici un plan ou un outil : l'instruction {word} ne peut pas servir dans cet agent",
    Text("rename the plan or tool to use the statement", "renommez le plan ou l'outil pour utiliser l'instruction"),
)

WARNINGS = (REPEATED_SECTION, REPEATED_FIELD, UNREACHABLE_TOOL, WORD_IS_DECLARED)

# --- Hints -----------------------------------------------------------------------------------------------------------

FIRST_ONE_HERE = Text("the first one is here", "la première fois est ici")
OPENED_HERE = Text("opened here", "ouvert ici")
BELONGS_INSIDE = Text("this belongs inside", "ceci va à l'intérieur")
BACKSLASH_AT_END = Text(
    "a backslash cannot stand before a line end; write `\\\\` for a backslash, or break the line without it",
    "une barre oblique inverse ne peut précéder une fin de ligne ; écrivez `\\\\`, ou coupez la ligne sans elle",
)
CAPITALS = Text(
    "`{word}` is an ordinary name: reserved words are written in capitals, `{capitals}`",
    "`{word}` est un nom ordinaire : les mots réservés s'écrivent en capitales, `{capitals}`",
)
DID_YOU_MEAN = Text("did you mean `{word}`?", "vouliez-vous dire `{word}` ?")
WORD_IS_RESERVED = Text(
    "`{word}` is a reserved word: a name cannot begin with it; it may stand after a dot",
    "`{word}` est un mot réservé : un nom ne peut pas commencer par lui ; il peut suivre un point",
)
READ_AS_NAME = Text(
    "`{word}` is read as a name here: is `}}` missing before it?",
    "`{word}` est lu ici comme un nom : manque-t-il `}}` avant ?",
)
NO_SUCH_LITERAL = Text(
    "`{word}` is an ordinary name, not a value of its own kind; a number or a text is needed here",
    "`{word}` est un nom ordinaire, pas une valeur à part ; il faut ici un nombre ou un texte",
)
NO_ARROW = Text("`{text}` is used by nothing in the language", "`{text}` ne sert à rien dans le langage")
NO_EXPONENT = Text(
    "numbers have digits and one dot only: no exponent, no `_`, no hexadecimal",
    "un nombre n'a que des chiffres et un point : pas d'exposant, pas de `_`, pas d'hexadécimal",
)
NO_COMPOUND_DURATION = Text(
    "a duration is one number and one unit (ms, s, sec, m, min, h, d): write `150min` for two hours and a half",
    "une durée est un nombre et une unité (ms, s, sec, m, min, h, d) : écrivez `150min` pour deux heures et demie",
)
NO_LEADING_DOT = Text(
    "a number begins with a digit: write `0.{digits}`", "un nombre commence par un chiffre : écrivez `0.{digits}`"
)
NO_ZONE = Text("a date and time has no zone", "une date et heure n'a pas de fuseau")
COMMA_BEFORE_ELSE = Text(
    "a comma ends the IF: remove the comma before ELSE",
    "une virgule termine le IF : retirez la virgule avant ELSE",
)
COMMA_ENDS_ITEM = Text(
    "the comma ended what `{word}` would go on: remove the comma",
    "la virgule a terminé ce que `{word}` continuerait : retirez la virgule",
)
TWO_COMMAS = Text(
    "one comma between two items, never two, none before the first",
    "une virgule entre deux éléments, jamais deux, aucune avant le premier",
)
EQUALS_TWICE = Text("to compare, write `==`", "pour comparer, écrivez `==`")
WRITE_UNEQUAL = Text("unequal is written `!=`", "différent s'écrit `!=`")
ASSIGN_WITH_EQUALS = Text(
    "to assign, write `name = value` or `SET name value`", "pour affecter, écrivez `nom = valeur` ou `SET nom valeur`"
)
TYPE_AFTER_COLON = Text("a type is written behind `:`, `name: Type`", "un type s'écrit après `:`, `nom: Type`")
NO_CHAINED_COMPARISON = Text(
    "comparisons do not chain: write `a < b AND b < c`",
    "les comparaisons ne s'enchaînent pas : écrivez `a < b AND b < c`",
)
NOT_NEEDS_PARENTHESES = Text("put the NOT part in parentheses", "mettez la partie avec NOT entre parenthèses")
PLAIN_NUMBER = Text(
    "a plain number is needed, without `%` or unit",
    "il faut un nombre simple, sans `%` ni unité",
)
NEEDS_UNIT = Text(
    "give a unit: `{number}s`, `{number}min`, `{number}h`", "donnez une unité : `{number}s`, `{number}min`, `{number}h`"
)
EXPECT_BRACES = Text("write `EXPECT {{ … }}` around a condition", "écrivez `EXPECT {{ … }}` autour d'une condition")
ONE_STEP_TWO = Text("after a STEP only STEPs may follow in a plan", "après un STEP, un plan ne contient que des STEP")
UNTIL_FIRST = Text("UNTIL stands before MAX", "UNTIL se place avant MAX")

# --- What may stand somewhere, for "expected …" ----------------------------------------------------------------------

A_STATEMENT = Text("a statement", "une instruction")
A_SECTION = Text("a section (GOAL, TOOL, POLICY, PLAN …)", "une section (GOAL, TOOL, POLICY, PLAN …)")
AN_EXPRESSION = Text("an expression", "une expression")
A_NAME = Text("a name", "un nom")
A_NUMBER = Text("a number", "un nombre")
A_PLAIN_NUMBER = Text("a plain number", "un nombre simple")
A_DURATION = Text("a duration such as `90s`", "une durée comme `90s`")
A_TEXT = Text("a text in double quotes", "un texte entre guillemets doubles")
AN_OPERATOR = Text("an operator", "un opérateur")
THE_END = Text("the end of the text", "la fin du texte")
NOTHING_MORE = Text("something else", "autre chose")
