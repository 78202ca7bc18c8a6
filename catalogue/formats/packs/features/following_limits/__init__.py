"""Following limits: the limit of a cost depends on the limit of another cost."""
