"""What `agentl fmt` says: what is not in the canonical layout, and what was written."""

from __future__ import annotations

from agentl.messages.message import Message, Text

FORMAT_FAULT = Message(
    "C072",
    "format-internal-error",
    "internal error: the new layout would change the program or its comments; nothing was written",
    "erreur interne : la nouvelle mise en page changerait le programme ou ses commentaires ; rien n'a été écrit",
    help=Text(
        "this is a fault of agentl: please pass the program on",
        "c'est une faute d'agentl : merci de transmettre le programme",
    ),
)
NOT_FORMATTED = Message(
    "C090",
    "not-formatted",
    "the file is not in the canonical layout",
    "le fichier n'est pas dans la mise en page canonique",
    help=Text("`agentl fmt` writes it", "`agentl fmt` l'écrit"),
)
WAS_FORMATTED = Message(
    "C091",
    "was-formatted",
    "the file is now in the canonical layout",
    "le fichier est maintenant dans la mise en page canonique",
)
NOTHING_TO_FORMAT = Message(
    "C092",
    "nothing-to-format",
    "nothing to format below `{path}`: 0 files",
    "rien à mettre en page sous `{path}` : 0 fichier",
    help=Text("programs are files named *.agent", "les programmes sont les fichiers nommés *.agent"),
)
LINES_OF_ONE_FILE = Message(
    "C093",
    "lines-of-one-file",
    "`--lines` is for one program, not for {count}",
    "`--lines` s'applique à un programme, pas à {count}",
)
BAD_LINES = Message(
    "C094",
    "bad-lines",
    "`--lines` cannot take `{value}`",
    "`--lines` n'accepte pas `{value}`",
    help=Text(
        "write the first and the last line: --lines 10-20", "écrire la première et la dernière ligne : --lines 10-20"
    ),
)

FMT_PATHS = Text(
    "Programs, folders of *.agent files, patterns, or - for standard input to standard output.",
    "Programmes, dossiers de fichiers *.agent, motifs, ou - de l'entrée à la sortie standard.",
)
FMT_CHECK = Text(
    "Write nothing; list what is not in the canonical layout and end with 1 when anything is.",
    "N'écrit rien ; liste ce qui n'est pas dans la mise en page canonique, et finit par 1 s'il y en a.",
)
FMT_DIFF = Text(
    "Write nothing; show what would change and end with 1 when anything would.",
    "N'écrit rien ; montre ce qui changerait, et finit par 1 s'il y en a.",
)
FMT_LINES = Text(
    "Only what stands on these lines of one program, as 10-20.",
    "Seulement ce qui est sur ces lignes d'un programme, comme 10-20.",
)

WOULD_FORMAT = Text("would format {path}:{line}", "à mettre en page : {path}:{line}")
FORMATTED = Text("formatted {path}", "mis en page : {path}")
FMT_SUMMARY = Text(
    "files: {files} · formatted: {changed} · unchanged: {unchanged} · refused: {refused}",
    "fichiers : {files} · mis en page : {changed} · inchangés : {unchanged} · refusés : {refused}",
)
FMT_CHECK_SUMMARY = Text(
    "files: {files} · to format: {changed} · unchanged: {unchanged} · refused: {refused}",
    "fichiers : {files} · à mettre en page : {changed} · inchangés : {unchanged} · refusés : {refused}",
)
FMT_KEPT = Text(
    "left alone, kept by a run: {count}",
    "laissés tels quels, gardés par une exécution : {count}",
)
