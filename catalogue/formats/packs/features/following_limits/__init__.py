"""Following limits: a limit that depends on another cost's limit."""
