"""Words of the report of `check` in the formats that people read."""

from __future__ import annotations

from agentl.messages.message import Text

TITLE = Text("agentl check", "agentl check")
CLEAN = Text("Nothing was found.", "Rien n'a été trouvé.")
SEVERITY = Text("Severity", "Gravité")
PLACE = Text("Place", "Endroit")
RULE = Text("Rule", "Règle")
FINDING = Text("Finding", "Constat")
COUNT = Text("Count", "Nombre")
FIXABLE = Text("Can be fixed", "Corrigeables")
LEFT_OUT = Text("… and {count} more", "… et {count} de plus")
KNOWN_BEFORE = Text("known before: it is in the baseline", "connu d'avance : il est dans la référence")

STATISTICS_LINE = Text(
    "{count:>6}  {code}  {name}  ({fixable} can be fixed)", "{count:>6}  {code}  {name}  ({fixable} corrigeables)"
)
STATISTICS_TOTAL = Text(
    "{count:>6}  in all, of which {fixable} can be fixed ({share} %)",
    "{count:>6}  en tout, dont {fixable} corrigeables ({share} %)",
)
