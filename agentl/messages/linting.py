"""What `agentl check` says of its own options, settings, suppressions, baselines and fixes."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNKNOWN_SELECTOR = Message(
    "C100",
    "unknown-selector",
    "`{selector}` is no code, prefix of codes, name or group of rules",
    "`{selector}` n'est ni un code, ni un préfixe de codes, ni un nom, ni un groupe de règles",
    help=Text(
        "write a code such as W102, a prefix such as W12, or one of the groups {groups}",
        "écrire un code comme W102, un préfixe comme W12, ou un des groupes {groups}",
    ),
)
NEVER_IGNORED = Message(
    "C101",
    "error-ignored",
    "`{selector}` cannot be ignored or lowered: {codes} is an error, and an error is always told",
    "`{selector}` ne peut être ni ignoré ni abaissé : {codes} est une erreur, et une erreur est toujours dite",
)
NOT_TOML = Message(
    "C102",
    "configuration-not-toml",
    "the configuration is no TOML: {detail}",
    "la configuration n'est pas du TOML : {detail}",
)
UNKNOWN_KEY = Message(
    "C103",
    "unknown-configuration-key",
    "`{key}` is no key of the configuration",
    "`{key}` n'est pas une clé de la configuration",
    help=Text("the keys are {keys}", "les clés sont {keys}"),
)
WRONG_TYPE = Message(
    "C104",
    "wrong-configuration-value",
    "`{key}` must be {expected}",
    "`{key}` doit être {expected}",
)
CANNOT_READ_CONFIGURATION = Message(
    "C105",
    "cannot-read-configuration",
    "the configuration cannot be read: {reason}",
    "la configuration ne peut pas être lue : {reason}",
)
CANNOT_READ_BASELINE = Message(
    "C106",
    "cannot-read-baseline",
    "the baseline cannot be read: {reason}",
    "la référence ne peut pas être lue : {reason}",
    help=Text("`agentl check --write-baseline` makes one", "`agentl check --write-baseline` en fait une"),
)
NOT_A_BASELINE = Message(
    "C107",
    "not-a-baseline",
    "this is no baseline of the form {schema}",
    "ce n'est pas une référence de la forme {schema}",
)
VANISHED = Message(
    "C108",
    "baseline-entry-vanished",
    "{rule} is no longer found in `{file}`",
    "{rule} n'est plus trouvé dans `{file}`",
    help=Text(
        "let the baseline shrink: write it anew with --write-baseline",
        "faire maigrir la référence : la réécrire avec --write-baseline",
    ),
)
TOO_MANY_WARNINGS = Message(
    "C109",
    "too-many-warnings",
    "{count} warnings, where {limit} are allowed",
    "{count} avertissements, où {limit} sont permis",
)

ONE_OF = Text("one of {choices}", "une valeur parmi {choices}")
A_LIST_OF_TEXTS = Text("a list of texts", "une liste de textes")
A_TEXT = Text("a text", "un texte")
A_TABLE = Text("a table", "une table")
A_TABLE_OF_REFERENCES = Text(
    'a table `references` that says where each is, as in `card = "env:CARD"`',
    'une table `references` qui dit où se trouve chacune, comme `carte = "env:CARTE"`',
)
A_NATURAL_NUMBER = Text("a whole number from 0 on", "un nombre entier à partir de 0")
A_CODE = Text("the code or the name of one rule", "le code ou le nom d'une seule règle")
NOT_UTF_8 = Text("it is not UTF-8", "ce n'est pas de l'UTF-8")

SELECT = Text(
    "Ask these rules alone: codes, prefixes such as W12, names, or groups; errors are always told.",
    "Ne pose que ces règles : codes, préfixes comme W12, noms ou groupes ; les erreurs sont toujours dites.",
)
EXTEND_SELECT = Text(
    "Ask these rules too, on top of the profile or of what is selected.",
    "Pose aussi ces règles, en plus du profil ou de la sélection.",
)
IGNORE = Text(
    "Leave these rules out. No error can be left out.",
    "Laisse ces règles de côté. Aucune erreur ne peut l'être.",
)
FAIL_ON = Text(
    "From which severity on a finding fails the check: error, warning or info.",
    "À partir de quelle gravité un constat fait échouer : error, warning ou info.",
)
MAX_WARNINGS = Text(
    "Fail when there are more warnings than this.",
    "Échoue s'il y a plus d'avertissements que cela.",
)
EXIT_ZERO = Text(
    "End with 0 whatever is found; a path that cannot be checked still ends with 2.",
    "Finit par 0 quoi qu'on trouve ; un chemin qui ne peut être vérifié finit toujours par 2.",
)

SHOW_SUPPRESSED = Text(
    "Show what is suppressed or known too, with its reason.",
    "Montre aussi ce qui est supprimé ou connu, avec sa raison.",
)
SUPPRESSED = Text("suppressed: {reason}", "supprimé : {reason}")
SUPPRESSED_UNTIL = Text("suppressed until {until}: {reason}", "supprimé jusqu'au {until} : {reason}")
KNOWN_COUNT = Text(" · known: {count}", " · connus : {count}")
KNOWN = Text("known: it is in the baseline", "connu : c'est dans la référence")

BASELINE = Text(
    "Findings in this file are known and do not fail.",
    "Les constats de ce fichier sont connus et ne font pas échouer.",
)
WRITE_BASELINE = Text(
    "Write what is found to this file as known. Errors never are.",
    "Écrit dans ce fichier ce qui est trouvé, comme connu. Les erreurs ne le sont jamais.",
)

FIX = Text(
    "Mend what has a safe fix, and write the files.",
    "Corrige ce qui a une correction sûre, et écrit les fichiers.",
)
UNSAFE_FIXES = Text(
    "Mend with all fixes, also those that may change what was meant.",
    "Corrige avec toutes les corrections, aussi celles qui peuvent changer l'intention.",
)
DIFF = Text(
    "Write nothing; show what fixes would change, and end with 1 when there is any.",
    "N'écrit rien ; montre ce que les corrections changeraient, et finit par 1 s'il y en a.",
)
FIX_ONLY = Text(
    "Mend, and tell nothing of what is left but texts that are no programs.",
    "Corrige, et ne dit rien du reste, sauf des textes qui ne sont pas des programmes.",
)
MENDED = Text("mended {path}: {count}", "corrigé {path} : {count}")
MENDED_ALL = Text(
    "mended in all: {count}, in files: {files}",
    "corrigés en tout : {count}, dans des fichiers : {files}",
)
WOULD_MEND_ALL = Text(
    "would be mended: {count}, in files: {files}",
    "seraient corrigés : {count}, dans des fichiers : {files}",
)

CONFIG_SHOW = Text(
    "Show the value of every key for a file, and where it was given.",
    "Montre la valeur de chaque clé pour un fichier, et où elle est donnée.",
)
CONFIG_FILE = Text("A program, or a folder of programs.", "Un programme, ou un dossier de programmes.")
FROM_DEFAULT = Text("default", "par défaut")
