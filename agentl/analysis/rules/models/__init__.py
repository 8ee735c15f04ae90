"""Rules about questions to models and what their answers decide."""
