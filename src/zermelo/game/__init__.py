"""The contract: what an author writes, and what can be declared."""
