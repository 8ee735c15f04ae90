"""Operations carried out by programs in three languages."""
