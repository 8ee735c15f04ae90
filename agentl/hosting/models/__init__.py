"""What every model adapter needs: answers as types, prompts, patience with a provider that does not answer."""
