"""Compressed answers: only if the browser accepts them, of varying length, never for another site."""

import gzip

import brotli
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, override_settings
from django.urls import path

LONG = "words that come again " * 100


def say(request, kind="text/html; charset=utf-8", text=LONG):
    response = HttpResponse(text, content_type=kind)
    response["ETag"] = '"strong"'
    return response


def stream(request):
    return StreamingHttpResponse([LONG], content_type="text/plain")


def encoded(request):
    return HttpResponse(LONG, content_type="text/plain", headers={"Content-Encoding": "identity"})


urlpatterns = [
    path("page/", say),
    path("json/", say, {"kind": "application/json"}),
    path("short/", say, {"text": "short"}),
    path("paper/", say, {"kind": "application/pdf"}),
    path("stream/", stream),
    path("encoded/", encoded),
]
DECODERS = {"br": brotli.decompress, "gzip": gzip.decompress}


@pytest.fixture(autouse=True)
def addresses():
    with override_settings(ROOT_URLCONF=__name__):
        yield


def ask(address="/page/", client=None, **headers):
    return (client or Client()).get(address, headers=headers)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("BR ; q=1.0", "br"),
        ("", ""),
        ("identity", ""),
        (";;q=,=;;", ""),
        ("br;q=0.0", ""),
    ],
)
def test_the_browser_says_what_it_takes(accepted, encoding):
    answer = ask(accept_encoding=accepted)
    assert answer.headers.get("Content-Encoding", "") == encoding
    assert "Accept-Encoding" in answer["Vary"]
    read = DECODERS.get(encoding, bytes)
    assert read(answer.content).decode() == LONG
    assert answer["ETag"] == ('W/"strong"' if encoding else '"strong"')


@pytest.mark.parametrize(("address", "is_compressed"), [("/json/", True), ("/short/", False), ("/paper/", False)])
def test_text_of_some_length_is_compressed(address, is_compressed):
    assert ("Content-Encoding" in ask(address, accept_encoding="br").headers) is is_compressed


def test_streams_and_what_is_encoded_already_stay():
    assert "Content-Encoding" not in ask("/stream/", accept_encoding="br").headers
    assert ask("/encoded/", accept_encoding="br")["Content-Encoding"] == "identity"


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_the_length_of_an_answer_varies(encoding):
    lengths = {len(ask(accept_encoding=encoding).content) for _ in range(60)}
    assert len(lengths) > 10


@pytest.mark.parametrize(
    ("site", "is_known", "is_compressed"),
    [
        ("cross-site", True, False),
        ("same-site", True, False),
        ("cross-site", False, True),
        ("same-origin", True, True),
        ("none", True, True),
        ("", True, True),
    ],
)
def test_what_another_site_asks_for_is_not_compressed(site, is_known, is_compressed):
    client = Client()
    if is_known:
        client.cookies["sessionid"] = "anything"
    answer = ask(client=client, accept_encoding="br", sec_fetch_site=site)
    assert ("Content-Encoding" in answer.headers) is is_compressed
