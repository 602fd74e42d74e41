from __future__ import annotations

from lxml import etree

from parsers.ooxml import NAMESPACES, count_text_nodes, q, resolve_alternates

_A, _MC, _R = (f'xmlns:{p}="{NAMESPACES[p]}"' for p in ("a", "mc", "r"))


def test_a_combining_mark_counts_with_the_letter_of_another_run_only() -> None:
    root = etree.fromstring(
        f"<x {_A}><a:p><a:t>e</a:t><a:t>\u0301</a:t></a:p><a:p><a:t>\u0301</a:t></a:p></x>"
    )
    assert count_text_nodes(root, ("a:t",), ("a:p",)) == 2


def test_the_first_branch_with_content_takes_the_alternatives_place() -> None:
    root = etree.fromstring(
        f"<x {_A} {_MC} {_R}>before<mc:AlternateContent><mc:Choice/><mc:Fallback><a:t>old</a:t>"
        "</mc:Fallback></mc:AlternateContent><mc:AlternateContent><mc:Choice><a:blip r:id='1'/>"
        "</mc:Choice><mc:Fallback><a:t>cannot be shown</a:t></mc:Fallback></mc:AlternateContent>"
        "</x>"
    )
    resolve_alternates(root)
    assert [e.tag for e in root] == [q("a:t"), q("a:blip")]
    assert root.text == "before"
