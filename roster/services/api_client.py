"""Generate the Python client in docs/clients from the API schema: a method per operation, standard library only."""

import keyword
import re
from collections.abc import Iterator
from typing import Any

from drf_spectacular.generators import SchemaGenerator

Json = dict[str, Any]

WIDTH = 120
_BRACED = re.compile(r"\{(\w+)\}")

_HEAD = '''"""A client for the API of an Armybuilder site. It needs nothing but Python 3.11.

`manage.py write_reference` writes this file from the schema of the API. See docs/api.md.
"""

import json
from collections.abc import Iterator, Mapping
from email.message import Message
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urljoin
from urllib.request import Request, urlopen

Query = Mapping[str, str | int | bool | None]


def _quote(part: str | int) -> str:
    return quote(str(part), safe="")


class ApiError(Exception):
    """An answer of 400 or more. `problem` is its JSON: `status`, `title`, `detail` and `code`; {} if it has none.

    Ask again after `retry_after` seconds; 0 if the answer does not say when.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: int = 0) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"The site answered {status}.")
        self.status = status
        self.problem = problem
        self.retry_after = retry_after


class Armybuilder:
    """A site at `address`, such as https://lists.example.org. Methods are named like the operations of the schema.

    They return the JSON of the answer, bytes if the answer is a file, or None if it is empty. `if_match` is the
    revision that you change. Raises ApiError, and URLError if the site does not answer within `timeout` seconds.
    """

    def __init__(self, address: str, token: str = "", timeout: float = 60) -> None:
        if not address.startswith(("http://", "https://")):
            raise ValueError("The address of a site begins with https:// or http://.")
        self.address = address.rstrip("/")
        self.token = token
        self.timeout = timeout

    def send(
        self,
        method: str,
        path: str,
        query: Query | None = None,
        body: Any = None,
        media: str = "application/json",
        if_match: int | None = None,
    ) -> Any:
        """Send a request. A `body` of bytes or text is sent as it is, everything else as JSON."""
        return self._send(method, self._build_address(path, query), body, media, if_match)[0]

    def walk(self, path: str, query: Query | None = None) -> Iterator[Any]:
        """Yield the rows of a listing, page by page: `walk("/api/v1/rosters/", {"game": "fenland"})`."""
        address: str | None = self._build_address(path, query)
        while address:
            page, headers = self._send("GET", address)
            yield from page["results"] if isinstance(page, dict) else page
            following = page.get("next") if isinstance(page, dict) else None
            link = headers.get("Link", "")
            if not following and 'rel="next"' in link:
                following = link[link.index("<") + 1 : link.index(">")]
            # Next pages of other sites would get the token, too.
            address = following and urljoin(address, following)
            if address and not address.startswith(f"{self.address}/"):
                raise ValueError("The next page is on another site.")

    def _build_address(self, path: str, query: Query | None = None) -> str:
        chosen = {name: value for name, value in (query or {}).items() if value is not None}
        words = {name: str(value).lower() if isinstance(value, bool) else value for name, value in chosen.items()}
        return f"{self.address}{path}{'?' if words else ''}{urlencode(words)}"

    def _send(
        self, method: str, address: str, body: Any = None, media: str = "application/json", if_match: int | None = None
    ) -> tuple[Any, Message]:
        headers = {"Accept": "application/json, */*;q=0.5"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        data = body.encode() if isinstance(body, str) else body
        if body is not None:
            headers["Content-Type"] = media
            data = data if isinstance(data, bytes) else json.dumps(body).encode()
        request = Request(address, data, headers, method=method)
        try:
            with urlopen(request, timeout=self.timeout) as answer:
                content, told = answer.read(), answer.headers
        except HTTPError as error:
            with error:
                content = error.read()
            problem = json.loads(content) if "json" in error.headers.get("Content-Type", "") else {}
            seconds = error.headers.get("Retry-After", "")
            raise ApiError(error.code, problem, int(seconds) if seconds.isdecimal() else 0) from None
        if not content:
            return None, told
        return (json.loads(content) if "json" in told.get("Content-Type", "") else content), told
'''


def write_client() -> str:
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # says no types
    operations = sorted(_list_operations(schema), key=lambda operation: operation[2]["operationId"])
    return _HEAD + "".join(_write_method(path, method, operation) for path, method, operation in operations)


def _list_operations(schema: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _write_method(path: str, method: str, operation: Json) -> str:
    parameters = operation.get("parameters", [])
    queries = [one for one in parameters if one["in"] == "query"]
    takes_body = "requestBody" in operation
    takes_match = any(one["name"] == "If-Match" for one in parameters)

    arguments = ["self", *(f"{name}: str" for name in _BRACED.findall(path))]
    arguments += ["body: Any"] if takes_body else []
    arguments += ["*"] if queries or takes_body or takes_match else []
    arguments += [f"{_name(one)}: {_find_type(one)}" for one in queries if one.get("required")]
    arguments += [f"{_name(one)}: {_find_type(one)} | None = None" for one in queries if not one.get("required")]
    arguments += ['media: str = "application/json"'] if takes_body else []
    arguments += ["if_match: int | None = None"] if takes_match else []

    sent = [f'"{method.upper()}"', _write_path(path)]
    if queries:
        pairs = ", ".join(f'"{one["name"]}": {_name(one)}' for one in queries)
        sent.append(f"query={{{pairs}}}")
    sent += ["body=body", "media=media"] if takes_body else []
    sent += ["if_match=if_match"] if takes_match else []
    summary = operation["summary"].rstrip(".")
    return (
        "\n"
        + _write_call(f"    def {operation['operationId']}", arguments, " -> Any:")
        + f'        """{summary}."""\n'
        + _write_call("        return self.send", sent)
    )


def _write_call(start: str, arguments: list[str], end: str = "") -> str:
    line = f"{start}({', '.join(arguments)}){end}"
    if len(line) <= WIDTH:
        return f"{line}\n"
    indent = " " * (len(start) - len(start.lstrip()))
    return f"{start}(\n" + "".join(f"{indent}    {one},\n" for one in arguments) + f"{indent}){end}\n"


def _name(parameter: Json) -> str:
    name: str = parameter["name"].replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _find_type(parameter: Json) -> str:
    return {"integer": "int", "boolean": "bool"}.get(parameter["schema"].get("type", ""), "str")


def _write_path(path: str) -> str:
    quoted = _BRACED.sub(lambda match: f"{{_quote({match[1]})}}", path)
    return f'f"{quoted}"' if quoted != path else f'"{path}"'
