"""How long the tests wait for what has to come."""

PATIENCE_SECONDS = 90.0
"""Far longer than anything takes: other work may slow this computer down tenfold, and slow is not wrong."""
