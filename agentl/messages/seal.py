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

SEAL_REFUSED = Message(
    "D606",
    "seal-refused",
    "the seal of the journal does not hold: {reason}",
    "le sceau du journal ne tient pas : {reason}",
)
UNSIGNED = Message(
    "D607",
    "seal-missing",
    "the journal is not signed, and --require-seal was given",
    "le journal n'est pas signé, et --require-seal est donné",
)
SEAL_HOLDS = Text("the seal holds: {alg}, key {key_id}", "le sceau tient : {alg}, clé {key_id}")
WHY_NOT = {
    "malformed": Text("its signature is no signature", "sa signature n'en est pas une"),
    "no-key": Text(
        "it is signed with the key {key_id} and there is none at hand: --key, or AGENTL_JOURNAL_KEY",
        "il est signé avec la clé {key_id} et aucune n'est donnée : --key, ou AGENTL_JOURNAL_KEY",
    ),
    "algorithm": Text(
        "it says {alg}, which is not what the key is for", "il dit {alg}, ce qui n'est pas celui de la clé"
    ),
    "key": Text("it is signed with another key, {key_id}", "il est signé avec une autre clé, {key_id}"),
    "invalid": Text(
        "what is said about the run was changed after signing",
        "ce qui est dit de l'exécution a changé après la signature",
    ),
    "entries": Text("the entries were changed after signing", "les entrées ont changé après la signature"),
}

EMPTY = Text("it is empty", "elle est vide")
IS_PUBLIC = Text("it is a public key, which cannot sign", "c'est une clé publique, qui ne peut pas signer")
NOT_ED25519 = Text(
    "it is no Ed25519 key in PEM without password", "ce n'est pas une clé Ed25519 en PEM sans mot de passe"
)
TOO_LARGE = Text("it is larger than 1 MiB", "elle dépasse 1 Mio")
STANDS_THERE = Text("a file of that name stands there", "un fichier de ce nom existe déjà")
