"""Rules about what may be done twice, without leave, or never."""
