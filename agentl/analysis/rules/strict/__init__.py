"""Rules of the strict profile alone; another profile does not even load them."""
