"""Following limits: a limit that depends on that of another cost."""
