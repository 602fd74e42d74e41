from __future__ import annotations

import pytest

from tasks.slicing.sentences import sentence_ends

# Own sentences in the manner of the Official Journal, of commentaries and of court decisions.
EN = [
    "Processing shall be lawful only where Art. 6 of the Regulation applies.",
    "The notice was published in OJ L 119, 4.5.2016, p. 1.",
    "Commission Regulation (EU) No 1234/2016 was repealed on 1 Jan. 2019.",
    "Some controllers, e.g. banks and insurers, keep records for ten years.",
    "See fig. 3. for the flow of data between the processors.",
    "In Case C-311/18 Data Protection Commissioner v. Facebook Ireland Ltd. the Court ruled.",
    "Mr. Smith and Dr. Jones represented the applicant before the General Court.",
    "Under Sec. 12 and paras. 3 to 5, the fee is waived, i.e. nothing is due.",
    "The fine amounted to EUR 2.5 million.",
    "It was imposed by J. R. Miller, acting for the authority.",
    "Does the exemption in Art. 2(2) apply?",
    "The answer is no.",
    "I do not see how it could.",
    "The contract was made with Example Holdings Inc. The parties signed it in the U.S. on 3 May.",
    "Directive 95/46/EC (OJ L 281, 23.11.1995, p. 31) no longer applies.",
    "The supervisory authority shall reply within one month (cf. Art. 78 para. 2).",
    "Records, logs, etc. are kept by the processor.",
    "“The request is inadmissible.”",
    "That was the Board's only remark, at p. 14.",
    "Nos. 4 and 5 of Annex II, as amended by Reg. (EC) No 45/2001, remain in force.",
    "Pursuant to Rule 5, cl. 2, service takes place at 9 a.m. on the next working day.",
    "Vitamin C. The label says so.",
    "Consider recitals 4, 26 et seq. and the case law cited there!",
    "Smith et al. (2020) found no effect in ch. IV.",
    "She didn't.",
    "The duty is narrow, cf. Art. 30.",
    "It names three cases on pp. 4 and 5.",
    "2. Each of them stands alone.",
    "He won't either.",
]
PT = [
    "Nos termos do art. 6.º, n.º 1, al. a), do Regulamento, o tratamento é lícito.",
    "O diploma foi publicado no JO L 119 de 4.5.2016, p. 1.",
    "Vejam-se, p. ex., os arts. 5.º e 6.º da Lei n.º 58/2019, de 8 de agosto.",
    "O § 2º do art. 5º não se aplica às microempresas.",
    "Ficam revogadas as als. b) e c) do n. 3 do artigo anterior.",
    "O Sr. Dr. João Almeida representou a recorrente.",
    "Conforme o Ac. do STJ de 12.3.2019, proc. n.º 1234/17.2T8LSB, o prazo é de 30 dias.",
    "A coima ascende a 2,5 milhões de euros.",
    "Aplica-se o Reg. (UE) n.º 2016/679, de 27 de abril.",
    "Cfr. a Dir. 95/46/CE, cons. 26.",
    "Será que a isenção do art. 2.º se aplica?",
    "A resposta é não.",
    "Ver fig. 3. para o fluxo de dados entre subcontratantes.",
    "A sociedade Exemplo, Lda. O contrato foi celebrado em Lisboa.",
    "O registo contém nomes, moradas, etc. e é conservado por dez anos.",
    "A Exma. Sra. Dra. Maria Costa respondeu em 3 de jan. de 2020.",
    "V. os n.os 1 e 2 do art. 83.º, bem como o Anexo II.",
    "O pedido foi indeferido (cf. fls. 12 e segs. dos autos).",
    "«O recurso é improcedente.»",
    "Foi essa a única observação da Comissão, a pág. 14.",
    "Nos termos do cap. IV, sec. II, o encarregado é designado pelo responsável.",
    "O Dec.-Lei n.º 7/2004, art. 22.º, n.º 1, al. b), regula o envio de mensagens.",
    "Compete à C.N.P.D. o controlo, v.g. por meio de auditorias!",
    "O Min. Carlos B. Silva votou vencido.",
    "Art. 10. É vedado o tratamento sem consentimento.",
]  # fmt: skip
DE = [
    "Nach Art. 6 Abs. 1 lit. a DSGVO ist die Verarbeitung rechtmäßig.",
    "Am 4. Mai 2016 wurde sie im ABl. L 119 veröffentlicht, vgl. S. 1.",
    "Das gilt z. B. für Banken und d. h. auch für Dr. Meier.",
    "Der 3. Senat entschied gem. § 2 Nr. 4 BDSG.",
]
FR = [
    "Aux termes de l'art. 6, par. 1, let. a), le traitement est licite.",
    "Le règlement (UE) n° 2016/679 a été publié au JO L 119 du 4.5.2016, p. 1.",
    "M. Dupont et Mme. Durand, p. ex. pour la société, ont été entendus.",
    "Voir la fig. 3. ci-dessous.",
]
ES = [
    "Según el art. 6, apdo. 1, let. a), el tratamiento es lícito.",
    "Véase el DO L 119 de 4.5.2016, p. 1, y el núm. 3 del anexo.",
    "El Sr. García, p. ej. como encargado, respondió a la Sra. López.",
]
# two sentences stand in one string where the point is the boundary between them
INNER = (
    "The contract was made with Example Holdings Inc. The parties signed it in the U.S. on 3 May.",
    "A sociedade Exemplo, Lda. O contrato foi celebrado em Lisboa.",
    "Vitamin C. The label says so.",
)


def score(sentences: list[str], language: str, joint: str = " ") -> tuple[float, list[str]]:
    """Return the boundary F1 over the sentences put one after the other, and what went wrong."""
    text, gold = "", set()
    for sentence in sentences:
        if sentence in INNER:
            gold.add(len(text) + sentence.index(". ") + 2)
        text += sentence + joint
        gold.add(len(text))
    text = text[: -len(joint)]
    gold.discard(len(text) + len(joint))
    found = set(sentence_ends(text, language).tolist())
    wrong = [text[max(0, at - 30) : at] + "|" + text[at : at + 20] for at in gold ^ found]
    return 2 * len(gold & found) / (len(gold) + len(found)), wrong


@pytest.mark.parametrize(
    ("sentences", "language"), [(EN, "en"), (PT, "pt"), (DE, "de"), (FR, "fr"), (ES, "es")]
)
def test_legal_sentences_are_found(sentences: list[str], language: str) -> None:
    f1, wrong = score(sentences, language)
    assert f1 >= 0.98, wrong


@pytest.mark.parametrize(
    ("sentences", "language"), [(EN, "und"), (PT, "und"), (FR, "und"), (ES, "und")]
)
def test_an_unknown_language_costs_little(sentences: list[str], language: str) -> None:
    f1, wrong = score(sentences, language)
    assert f1 >= 0.95, wrong


@pytest.mark.parametrize(
    ("text", "language", "parts"),
    [
        ("First item\nSecond\nThird and longest of all", "en", 3),  # short lines, broken by hand
        (
            "A paragraph that was wrapped at a margin of some fifty\n"
            "characters by hand, as mail programs and editors do,\n"
            "is one sentence. This is the second.",
            "en",
            2,
        ),
        ("all of it is small. the next begins here. etc. and so on.", "en", 3),
        ("处理应当合法。为什么？因为如此！", "zh", 3),
        ("यह एक वाक्य है। यह दूसरा है।", "hi", 2),
        ('He asked "Why?" and left. "So be it." They agreed.', "en", 3),
        ("Wait... what? Well... Yes. [...] The end.", "en", 4),
        ("3. Scope\n\nIt applies.\n\na. First\n\nb. Second", "en", 4),
        ("no end", "en", 1),
    ],
)
def test_sentences_of_other_kinds_of_text(text: str, language: str, parts: int) -> None:
    assert len(sentence_ends(text, language)) + 1 == parts


def test_a_sentence_begins_with_a_visible_character() -> None:
    text = " First.  \n Second. \n\n\t Third! "
    ends = sentence_ends(text, "en").tolist()
    assert [text[at] for at in ends] == ["S", "T"]
    assert sentence_ends("", "en").tolist() == []
    assert sentence_ends(" \n\n ", "en").tolist() == []
