"""What `agentl test` found, in its forms: text, JSON, JUnit."""
