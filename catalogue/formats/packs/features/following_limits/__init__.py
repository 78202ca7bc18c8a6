"""Following limits: the limit of one cost goes with the limit of another."""
