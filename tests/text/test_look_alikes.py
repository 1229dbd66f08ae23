"""Look-alikes are those of Unicode's table; words of science, names and units have none, and words of attacks do."""

import json
import string
import unicodedata
from pathlib import Path

import confusable_homoglyphs
import pytest
import regex

from tokviz.text.hidden_text import LOOK_ALIKE, hidden, without_hidden
from tokviz.text.look_alikes import PAIRS

ORDINARY = {
    "cytokines and their receptors": "TNFα TNFβ TNFαR IFNγ IFNα IFNβ IFNαβ IFNκ IFNγR1 rhIFNγ IL1α IL1β IL2Rγ TGFβ "
    "TGFα LTα LTαβ MIP1α MIP3α SDF1α GROα GMRβ TCRα TCRαβ TCRγδ γδT αβT αβTCR Vγ9Vδ2 CD3ε CD79α Igα Igκ κLC BCRα",
    "receptors and factors": "PPARγ PPARα PPARδ RARα RXRγ ERα ERαKO LXRα RORγ RORγt HNF4α HIF1α HIF2α C/EBPα PGC1α "
    "NFκB NFκBp65 IκB IκBα IκBβ IκBζ IKKα IKKγ p38α PI3Kγ PI3Kα PKCα PKCι PKCζ PLCγ PLCγ1 AMPKα GSK3α CaMKIIα CK2α "
    "eIF2α eIF2α-P Gαi Gαs Gαq Gα12 Gβγ FcγR FcγRIIIa FcεRI FcαRI κOR αIIbβ3 αVβ3 α4β7 αMβ2 αLβ2 RANKα ActRIIα",
    "proteins and compounds": "αSMA αSyn αsyn αMSH αMHC αKG αGalCer αENaC αtubulin γtubulin αketoglutarate κcasein "
    "γH2AX γGT γGCS γTuRC σ70 EσS ωconotoxin hCGα interferonγ integrinα αcatenin χconotoxin κcarrageenan",
    "quantities": "νmax κcat νe νμ νeff ρair ρcrit ρDM lnρ σmax σtot σSB σxy χmin χeff κeff κes κν αem αIR αox αCO "
    "αopt τxy ωmax θmax λmax γray φmax εr δx Δt ΔG ΔΔG ΔG° Δν Δλ Δαβ ΔνD Tμν Rμν Gμν Fμν gμν ημν Tαβ ΛCDM Σx Ωk hν",
    "stars": "αCen βPic γCas γDor κCrB νAnd υAnd ρOph σOri χPer ιDra αUMi",
    "units": "µm μm µg μmol μSv kΩ MΩ mΩ Ωm Ωcm μF μH µPa kΩm Å °C nm",
    "phonetics": "naχt baχ ʁɛχt θɪŋk ˈbʌtər βaβa",
    "names with letters of both": "iPhoneом iPhoneы SMSка PDFка e-mailы Wi-Fi-сеть IT-шник USB-кабель T-shirtы "
    "NATOвский HTTPшный VIPы Яндекс-browser βlog λProlog πfs CΩMPUTER PΛNDA Δx αx Ωmega λ-calculus ΣKAI τεχ-LaTeX",
    "other scripts": "Москва Αθήνα Երևան ᏣᎳᎩ ⲙⲛⲧⲣⲙⲛⲕⲏⲙⲉ ꓡꓲ-ꓢꓴ ᐃᓄᒃᑎᑐᑦ የFacebook Facebookဝယ် αテスト γ線 β版 Київ Ђорђе",
}  # fmt: skip
# What a text shows, and what it is cleaned to: Cyrillic; Greek; Armenian, Coptic, Cherokee and Lisu; other scripts of
# the table; and Latin letters in the words of others.
ATTACKS = """
    pаypаl=paypal аpple=apple gооgle=google раyраl=paypal аррlе=apple Fасеbооk=Facebook Асcount=Account
    sсоре=scope ехсеl=excel hеllo=hello Вitcoin=Bitcoin Тwitter=Twitter МetaMask=MetaMask Нotmail=Hotmail
    Кraken=Kraken іnvoice=invoice раyment=payment јava=java ԁropbox=dropbox ԝhatsapp=whatsapp
    рassԝоrd=password һttps=https googӏe=google paypaӀ=paypal Ӏnternet=Internet gооgІe=google ԌooԌle=GooGle
    ѡindows=windows еbay=ebay аmazon=amazon miсrosoft=microsoft naїve=naïve ҽbay=ebay гeddit=reddit
    ΡауРаl=PayPal Ԛuora=Quora
    gοοgle=google scοpe=scope sαfe=safe pαypαl=paypal Pαypal=Paypal facebοοκ=facebook οχford=oxford hellο=hello
    οpen=open ρaypal=paypal νerify=verify bιtcoιn=bitcoin Αpple=Apple USΑ=USA MIΤ=MIT ΤNFα=TNFα ΡAYPAL=PAYPAL
    gόogle=góogle aυthor=author hacκer=hacker Ϲitibank=Citibank ϳava=java Βitcoin=Bitcoin
    gօօgle=google ոetflix=netflix հello=hello քacebook=facebook ցoogle=google
    gⲟⲟgle=google ⲣaypal=paypal Ⲧwitter=Twitter ⲥisco=cisco Ⲏotmail=Hotmail
    Ꭺpple=Apple ᏢayᏢal=PayPal Ꮐoogle=Google Ꮇicrosoft=Microsoft Ꭰropbox=Dropbox bꭵtcoin=bitcoin
    ꓮpple=Apple ꓑayꓑal=PayPal ꓖoogle=Google ꓡinux=Linux раураꓡ=paypaL
    ᗪropbox=Dropbox ᑭaypal=Paypal gჿჿgle=google ꓑауꓑаl=PayPal 𐐕itibank=Citibank g𐓪𐓪gle=google ⵔracle=Oracle
    g𐊫𐊫gle=gOOgle 𖽀pple=Apple ꛟisa=Visa gഠഠgle=google ᛖeta=Meta
    Mосква=Москва Cбербанк=Сбербанк Tην=Την Kαι=Και Aθήνα=Αθήνα Mоре=Море привeт=привет
"""
CLEANED = dict(pair.split("=") for pair in ATTACKS.split())
LETTERS = {letter: pair[0] for pairs in PAIRS.values() for pair in pairs.split() for letter in pair[1:]}
# Where the pairs differ from the published ones, for the reasons given beside them.
ADDED, OTHERWISE, LEFT_OUT = "κχԚ", "ӏ", "σဝ"


def test_the_lists_are_long_enough():
    assert len({word for words in ORDINARY.values() for word in words.split()}) >= 120
    assert len(CLEANED) >= 60


@pytest.mark.parametrize("subject", ORDINARY)
def test_ordinary_words_hide_nothing(subject):
    words = unicodedata.normalize("NFC", ORDINARY[subject])
    assert {word: cleaned for word in words.split() if (cleaned := without_hidden(word)) != word} == {}
    assert hidden(words) == ()


@pytest.mark.parametrize("word", ["са\u0301хар", "ρα\u0308", "กа"])
def test_a_word_with_letters_of_one_script_hides_nothing_whatever_is_beside_it(word):
    assert hidden(word) == hidden(f"latin {word}") == ()


def test_look_alikes_in_words_are_found_and_cleaned():
    assert {seen: without_hidden(seen) for seen in CLEANED} == CLEANED
    assert {mark.kind for mark in hidden(ATTACKS)} == {LOOK_ALIKE}


def test_each_letter_is_found_in_a_latin_word():
    for letter, latin in LETTERS.items():
        seen = f"abc{letter}de"
        cleaned = "abclde" if latin == "I" else f"abc{latin}de"
        assert without_hidden(seen) == (seen if letter == "χ" else cleaned)


def test_pairs_are_letters_of_their_script_and_latin_ones():
    assert len(LETTERS) == sum(len(pair) - 1 for pairs in PAIRS.values() for pair in pairs.split())
    for script, pairs in PAIRS.items():
        for latin, *letters in pairs.split():
            assert regex.fullmatch("[A-Za-z]", latin)
            assert all(regex.fullmatch(rf"[\p{{{script}}}&&\p{{L}}]", letter, regex.V1) for letter in letters)


def test_pairs_are_those_of_the_published_table():
    table = json.loads((Path(confusable_homoglyphs.__file__).parent / "confusables.json").read_text())
    published = {
        each["c"]: latin
        for latin in string.ascii_letters
        for each in table.get(latin, ())
        if regex.fullmatch(r"[\p{Lu}\p{Ll}\p{Lo}--\p{Latin}--\p{Common}--\p{bc=R}--\p{bc=AL}]", each["c"], regex.V1)
        and unicodedata.is_normalized("NFC", each["c"])
    }
    # It has l for what looks like I.
    ours = {letter: "l" if latin == "I" else latin for letter, latin in LETTERS.items()}
    apart = {letter for letter in published | ours if published.get(letter) != ours.get(letter)}
    assert apart == {*ADDED, *OTHERWISE, *LEFT_OUT}
    assert not published.keys() & {*ADDED} and not ours.keys() & {*LEFT_OUT}
