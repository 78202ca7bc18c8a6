"""Read settings from the environment, and report all mistakes at once."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

ON, OFF = ("1", "yes", "true", "on"), ("", "0", "no", "false", "off")
_EMAIL = re.compile(r"[^@\s<>,]+@[^@\s<>,]+")


class Environment:
    """Reads variables and collects mistakes. A blank value counts as missing."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._mistakes: list[str] = []

    def read_text(self, name: str, default: str = "") -> str:
        return self._variables.get(name, "").strip() or default

    def read_secret(self, name: str) -> str:
        """Read a required secret from the variable or the file `<name>_FILE`, created on the first start."""
        value = self.read_text(name)
        file = self.read_text(f"{name}_FILE")
        if file and not value:
            try:
                value = own_secret(Path(file))
            except (OSError, UnicodeDecodeError) as error:
                self._mistakes.append(f"{name}_FILE: {error}")
                return ""
            if not value:
                self._mistakes.append(f"{name}_FILE: {file} is empty.")
        elif not value:
            self._mistakes.append(f"{name} is required.")
        return value

    def read_number(self, name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
        value = self.read_text(name)
        if not value:
            return default
        if _is_number(value) and least <= int(value) <= most:
            return int(value)
        self._mistakes.append(f"{name}: {value} is no whole number from {least} to {most}.")
        return default

    def read_choice(self, name: str, choices: Sequence[str], default: str) -> str:
        value = self.read_text(name, default)
        for choice in choices:
            if choice.casefold() == value.casefold():
                return choice
        self._mistakes.append(f"{name}: {value} is none of {', '.join(choices)}.")
        return default

    def read_switch(self, name: str) -> bool:
        value = self.read_text(name).casefold()
        if value not in (*ON, *OFF):
            self._mistakes.append(f"{name}: {value} is neither 1 nor 0.")
        return value in ON

    def read_names(self, name: str, *, required: bool = False) -> list[str]:
        names = [part.strip() for part in self.read_text(name).split(",") if part.strip()]
        if required and not names:
            self._mistakes.append(f"{name} is required.")
        return names

    def read_folders(self, name: str) -> list[Path]:
        folders = [Path(part) for part in self.read_names(name)]
        for folder in folders:
            if not folder.is_absolute():
                self._mistakes.append(f"{name}: {folder} is not a full path.")
        return [folder.resolve() for folder in folders]

    def read_hosts(self, name: str) -> list[str]:
        """Read host names. `.example.org` includes all subdomains, `*` is any host."""
        hosts = self.read_names(name, required=True)
        for host in hosts:
            if "/" in host or (":" in host and not host.startswith("[")):
                self._mistakes.append(f"{name}: {host} is no host name; leave out https://, path and port.")
        return hosts

    def read_address(self, name: str, schemes: Sequence[str], default: str = "") -> str:
        address = self.read_text(name)
        if not address:
            return default
        if _is_address(address, schemes):
            return address
        # Without the value, which may contain a password: this message is logged.
        self._mistakes.append(f"{name} is no address that begins with {', '.join(f'{one}://' for one in schemes)}.")
        return default

    def read_addresses(self, name: str, schemes: Sequence[str]) -> list[str]:
        addresses = self.read_names(name)
        if not all(_is_address(address, schemes) for address in addresses):
            begins = ", ".join(f"{scheme}://" for scheme in schemes)
            # Without the values, which may contain passwords.
            self._mistakes.append(f"{name}: not all of them are addresses that begin with {begins}.")
            return []
        return addresses

    def read_emails(self, name: str) -> list[str]:
        emails = self.read_names(name)
        for email in emails:
            if not _EMAIL.fullmatch(email):
                self._mistakes.append(f"{name}: {email} is no e-mail address.")
        return emails

    def add_mistake(self, mistake: str) -> None:
        """Record a mistake that several variables make together."""
        self._mistakes.append(mistake)

    def raise_mistakes(self) -> None:
        if self._mistakes:
            raise ImproperlyConfigured(" ".join(self._mistakes))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 12


def _is_address(text: str, schemes: Sequence[str]) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in schemes and bool(parts.port or parts.netloc or parts.path)
    except ValueError:  # an invalid port, or unbalanced brackets
        return False


def own_secret(path: Path) -> str:
    """Return this machine's secret, created on the first start."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    secret = get_random_secret_key()
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(secret)
    return secret


environment = Environment(os.environ)
