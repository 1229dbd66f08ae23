"""Tokenizers in the packages of their makers: found where they are installed, and said to be missing elsewhere."""

import os
import subprocess
import sys

import pytest
from serving import ROOT

from tokviz import encoding_of_model, load
from tokviz.api.refusal import Refusal
from tokviz.api.tokenizers import pretrained_tokenizer
from tokviz.cli import main
from tokviz.formats.elsewhere import reason_not_included
from tokviz.formats.extras import EXTRAS, INSTALLED, extra_of_model
from tokviz.formats.tiktoken import ranks_text

WITHOUT = pytest.mark.skipif(bool(INSTALLED), reason="llama-models is installed")
INSTALL = "pip install 'tokviz[llama]'"
ASKED = """
import sys
from pages.ui.session_tokenizers.tokenizer_list import tokenizer_choice_label
from tokviz import encoding_of_model, load
from tokviz.formats.elsewhere import ELSEWHERE, reason_not_included
from tokviz.formats.pretrained import ENCODINGS, is_pretrained
found = load("llama3")
assert "llama3" in ENCODINGS and "llama4" not in ENCODINGS and is_pretrained(found)
assert ELSEWHERE["Llama"].is_partly_included
assert encoding_of_model("meta-llama/Llama-3.3-70B-Instruct") == "llama3"
assert reason_not_included("llama3") == "" and reason_not_included("llama-2-7b").startswith("Llama is only partly")
assert (found.name, found.split_pattern, found.n_vocab) == ("llama3", "llama3", 128_256)
assert tokenizer_choice_label("llama3") == "Llama 3" and "llama_models" not in sys.modules
"""


@pytest.mark.slow
def test_a_file_of_an_installed_package_is_as_an_included_tokenizer(tmp_path):
    made = (f"token {i}".encode() for i in range(27_744))
    ranks = load("cl100k_base").mergeable_ranks | {token: 100_256 + i for i, token in enumerate(made)}
    folder = tmp_path / "llama_models/llama3"
    folder.mkdir(parents=True)
    (folder / "tokenizer.model").write_text(ranks_text(ranks))
    (folder.parent / "__init__.py").write_text("raise ImportError('it must not be imported')")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    subprocess.run([sys.executable, "-c", ASKED], env=os.environ | {"PYTHONPATH": path}, check=True)


@WITHOUT
@pytest.mark.parametrize("name", EXTRAS)
def test_asking_for_one_that_is_missing_says_how_to_get_it(name, capsys):
    for asked in (load, encoding_of_model):
        with pytest.raises(ValueError, match=r"^Llama \d comes in Meta's own package: pip install 'tokviz\[llama\]'$"):
            asked(name)
    with pytest.raises(Refusal) as refused:
        pretrained_tokenizer(name)
    assert INSTALL in str(refused.value)
    assert main(["encode", name]) == 1 and INSTALL in capsys.readouterr().err
    assert INSTALL in reason_not_included(name)


def test_models_of_others_with_its_name_are_left_out():
    models = ("DeepSeek-R1-Distill-Llama-8B", "llama-2-7b", "Llama-30B", "codellama-34b", "tinyllama", "open_llama_3b")
    assert [extra_of_model(model) for model in models] == [None] * len(models)
