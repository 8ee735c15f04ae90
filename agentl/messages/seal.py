"""What is said about the keys journals are sealed with, and about seals."""

from __future__ import annotations

from agentl.messages.message import Message, Text

KEY_MISSING = Message(
    "D600",
    "seal-key-missing",
    "the key `{key}` cannot be read: {reason}",
    "la clé `{key}` est illisible : {reason}",
    help=Text(
        "name a file, or give a secret that does not look like a path",
        "nommez un fichier, ou donnez un secret qui ne ressemble pas à un chemin",
    ),
)
KEY_UNUSABLE = Message(
    "D601",
    "seal-key-unusable",
    "the key `{key}` cannot be used: {reason}",
    "la clé `{key}` est inutilisable : {reason}",
)
CANNOT_SIGN = Message(
    "D602",
    "seal-cannot-sign",
    "a public key verifies and cannot sign",
    "une clé publique vérifie et ne peut pas signer",
    help=Text("sign with the private key of the pair", "signez avec la clé privée de la paire"),
)
NO_CRYPTOGRAPHY = Message(
    "D603",
    "seal-without-cryptography",
    "Ed25519 needs the package `cryptography`, which is not installed",
    "Ed25519 a besoin du paquet `cryptography`, qui n'est pas installé",
    help=Text("pip install 'agentl[sign]'", "pip install 'agentl[sign]'"),
)
META_UNUSABLE = Message(
    "D604",
    "seal-meta-unusable",
    "what is to be sealed cannot be written as JSON: {reason}",
    "ce qu'il faut sceller ne s'écrit pas en JSON : {reason}",
)
CANNOT_WRITE = Message(
    "D605",
    "seal-key-unwritable",
    "the key `{key}` cannot be written: {reason}",
    "la clé `{key}` ne peut pas être écrite : {reason}",
)

EMPTY = Text("it is empty", "elle est vide")
IS_PUBLIC = Text("it is a public key, which cannot sign", "c'est une clé publique, qui ne peut pas signer")
NOT_ED25519 = Text(
    "it is no Ed25519 key in PEM without password", "ce n'est pas une clé Ed25519 en PEM sans mot de passe"
)
TOO_LARGE = Text("it is larger than 1 MiB", "elle dépasse 1 Mio")
STANDS_THERE = Text("a file of that name stands there", "un fichier de ce nom existe déjà")
