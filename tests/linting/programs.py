"""Programs with known findings."""

from __future__ import annotations

CLEAN = "AGENT lamp {\n  GOAL { a.b }\n  TOOL light { }\n  POLICY { ALLOW light }\n  PLAN p WHEN a.b { light() }\n}\n"
# E001 on line 3.
ERROR = "AGENT lamp {\n  GOAL { a.b }\n  PLAN p WHEN a.b { ligth() }\n}\n"
# W131 on line 3, of the group `knowledge`; its fix is safe.
SILENT = """\
AGENT chairlift {
  GOAL g { MAINTAIN rope.ok == yes }
  OBSERVE { wind.kmh }
  TOOL start { RISK LOW }
  POLICY { NEVER start WHEN wind.kmh > 60 }
}
"""
# W111, which is asked of a program as a whole: the message is sent and nobody handles it.
SOCIETY = """\
AGENT porter {
  GOAL g { ACHIEVE bag.sent == yes }
  PLAN p WHEN bag.here == yes { MESSAGE ready { TO clerk } }
}
AGENT clerk {
  GOAL g { MAINTAIN desk.open == yes }
}
"""
