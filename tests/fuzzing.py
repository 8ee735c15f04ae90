"""Texts that are programs, nearly programs, or nothing of the kind, from a seed."""

from __future__ import annotations

import random
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
_CASES = sorted((ROOT / "tests" / "analysis" / "rules").glob("*.md"))
_FENCE = re.compile(r"```agentl[^\n]*\n(.*?)```", re.DOTALL)
_TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z_0-9]*|\d+(?:\.\d+)?%?|==|!=|<=|>=|\s+|.', re.DOTALL)
_ODD = ("\0", "\ufeff", "\u202e", "\u2028", "\U0001f4b8", "\r", *"\"'{}()", "/*", "*/", "//", "-" * 300)

PROGRAMS = [text for path in _CASES for text in _FENCE.findall(path.read_text(encoding="utf-8"))]
PROGRAMS += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "ir" / "programs").glob("*.agent"))]
PROGRAMS += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "stdlib").glob("*.agent"))]
TOKENS = sorted({token for program in PROGRAMS for token in _TOKEN.findall(program)})


def program(seed: int) -> bytes:
    """Return the text of a seed. About every second one is a program; all are different sorts of wrong otherwise."""
    rng = random.Random(seed)
    text = rng.choice(PROGRAMS)
    match rng.randrange(8):
        case 0:
            return text.encode()
        case 1:
            return _renamed(rng, text + rng.choice(PROGRAMS)).encode()
        case 2:
            return text[: rng.randrange(len(text))].encode()
        case 3:
            at = rng.randrange(len(text))
            return (text[:at] + rng.choice(_ODD) * rng.choice((1, 1, 2, 90)) + text[at:]).encode()
        case 4:
            data = bytearray(text.encode())
            for _ in range(rng.randint(1, 3)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            return bytes(data)
        case _:
            return _mangled(rng, text).encode()


def _mangled(rng: random.Random, text: str) -> str:
    """Some tokens left out, doubled, put in each other's place, or taken from other programs."""
    tokens = _TOKEN.findall(text)
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        match rng.randrange(4):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] *= 2
            case 2:
                tokens[at] = rng.choice(TOKENS)
            case _:
                tokens[at], tokens[other] = tokens[other], tokens[at]
    return "".join(tokens)


def _renamed(rng: random.Random, text: str) -> str:
    """One name made another throughout: it mostly still parses, and means something else."""
    names = sorted(set(re.findall(r"\b[a-z_]+\b", text)))
    old, new = rng.choice(names), rng.choice(names)
    return re.sub(rf"\b{old}\b", new, text)
