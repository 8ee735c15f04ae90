"""What durable runs say: codes used once, both languages complete, the seed's lines word for word."""

from __future__ import annotations

import re
import string

import pytest

from agentl.messages import durable as say
from agentl.messages.message import Message, Text

TEXTS = {name: text for name, text in vars(say).items() if isinstance(text, Text)}


def _placeholders(template: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(template) if field}


@pytest.mark.parametrize("name", TEXTS)
def test_both_languages_say_the_same_things(name: str) -> None:
    text = TEXTS[name]
    assert _placeholders(text.en) == _placeholders(text.fr)
    if isinstance(text, Message):
        assert re.fullmatch(r"D\d{3}", text.code)
        assert text.help is None or _placeholders(text.help.en) == _placeholders(text.help.fr)


def test_no_code_and_no_name_is_used_twice() -> None:
    messages = [text for text in TEXTS.values() if isinstance(text, Message)]
    assert len({message.code for message in messages}) == len(messages)
    assert len({message.name for message in messages}) == len(messages)


@pytest.mark.parametrize(
    ("text", "arguments", "line"),
    [
        (
            say.STARTED,
            {"run_id": "6c463a7a4312", "path": "runs/payments/wal.jsonl"},
            "→ exécution durable 6c463a7a4312 : runs/payments/wal.jsonl",
        ),
        (
            say.RESUMED,
            {"run_id": "6c463a7a4312", "count": 12},
            "↻ reprise de l'exécution durable 6c463a7a4312 : 12 entrée(s) journalisée(s), re-dérivées sans effet",
        ),
        (
            say.PENDING,
            {"tool": "transfer", "action_id": "6c463a7a4312:payments:t1:a1"},
            "  intention sans résultat : transfer (6c463a7a4312:payments:t1:a1) — sera tranchée",
        ),
        (
            say.SETTLED_RETRY,
            {"tool": "transfer", "action_id": "6c463a7a4312:payments:t1:a1"},
            "  ↻ transfer (6c463a7a4312:payments:t1:a1) : relancée avec la même clé d'idempotence",
        ),
        (say.PROGRAM_CHANGED, {}, "le programme a changé depuis le début de cette exécution"),
    ],
)
def test_the_lines_of_the_seed_are_kept_word_for_word(text: Text, arguments: dict[str, object], line: str) -> None:
    assert text.text("fr", **arguments) == line


def test_damage_and_divergence_begin_as_in_the_seed() -> None:
    for text in TEXTS.values():
        if isinstance(text, Message) and text.code.startswith("D1"):
            assert text.fr.startswith("journal durable altéré au franchissement #")
        if isinstance(text, Message) and text.code.startswith("D22"):
            assert text.fr.startswith("reprise impossible au franchissement #")
