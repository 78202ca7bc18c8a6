"""Read the body of a request into a struct, and describe the struct in the API's description."""

from typing import Any, TypeVar

import msgspec
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from catalogue.api.problems import list_wrong_fields

Sent = TypeVar("Sent", bound=msgspec.Struct)


def read_body(request: Request, kind: type[Sent]) -> Sent:
    """Return the fields in a body. Raises ValidationError for unknown and missing fields and wrong types."""
    try:
        return msgspec.convert(request.data, kind)
    except msgspec.ValidationError as error:
        raise ValidationError(list_wrong_fields(error)) from error


def describe_body(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schema of a struct, without `null` and empty `required`, which OpenAPI 3.0 does not know."""
    described: dict[str, Any] = msgspec.json.schema(kind)["$defs"][kind.__name__]
    for field in described["properties"].values():
        field.pop("propertyNames", None)
        if "anyOf" in field:
            field.update(field.pop("anyOf")[0] | {"nullable": True})
    if not described["required"]:
        del described["required"]
    return described
