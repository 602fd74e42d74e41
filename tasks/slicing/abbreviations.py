"""Abbreviations after whose full stop a sentence mostly goes on, by language.

Three kinds. *Bound* ones always want what follows ("Dr.", "cf."). *Numbered* ones want a number,
a roman numeral or a lettered label ("Art. 6", "al. a)"), and are words of their own otherwise ("the
answer is no."). *Open* ones may end a sentence ("etc.", "Inc."): the next word decides. All are in
lower case without the last full stop. Legal and administrative usage first; the lists grew from
EUR-Lex, Diário da República, planalto.gov.br and gesetze-im-internet conventions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """The words of one language.

    Attributes:
        bound: Never end a sentence.
        numbered: Do not end one before a number or label.
        open: End one only before a word of ``openers``.
        openers: Capitalised words with which a sentence often begins.
        ordinal_dot: Whether a number and a full stop make an ordinal ("am 4. Mai").
    """

    bound: frozenset[str]
    numbered: frozenset[str]
    open: frozenset[str]
    openers: frozenset[str]
    ordinal_dot: bool = False


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ALL_BOUND = "dr prof cf e.g i.e eg ie vs v st mt approx ca"
_ALL_NUMBERED = "art arts no nos nr nrs p pp pag fig figs tab vol ch cap sec sect par para paras eq"

_EN = Abbreviations(
    bound=_words(
        f"{_ALL_BOUND} mr mrs ms messrs hon rev gen col capt lt sgt gov sen rep pres viz resp reg"
        " dir dec incl excl esp cfr supp op loc"
    ),
    numbered=_words(
        f"{_ALL_NUMBERED} cl cls pt pts r rr rec recs reg regs s ss app ann annex sched ex n nn"
        " l c ser stat jan feb mar apr jun jul aug sep sept oct nov dec lit subpara subsec"
    ),
    open=_words(
        "al etc inc ltd corp co plc llc bros jr sr a.m p.m u.s u.k u.n e.u u.s.a d.c ph.d b.a m.a"
        " ed eds est dept ave blvd"
    ),
    openers=_words(
        "The A An In It This That These Those We He She They I You If When Where Where As At For"
        " However Although While After Before But And Or So Such There Thus Therefore Moreover"
        " Member No Any All Each Under With On By From To Its Their His Her Our What Who How Not"
        " Article Section Chapter Paragraph Points Point Neither Both Since Once Until Unless"
    ),
)

_PT = Abbreviations(
    bound=_words(
        f"{_ALL_BOUND} sr sra srs sras dra drs exmo exma exmos ilmo eng arq p.ex ex v.g i.é reg"
        " dir dec des min rel proc ac rec resp min ag apel gen cel av r d s.m.j obs vide sta sto"
        " prof profa cit ob"
    ),
    numbered=_words(
        f"{_ALL_NUMBERED} arts n n.º nº n° n.os nºs al als alín inc incs pág págs pgs fl fls f"
        " § §§ ponto pt cons consid cit tít liv subal l c doc docs tel jan fev mar abr mai jun jul"
        " ago set out nov dez"
    ),
    open=_words("etc lda ltda s.a cia ss jr al a.c d.c e.u.a cons ed eds dept"),
    openers=_words(
        "O A Os As Um Uma No Na Nos Nas Em Este Esta Estes Estas Esse Essa Isto Aquele Ele Ela"
        " Eles Elas Se Quando Para Por Pelo Pela Com Sem Sob Sobre Caso Ao Aos À Às De Do Da Dos"
        " Das Não Porém Todavia Contudo Assim Além Ainda Tal Tais Qualquer Todos Todas Cada Nesse"
        " Neste Nesta Nessa Mas E Ou Que Quem Como Segundo Conforme Também Já É São Deve Artigo"
        " Compete Cabe Salvo Sempre Após Antes Entre"
    ),
)

_ES = Abbreviations(
    bound=_words(
        f"{_ALL_BOUND} sr sra sres dra d dª dña excmo excma ilmo p.ej ej ud uds reg dir vid rec"
        " avda ctra admón gral"
    ),
    numbered=_words(
        f"{_ALL_NUMBERED} núm núms n nº n.º n.os pág págs apdo apdos aptdo apt ap párr let ltr inc"
        " disp tít anx l c dl ref"
    ),
    open=_words("etc s.a s.l cía ltda jr al a.c d.c ee.uu ed eds dpto"),
    openers=_words(
        "El La Los Las Un Una En Este Esta Estos Estas Ese Esa Esto Aquel Si Cuando Para Por Con"
        " Sin Sobre Al A De Del No Pero Sin Así Además También Se Su Sus Cada Todos Todas Que Como"
        " Según Ya Es Son Debe Y O Artículo"
    ),
)

_FR = Abbreviations(
    bound=_words(
        f"{_ALL_BOUND} m mm mme mlle me mes p.ex ex c.-à-d réf règl dir not env resp op loc ibid"
    ),
    numbered=_words(
        f"{_ALL_NUMBERED} n n° nº al als pts pt let lit l c r d chap tit ann obs liv § cons"
    ),
    open=_words("etc s.a s.a.r.l cie sté jr al av éd ed eds"),
    openers=_words(
        "Le La Les Un Une Des Du De En Ce Cet Cette Ces Il Elle Ils Elles On Si Quand Pour Par"
        " Avec Sans Sur Sous Dans À Au Aux Mais Et Ou Ainsi Toutefois Cependant Lorsque Chaque"
        " Tout Toute Tous Toutes Son Sa Ses Leur Leurs Que Qui Comme Selon Est Sont Article Aucun"
    ),
)

_DE = Abbreviations(
    bound=_words(
        f"{_ALL_BOUND} hr fr vgl bzw ggf z.b z.t d.h u.a.m i.d.r i.v.m i.s.d i.s.v s.o s.u sog gem"
        " evtl insb insbes bspw einschl entspr dipl ing inkl exkl zzgl abzgl str bd begr betr i.s"
        " d z u i zit verb m.w.n a.a.o"
    ),
    numbered=_words(
        f"{_ALL_NUMBERED} abs ziff lit s rn rdnr rz anm bgbl abl kap anl anh buchst unterabs satz"
        " hs hbs az vom bl l c tz jan feb mär apr jun jul aug sep sept okt nov dez"
    ),
    open=_words("usw etc u.a o.ä o.g a.d jr al hrsg aufl ff f a.f n.f"),
    openers=_words(
        "Der Die Das Dem Den Des Ein Eine Einer Eines Einem Einen Dies Diese Dieser Dieses Er Sie"
        " Es Wir Ich Wenn Soweit Sofern Für Bei Mit Nach Von Vor Zu Zur Zum Im In An Am Auf Aus"
        " Durch Über Unter Als Auch Aber Und Oder Dabei Daher Dazu Damit Hierbei Jede Jeder Alle"
        " Ist Sind Wird Werden Wer Was Wie Satz Artikel Absatz"
    ),
    ordinal_dot=True,
)

_BY_LANGUAGE: Mapping[str, Abbreviations] = {"en": _EN, "pt": _PT, "es": _ES, "fr": _FR, "de": _DE}
_ORDINAL_DOT = _words("da nb nn no sv fi et lv lt pl cs sk sl hr bs sr hu tr is")
"""Further languages that write ordinals with a full stop."""
ORDINAL_MONTHS = _words(
    "Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember"
    " Januari Februari Mars Maj Marts"
)
"""Months, capitalised, before which a number and a full stop make a date ("4. Mai")."""
ORDINAL_LEADS = _words("am vom zum im bis und ab seit der die das dem den des ein jeder jedes jede")
"""Words after which a number and a full stop make an ordinal ("der 3. Senat")."""


def abbreviations_for(language: str) -> Abbreviations:
    """Return the lists of a BCP 47 code; those of all five languages for any other."""
    code = language.split("-")[0].lower()
    if code in _BY_LANGUAGE:
        return _BY_LANGUAGE[code]
    known = _BY_LANGUAGE.values()
    return Abbreviations(
        bound=frozenset().union(*(a.bound for a in known)) - {"fr", "d", "z", "u", "i", "m", "me"},
        numbered=frozenset().union(*(a.numbered for a in known)),
        open=frozenset().union(*(a.open for a in known)),
        openers=frozenset().union(*(a.openers for a in known)),
        ordinal_dot=code in _ORDINAL_DOT,
    )
