"""The rules, one a file; a file that holds a RULE is a rule, nothing lists them."""
