"""What `agentl init` says."""

from __future__ import annotations

from agentl.messages.message import Message, Text

NAME_UNUSABLE = Message(
    "C112",
    "name-unusable",
    "`{name}` cannot be the name of an agent and of its Python files: {reason}",
    "`{name}` ne peut pas nommer un agent et ses fichiers Python : {reason}",
    help=Text(
        "small letters, digits and `_`, a letter first, e.g. refund_desk",
        "des minuscules, des chiffres et `_`, une lettre d'abord, p. ex. refund_desk",
    ),
)
TARGET_EXISTS = Message(
    "C113",
    "target-exists",
    "`{path}` exists already: nothing was written",
    "`{path}` existe déjà : rien n'a été écrit",
    help=Text("choose another name, or an empty place", "choisir un autre nom, ou un endroit vide"),
)

NOT_AN_IDENTIFIER = Text("it is no identifier", "ce n'est pas un identifiant")
IS_A_MODULE = Text("Python has a module of that name", "Python a un module de ce nom")
IS_A_WORD = Text("the language has a word like that", "le langage a un tel mot")

INIT_NAME = Text(
    "The name of the agent, or a path that ends with it: the folder to be made.",
    "Le nom de l'agent, ou un chemin qui finit par lui : le dossier à créer.",
)
INIT_CI = Text(
    "The continuous integration: github, gitlab or none.", "L'intégration continue : github, gitlab ou none."
)
INIT_DONE = Text("{path}: {files} files", "{path} : {files} fichiers")
INIT_NEXT = Text(
    "next: cd {path}; agentl check . ; agentl test . ; pytest",
    "ensuite : cd {path} ; agentl check . ; agentl test . ; pytest",
)
