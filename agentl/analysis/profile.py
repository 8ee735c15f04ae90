"""Profile: how much the rules say."""

from __future__ import annotations

from typing import Literal

# "compat" says what AGENT-L 1.10 says and no more; "reference" is the default: that, less its false alarms, and ours;
# "strict" adds warnings (diagnostics.md §7); "sequential" is "reference" and what keeps a plan from being resumed as an
# operation (operations-contract.md §1).
Profile = Literal["compat", "reference", "strict", "sequential"]
