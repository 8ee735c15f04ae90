"""The typed program: frozen nodes, digest, walk. Import node classes from `agentl.ir.<file>`."""
