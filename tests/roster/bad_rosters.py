"""Broken and malicious roster files with the code of their error."""

from tests.catalogue.battlescribe_files import packed

BAD = {
    "doctype": (b"<!DOCTYPE roster><roster/>", "doctype"),
    "entity-bomb": (b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><roster name="&b;"/>', "doctype"),
    "external-entity": (b'<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><roster name="&a;"/>', "doctype"),
    "game-data": (b"<catalogue/>", "wrong-root"),
    "another-root": (b"<ducks/>", "wrong-root"),
    "cut-short": (b"<roster><forces>", "malformed-xml"),
    "a-million-deep": (b"<roster>" + b"<selections>" * 150_000, "too-deep"),
    "no-archive": (b"PK\x03\x04 quack", "broken-archive"),
    "truncated": (packed({"a.ros": "<roster/>"})[:-30], "broken-archive"),
    "two-files": (packed({"a.ros": "<roster/>", "b.ros": "<roster/>"}), "broken-archive"),
    "bomb": (packed({"a.ros": "<roster>" + " " * 9_000_000 + "</roster>"}), "zip-bomb"),
    "climbing": (packed({"../a.ros": "<roster/>"}), "climbing-path"),
    "not-utf-8": (b'<roster name="\xe4"/>', "wrong-encoding"),
    "bad-number": (b'<roster><costs><cost value="dear"/></costs></roster>', "bad-number"),
    "unknown-data": (b'<roster gameSystemId="gone" gameSystemRevision="4"/>', "unknown-data"),
}
