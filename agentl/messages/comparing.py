"""What `agentl diff` says."""

from __future__ import annotations

from agentl.messages.message import Message, Text

NOTHING_TO_COMPARE = Message(
    "C110",
    "nothing-to-compare",
    "nothing to compare below `{old}` and `{new}`: 0 files",
    "rien à comparer sous `{old}` et `{new}` : 0 fichier",
    help=Text("programs are files named *.agent", "les programmes sont les fichiers nommés *.agent"),
)
FILE_AND_FOLDER = Message(
    "C111",
    "file-and-folder",
    "`{old}` and `{new}` cannot be compared: one is a folder, the other is not",
    "`{old}` et `{new}` ne se comparent pas : l'un est un dossier, l'autre non",
)

DIFF_OLD = Text(
    "The program, or folder of programs, as it was; - for standard input.",
    "Le programme, ou le dossier de programmes, tel qu'il était ; - pour l'entrée standard.",
)
DIFF_NEW = Text("The same as it is now; - for standard input.", "Le même tel qu'il est ; - pour l'entrée standard.")
DIFF_FORMAT = Text("How to write the result: text, json or markdown.", "Forme du résultat : text, json ou markdown.")
DIFF_STDIN_NAME = Text(
    "The name of the program on standard input; what it imports is looked for beside it.",
    "Le nom du programme lu sur l'entrée standard ; ce qu'il importe est cherché à côté.",
)

WAS_AT = Text("was at {place}", "était à {place}")
ADDED = Text("added", "ajouté")
REMOVED = Text("removed", "retiré")
CHANGED = Text("changed", "modifié")
MOVED = Text("moved", "déplacé")
FILE_ADDED = Text("program added", "programme ajouté")
FILE_REMOVED = Text("program removed", "programme retiré")
NO_DIFFERENCE = Text("no difference", "aucune différence")
DIFF_SUMMARY = Text(
    "files: {files} · differ: {differ} · changed: {changed} · added: {added} · removed: {removed} · moved: {moved}",
    "fichiers : {files} · différents : {differ} · modifiés : {changed} · ajoutés : {added} · retirés : {removed}"
    " · déplacés : {moved}",
)
