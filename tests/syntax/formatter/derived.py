"""Random programs derived from the grammar itself, so that every rule is reached, and random gaps between tokens."""

from __future__ import annotations

import random
from functools import cache

from agentl.diagnostics import Source
from agentl.syntax.reading import read_text
from agentl.syntax.tables import load_tables

SPELLED = {
    "EQUALS": "==",
    "DIFFERS": "!=",
    "AT_LEAST": ">=",
    "AT_MOST": "<=",
    "MORE": ">",
    "LESS": "<",
    "SET_TO": "=",
    "PLUS": "+",
    "MINUS": "-",
    "TIMES": "*",
    "OVER": "/",
    "COMMA": ",",
    "COLON": ":",
    "DOT": ".",
    "LBRACE": "{",
    "RBRACE": "}",
    "LPAREN": "(",
    "RPAREN": ")",
    "LBRACKET": "[",
    "RBRACKET": "]",
}
CHOICES = {
    "IDENT": ("a", "b", "x1", "a_longer_name_of_something", "call", "error", "no", "GIVE", "STOP", "PARALLEL", "USE"),
    "STR": ('"t"', '"std"', '"two\nlines"', '"a \\" quote // no comment"', '"' + "long " * 12 + '"'),
    "NUM": ("1", "2.5", "10", "0"),
    "PCT": ("5%",),
    "DUR": ("3h",),
    "DATETIME": ("2027-01-01",),
    "WORD": ("ALLOW", "DENY", "TARGET", "VALUE", "VERIFY", "PLAN", "TOOL", "RISK", "STEP"),
}
# A scenario without expectation is refused.
NEEDED = {"scenario_items": ["EXPECT", "CALL", "x"]}
COMMENTS = (
    *(" // c{}\n", " # c{}  \n", " /* c{} */ ", "\n/* c{}\n * m */ ", "\n// own {}\n", "\n\n\n# own {}\n\n\n"),
    *("/* c{} */\n", " /* a{} */ /* b */ // d\n", "\n/* o{} */ ", " /* m{}\n */\n", "// a{}\n// b\n"),
)
BLANKS = (" ", " ", " ", "  ", "\n", " \n  ", "\t")
EMPTY_LINES = ("\n\n", "\n\n\n\n")


@cache
def productions() -> dict[str, list[list[str]]]:
    tables = load_tables()
    found: dict[str, list[list[str]]] = {}
    for origin, symbols, _ in tables.rules:
        found.setdefault(tables.nonterminals[origin], []).append(symbols)
    return found


@cache
def rules() -> list[tuple[str, list[str]]]:
    return [(name, rule) for name, choices in sorted(productions().items()) for rule in choices if rule]


@cache
def depths() -> dict[str, int]:
    """How deep the flattest derivation of each nonterminal is. A rule of one symbol adds nothing."""
    found: dict[str, int] = {}
    while len(found) < len(productions()):
        for name, rules in productions().items():
            reached = [each for rule in rules if (each := _depth(rule, found)) is not None]
            if reached:
                found[name] = min(found.get(name, 999), *reached, 999)
    return found


def _depth(rule: list[str], known: dict[str, int]) -> int | None:
    inner = [known.get(symbol) if symbol in productions() else 0 for symbol in rule]
    return None if None in inner else _cost(rule) + max((each for each in inner if each is not None), default=0)


def _cost(rule: list[str]) -> int:
    return int(len(rule) > 1)


def derive(chance: random.Random, symbol: str, budget: int, tokens: list[str]) -> None:
    """Add the tokens of a random derivation that is about so deep."""
    if symbol not in productions():
        tokens.append(SPELLED.get(symbol) or chance.choice(CHOICES.get(symbol, (symbol,))))
        return
    rules = productions()[symbol]
    fitting = [rule for rule in rules if (_depth(rule, depths()) or 0) <= budget]
    fitting = fitting or [min(rules, key=lambda rule: _depth(rule, depths()) or 0)]
    growing = [rule for rule in fitting if rule[:1] == [symbol]]
    chosen = chance.choice(growing if growing and chance.random() < 0.55 else fitting)
    for each in chosen:
        derive(chance, each, budget - _cost(chosen), tokens)


@cache
def ways() -> dict[str, tuple[str, list[str], int]]:
    """Per nonterminal a shortest way to it: the one around it, the rule of that, and the position in the rule."""
    found: dict[str, tuple[str, list[str], int]] = {}
    reached = ["program"]
    for around in reached:
        for rule in productions()[around]:
            for at, symbol in enumerate(rule):
                if symbol in productions() and symbol not in reached:
                    found[symbol] = around, rule, at
                    reached.append(symbol)
    return found


def derived(seed: int) -> list[str]:
    """Return the tokens of a random program, mostly one in which a rule chosen by chance is used."""
    chance = random.Random(seed)
    while True:
        name, rule = chance.choice(rules())
        for _ in range(20):
            tokens = around(chance, name, derivation(chance, rule, chance.randrange(1, 9)))
            if len(tokens) < 400 and read_text(Source(" ".join(tokens))).program is not None:
                return tokens


def around(chance: random.Random, name: str, tokens: list[str]) -> list[str]:
    """Return tokens of a nonterminal with what a program has around them."""
    while name != "program":
        tokens += NEEDED.get(name, [])
        name, rule, at = ways()[name]
        tokens = [*derivation(chance, rule[:at], 1), *tokens, *derivation(chance, rule[at + 1 :], 1)]
    return tokens


def derivation(chance: random.Random, symbols: list[str], budget: int) -> list[str]:
    """Return the tokens of random derivations, one behind the other."""
    tokens: list[str] = []
    for symbol in symbols:
        derive(chance, symbol, budget, tokens)
    return tokens


def spread(chance: random.Random, tokens: list[str]) -> str:
    """Return tokens with random blanks between them, and no empty line."""
    return "".join(f"{token}{chance.choice(BLANKS)}" for token in tokens)


def littered(chance: random.Random, tokens: list[str], share: float = 0.25) -> str:
    """Return tokens with random blanks, comments and empty lines before, between and behind them."""
    gaps = []
    for number in range(len(tokens) + 1):
        if chance.random() < share:
            gaps.append(chance.choice((*COMMENTS, *EMPTY_LINES)).format(number))
        else:
            gaps.append(chance.choice(BLANKS))
    # Right behind `/` a comment would begin one character early.
    apart = [f" {gap}" if token == "/" else gap for token, gap in zip(tokens, gaps[1:], strict=True)]
    return gaps[0] + "".join(f"{token}{gap}" for token, gap in zip(tokens, apart, strict=True))
