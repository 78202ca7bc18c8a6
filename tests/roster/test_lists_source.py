"""Reading any bytes gives a tree of places or an error with a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.documents.node import DocumentNode
from roster.formats.list_document import MAX_BYTES, ListDocument, Media, Unreadable, read_list
from roster.formats.list_document.nodes import UnreadableError, is_null, read_source


def plain(node: DocumentNode) -> object:
    if node.is_map:
        return {key.content: plain(value) for key, value in node.members}
    return [plain(item) for item in node.items] if node.is_list else node.content


def refused(data: bytes, media: Media = Media.AUTO) -> Unreadable:
    with pytest.raises(UnreadableError) as caught:
        read_source(data, media)
    return caught.value.unreadable


def test_both_ways_of_writing_read_alike() -> None:
    yaml = b"list: 1\nunits:\n- no\n- {unit: 7.10, name: 'a'}\n"
    json = b'{"list": 1,\n "units": ["no", {"unit": 7.10, "name": "a"}]}'
    assert plain(read_source(yaml)) == plain(read_source(json))
    assert plain(read_source(json)) == {"list": "1", "units": ["no", {"unit": "7.10", "name": "a"}]}


def test_places_count_from_one() -> None:
    for data in (b"a:\n  - b\n", b'{"a":\n  ["b"]}'):
        [(_, values)] = read_source(data).members
        assert (values.items[0].line, values.items[0].column) == (2, 5 if data[:1] == b"a" else 4)


def test_quotes_tell_text_from_nothing() -> None:
    tree = read_source(b"a: null\nb: 'null'\nc:\n")
    assert [is_null(value) for _, value in tree.members] == [True, False, True]


def test_a_byte_order_mark_does_no_harm() -> None:
    assert plain(read_source(b"\xef\xbb\xbflist: 1")) == {"list": "1"}


def test_half_characters_are_replaced() -> None:
    assert plain(read_source(b'{"a": "\\ud83d\\ude00 \\ud800"}')) == {"a": "\U0001f600 ?"}


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"a: *x", "alias", 1),
        (b"a: &x 1", "alias", 1),
        (b"a: 1\nb: !!python/object/apply:os.system [x]", "tag", 2),
        (b"a: 1\na: 2", "duplicate-key", 2),
        (b'{"a": 1,\n "a": 2}', "duplicate-key", 2),
        (b"a: [1\nb: 2\n", "bad-yaml", 2),
        (b"a: 1\n\tb: 2", "bad-yaml", 2),
        (b'{"a": 1, }', "bad-json", 1),
        (b'{"a": 1,\n "b" 2}', "bad-json", 2),
        (b'{"a": 1} x', "bad-json", 1),
        (b'{"a": "\x01"}', "bad-json", 1),
        (b'{"a":\n NaN}', "not-a-number", 2),
        (b'{"a": -Infinity}', "not-a-number", 1),
        (b"a: 1\n---\nb: 2", "two-documents", 2),
        (b"? [a]\n: b", "bad-key", 1),
        (b"a: 1\nb: \xff", "not-utf-8", 2),
        (b"a\x00b", "bad-yaml", 1),
        (b"", "empty", 0),
        (b"# nothing", "empty", 0),
    ],
)
def test_what_is_refused(data: bytes, code: str, line: int) -> None:
    found = refused(data)
    assert (found.code, found.line) == (code, line)


@pytest.mark.parametrize("media", [Media.YAML, Media.JSON])
@pytest.mark.parametrize("piece", [b"[", b'{"a":', b"- ", b"? ", b"[[{"])
def test_no_depth_of_nesting_overflows(piece: bytes, media: Media) -> None:
    found = refused(piece * 50_000, media)
    assert found.code in {"too-deep", "bad-key", "bad-json", "bad-yaml"}
    assert found.line <= 1


@pytest.mark.parametrize("data", [b"[" + b"1," * 40_000 + b"1]", b"a: [" + b"b," * 40_000 + b"b]"])
def test_the_number_of_parts_is_capped(data: bytes) -> None:
    assert refused(data).code == "too-big"


def test_the_size_is_capped() -> None:
    found = refused(b"#" * (MAX_BYTES + 1))
    assert (found.code, found.line) == ("too-big", 0)


def test_what_is_quoted_back_is_short_and_plain() -> None:
    found = refused(b'{"\\u001b[31m' + b"x" * 5_000 + b'": 1, "\\u001b[31m' + b"x" * 5_000 + b'": 2}')
    assert "\x1b" not in found.given
    assert len(found.given) <= 100


@given(st.binary(max_size=300), st.sampled_from(Media))
def test_no_bytes_raise(data: bytes, media: Media) -> None:
    assert isinstance(read_list(data, media), ListDocument | Unreadable)


@given(st.text(alphabet=":-[]{}&*!|>'\"#%@`,?\n\t ab1.~<", max_size=200), st.sampled_from(Media))
def test_no_signs_raise(text: str, media: Media) -> None:
    assert isinstance(read_list(text.encode(), media), ListDocument | Unreadable)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_no_json_value_raises(value: object) -> None:
    import json

    assert isinstance(read_list(json.dumps(value).encode(), Media.JSON), ListDocument | Unreadable)
