"""Table: what a benchmark measured, as text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Table:
    """Rows of measurements under a title; `goals` are sentences with whether they were met."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]] = field(default_factory=list)
    goals: list[tuple[str, bool]] = field(default_factory=list)

    def add(self, *cells: object) -> None:
        self.rows.append(cells)

    def goal(self, sentence: str, met: bool) -> None:
        self.goals.append((sentence, met))

    @property
    def goals_met(self) -> bool:
        return all(met for _, met in self.goals)

    def render(self) -> str:
        lines = [tuple(map(str, self.columns)), *(tuple(map(_cell, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [f"## {self.title}", ""]
        for index, line in enumerate(lines):
            text.append("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")
            if index == 0:
                text.append("|-" + "-|-".join("-" * width for width in widths) + "-|")
        if self.goals:
            text += ["", *(f"{'met   ' if met else 'MISSED'} {sentence}" for sentence, met in self.goals)]
        return "\n".join(text)


def _cell(value: object) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)
