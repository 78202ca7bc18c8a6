"""Sends many unusual requests: none may end in an error of ours."""
