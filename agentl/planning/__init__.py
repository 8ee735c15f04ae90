"""The planner: which sequence of tools reaches the goals, under the policy and at what price (semantics.md §20)."""
