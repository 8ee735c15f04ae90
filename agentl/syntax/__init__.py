"""Program text to IR: grammar, parse tables, tokens, parser, recovery, lowering."""
