"""Programs that show every status, and a report about them."""

from __future__ import annotations

from agentl.diagnostics import Diagnostic, Source
from agentl.messages import command
from agentl.messages import scenarios as messages
from agentl.scenarios.reports.report import Problem, Report, play_suites
from agentl.scenarios.suite import suite_of

COLOURS = """\
AGENT lamp {
  OBSERVE { room.dark }
  TOOL light { RISK LOW EFFECT { lamp.on = yes } }
  TOOL count { RISK LOW OUTPUT { lamps: Number } }
  PLAN p WHEN room.dark == yes { STEP s { light() } }
  PLAN q WHEN room.dark == maybe { STEP s { count() } }
  SCENARIO dark { GIVEN { room.dark = yes } EXPECT { lamp.on == yes } WITHIN 3 }
  SCENARIO bright { GIVEN { room.dark = no, lamp.on = no } EXPECT { lamp.on == no } EXPECT NEVER CALL light WITHIN 2 }
  SCENARIO silent { EXPECT NEVER CALL light }
  SCENARIO both { GIVEN { room.dark = yes } EXPECT { lamp.on == yes, lamp.on != red } }
  SCENARIO wrong { GIVEN { room.dark = yes, lamp.on = no }
    EXPECT { lamp.on == no, lamp.on == red } EXPECT NEVER CALL light EXPECT BLOCKED light WITHIN 2 }
  SCENARIO unposed { GIVEN { room.dark = maybe } EXPECT { lamp.on == yes } }
  SCENARIO invalid { GIVEN { roof.dark = yes } EXPECT { lamp.on == yes } }
}
AGENT idle { TOOL rest { RISK LOW } }
"""
GREEN = "AGENT a { TOOL t { RISK LOW } SCENARIO s { EXPECT NEVER CALL t } }\n"
RED = "AGENT a { TOOL t { RISK LOW } SCENARIO s { EXPECT CALL t } }\n"
EMPTY = "AGENT a { TOOL t { RISK LOW } }\n"
RED_AND_EMPTY = "AGENT b { TOOL t { RISK LOW } }\n" + RED
REFUSED = "AGENT a { PLAN p { u() } }\n"
GRAMMAR = "AGENT a { PLAN p { u( } }\n"

MODULES = "MODULE guards { POLICY { NEVER pay } }\n"

TEXTS = {
    "green.agent": GREEN,
    "red.agent": RED,
    "empty.agent": EMPTY,
    "red_and_empty.agent": RED_AND_EMPTY,
    "refused.agent": REFUSED,
    "grammar.agent": GRAMMAR,
    "modules.agent": MODULES,
}


def report(*names: str, allow_empty: bool = False, problems: tuple[Problem, ...] = ()) -> Report:
    """The report about some of TEXTS, or about `colours.agent`."""
    texts = {**TEXTS, "colours.agent": COLOURS}
    return Report(play_suites(suite_of(texts[name].encode(), name) for name in names), problems, allow_empty)


def unreadable(path: str = "gone.agent") -> Problem:
    return Problem(
        Diagnostic(command.CANNOT_READ, {"path": path, "reason": "gone"}, source=Source("", path)), "unreadable"
    )


def nothing(path: str = "folder") -> Problem:
    return Problem(Diagnostic(messages.NOTHING_TO_TEST, {"path": path}, source=Source("", path)), "empty")
