"""What is said about asynchronous runs and their limits."""

from __future__ import annotations

from agentl.messages.message import Message, Text

BAD_COUNT = Text(
    en="{name} is a whole number from 1 or None, not {value}",
    fr="{name} est un entier à partir de 1 ou None, pas {value}",
)
BAD_SECONDS = Text(
    en="{name} is a number of seconds above 0 or None, not {value}",
    fr="{name} est un nombre de secondes supérieur à 0 ou None, pas {value}",
)
LIMITS_TWICE = Text(
    en="give limits or a bridge, not both: a bridge has its own limits",
    fr="donnez limits ou bridge, pas les deux : un bridge a ses propres limites",
)
ONE_AGENT = Text(
    en="an AsyncRuntime runs one agent, not {count}: use AsyncSociety",
    fr="un AsyncRuntime exécute un seul agent, pas {count} : utilisez AsyncSociety",
)
BUSY = Text(
    en="it is running already: await that run, or cancel it",
    fr="une exécution est déjà en cours : attendez-la ou annulez-la",
)
CANCELLED = Message(
    "R920",
    "run-cancelled",
    en="the run was cancelled",
    fr="l'exécution a été annulée",
    help=Text(
        en="a run with a store goes on where it stopped: start it again on the same store",
        fr="une exécution avec un store reprend où elle s'est arrêtée : relancez-la sur le même store",
    ),
)
NEEDS_ASYNC = Text(
    en="this function is async: `agentl run` awaits a host with such functions, and so does agentl.aio.AsyncRuntime",
    fr="cette fonction est async : `agentl run` attend (await) un hôte avec de telles fonctions, de même que "
    "agentl.aio.AsyncRuntime",
)
