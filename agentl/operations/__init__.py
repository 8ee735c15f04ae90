"""Operations: business work that is admitted once, interrupted at any point, and resumed only when somebody asks."""
