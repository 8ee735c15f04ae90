"""Texts of IMPORT, USE and MODULE: P030 on what cannot be joined, W234 on what is joined for nothing."""

from __future__ import annotations

from agentl.messages.message import Message, Text

UNKNOWN_MODULE = Message(
    "P030",
    "unknown-module",
    "no shipped module is called `{name}`",
    "aucun module livré ne s'appelle `{name}`",
    Text(
        'there are {known}; a file of yours is imported by its path: `IMPORT "./rules.agent"`',
        'il y a {known} ; un fichier à vous s\'importe par son chemin : `IMPORT "./rules.agent"`',
    ),
)
UNREADABLE = Message(
    "P031",
    "unreadable-module",
    "cannot read `{path}`: {reason}",
    "impossible de lire `{path}` : {reason}",
)
OUTSIDE = Message(
    "P032",
    "module-outside",
    "`{path}` leads out of the folder of the program",
    "`{path}` mène hors du dossier du programme",
    Text(
        "put the module into that folder or below it: what a program is made of must lie together",
        "mettez le module dans ce dossier ou plus bas : ce dont un programme est fait doit être au même endroit",
    ),
)
NO_FOLDER = Message(
    "P033",
    "no-folder",
    "`{path}` cannot be looked for: this text is in no folder",
    "impossible de chercher `{path}` : ce texte n'est dans aucun dossier",
    Text(
        "give the program as a file; shipped modules (`IMPORT std.…`) can be imported from anywhere",
        "donnez le programme comme fichier ; les modules livrés (`IMPORT std.…`) s'importent de partout",
    ),
)
BAD_PATH = Message(
    "P034",
    "bad-module-path",
    "`{path}` is not the path of a module",
    "`{path}` n'est pas le chemin d'un module",
    Text(
        'a path from this file to another one, with `/`, ending in `.agent`: `IMPORT "./rules.agent"`',
        'un chemin de ce fichier à un autre, avec `/`, finissant par `.agent` : `IMPORT "./rules.agent"`',
    ),
)
MODULE_HAS_ERRORS = Message(
    "P035",
    "module-has-errors",
    "the errors in `{path}` keep it from being imported ({count})",
    "les erreurs de `{path}` empêchent de l'importer ({count})",
)
IMPORT_CYCLE = Message(
    "P036",
    "import-cycle",
    "files import one another in a circle: {chain}",
    "des fichiers s'importent en rond : {chain}",
    Text("move what both need into a third file", "mettez ce que les deux utilisent dans un troisième fichier"),
)
NO_MODULE = Message(
    "P037",
    "no-module",
    "`{path}` holds no MODULE, so nothing can be used from it",
    "`{path}` ne contient aucun MODULE : rien ne peut en servir",
    Text("write `MODULE name {{ … }}` there", "écrivez-y `MODULE nom {{ … }}`"),
)
NOT_IMPORTED = Message(
    "P038",
    "module-not-imported",
    "no module `{name}` is imported here",
    "aucun module `{name}` n'est importé ici",
)
MODULE_TWICE = Message(
    "P039",
    "module-twice",
    "two modules are called `{name}`",
    "deux modules s'appellent `{name}`",
    Text("rename one of them", "renommez l'un des deux"),
)
CLASH = Message(
    "P040",
    "module-clash",
    "{kind} `{name}` of the module `{module}` has the name of another one here",
    "{kind} `{name}` du module `{module}` porte le nom d'un autre ici",
    Text(
        "rename one of them: a name must not mean two things in one agent",
        "renommez l'un des deux : un nom ne doit pas dire deux choses dans un agent",
    ),
)
DEFAULT_CLASH = Message(
    "P041",
    "module-default-clash",
    "the module `{module}` says DEFAULT {brought}, and DEFAULT {here} stands here already",
    "le module `{module}` dit DEFAULT {brought}, alors que DEFAULT {here} est déjà posé ici",
    Text("let one of them say it", "que l'un des deux seulement le dise"),
)

SHIPPED_NAME = Message(
    "P042",
    "shipped-name",
    "the module `{name}` of an imported file has the name of a shipped one",
    "le module `{name}` d'un fichier importé porte un nom de module livré",
    Text(
        "names that begin with `std` are those of shipped modules: who reads USE must know what it brings in",
        "les noms qui commencent par `std` sont ceux des modules livrés : qui lit USE doit savoir ce qu'il apporte",
    ),
)

UNUSED_IMPORT = Message(
    "W234",
    "unused-import",
    "nothing of `{path}` is used here",
    "rien de `{path}` ne sert ici",
    Text(
        "write `USE {name}` in an agent, or remove the IMPORT", "écrivez `USE {name}` dans un agent, ou ôtez l'IMPORT"
    ),
)
UNUSED_MODULE = Message(
    "W235",
    "unused-module",
    "no agent of this file uses the module `{name}`: only its form was checked",
    "aucun agent de ce fichier n'utilise le module `{name}` : seule sa forme a été vérifiée",
    Text(
        "an agent with `USE {name}` and scenarios, in the same file, shows that it works",
        "un agent avec `USE {name}` et des scénarios, dans ce fichier, montre qu'il marche",
    ),
)
REPEATED_NAME = Message(
    "W236",
    "repeated-import",
    "`{name}` stands here already",
    "`{name}` figure déjà ici",
    Text("remove one of them", "ôtez l'un des deux"),
)

WARNINGS = (UNUSED_IMPORT, UNUSED_MODULE, REPEATED_NAME)

ADD_IMPORT = Text(
    "write `IMPORT {name}` at the top of the file",
    "écrivez `IMPORT {name}` en tête du fichier",
)
NOT_AN_AGENT = Text(
    "`{name}` is an AGENT; only a MODULE can be used",
    "`{name}` est un AGENT ; seul un MODULE peut servir",
)
MEANT = Text("did you mean `{name}`?", "vouliez-vous dire `{name}` ?")
DECLARE_IT = Text(
    "declare `MODULE {name} {{ … }}` in this file or import the file that has it",
    "déclarez `MODULE {name} {{ … }}` dans ce fichier ou importez le fichier qui le contient",
)
OTHER_HERE = Text("the other one is here", "l'autre est ici")

NO_SUCH_FILE = Text("there is no such file", "ce fichier n'existe pas")
NOT_A_FILE = Text("it is not a file", "ce n'est pas un fichier")
NO_RIGHT = Text("the system does not allow it", "le système ne le permet pas")
NOT_KEPT = Text("it was not kept with the run", "il n'a pas été conservé avec l'exécution")
