"""Which pages are laws, told from their bytes."""

from __future__ import annotations

import pytest

from parsers.detect import HTML, XML
from parsers.laws.detect import law_markup

_LGPD = "<p>Presidência da República</p><p>Art. 1º Esta Lei</p><p>Art. 2º A disciplina</p>"


@pytest.mark.parametrize(
    ("page", "media_type", "expected"),
    [
        (b'<p id=x class="oj-ti-art">Article 1</p>', HTML, "oj"),
        (b'<p class="ti-art">Article 1</p><p class="normal">x</p>', HTML, "oj"),
        (b'<p class="title-article-norm" id="x">Article 1</p>', HTML, "consolidated"),
        (b"<?xml version='1.0'?><ACT><BIB.INSTANCE/></ACT>", XML, "formex"),
        (_LGPD.encode("cp1252"), HTML, "planalto"),
        (_LGPD.encode("utf-8"), HTML, "planalto"),
        (_LGPD.encode("utf-16"), HTML, "planalto"),
        (b'<div class="jnnorm" id="BJNR1">x</div>', HTML, "gesetze"),
        (b'<p class="normal">Article 1 of my blog</p>', HTML, None),
        (b'<p class="oj-doc-ti">Notice</p><p class="oj-normal">x</p>', HTML, None),
        (b'<a href="http://www.planalto.gov.br">Art. 5 foi mudado</a>', HTML, None),
        (b"<?xml version='1.0'?><ACT><SCENE/></ACT>", XML, None),
        (b"", HTML, None),
    ],
)  # fmt: skip
def test_the_mark_up_is_told_from_the_bytes(
    page: bytes, media_type: str, expected: str | None
) -> None:
    assert law_markup(page, media_type) == expected
