"""Requests that nobody would send, in great numbers: none may end in an error of ours."""
