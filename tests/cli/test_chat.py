"""`tokviz chat`: verdicts, exit codes, what is refused and where, and the figures as JSON."""

import io
import json
import re
import sys

import pytest
from serving import ROOT

import tokviz
from tokviz.chats.formats import FORMAT_NAMES, Template, given_or_default_format
from tokviz.chats.messages import messages_of
from tokviz.conversations.rewritings import format_differences
from tokviz.conversations.trials import CONVERSATIONS

SHOWN = re.search(
    r"```text\n\$ tokviz (chat .*?)\n(.*?)```", (ROOT / "docs/command-line.md").read_text("utf-8"), re.DOTALL
)
ODD = "สวัสดี กำ 👩‍👩‍👧‍👦 \ud800\x1b[2J"
QWEN = ("-t", "qwen3", "--template", "As Qwen 3")
TEACHING = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content | trim }}<|im_end|>\n{% endfor %}"
# Nothing that a template may do wrong: a special token parts what is said from all that is not.
GOOD = """\
{{- tools | tojson -}}
{%- for m in messages -%}
<|im_start|>{{ m.role }}<|im_start|>{{ m.reasoning_content }}
{{- m.content if m.content is string else m.content | tojson }}
{%- if m.tool_calls %}{{ m.tool_calls | tojson }}{% endif -%}
<|im_end|>
{%- endfor -%}
{%- if add_generation_prompt %}<|im_start|>assistant<|im_start|>{% endif -%}
"""


def user(content):
    return {"role": "user", "content": content}


def assistant(content, **more):
    return {"role": "assistant", "content": content, **more}


KEPT = [user("Hi!"), assistant("Ho!"), user("And?")]
REASONED = [user("Is 17 prime?"), assistant("Yes.", reasoning_content="2 and 3 do not divide it."), user("And 18?")]
PRODUCED = [user("Hi!"), assistant("\n\nHo", token_ids=[198, 198, 39]), user("x")]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, *conversations):
    lines = (one if isinstance(one, str) else json.dumps({"messages": one}) for one in conversations)
    with open(name, "w") as file:
        file.write("\n".join(lines))
    return name


def test_the_example_of_the_documents_prints_what_they_show(ran):
    write("rollouts.jsonl", REASONED)
    arguments = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', SHOWN[1])]
    assert ran(*arguments)[:2] == (1, SHOWN[2])


def test_several_conversations_have_a_verdict_each_and_one_for_all(ran, printed):
    code, out, err = ran("chat", write("a.jsonl", KEPT, REASONED), *QWEN)
    first, *blocks = out.split("\n\n")
    assert (code, err, first) == (1, "", "Conversations that keep their prefix: 1 of 2")
    assert [block[:20] for block in blocks] == ["line 1: This templat", "line 2: Turn 2 rewri"]
    assert printed("chat", "a.jsonl").startswith("Conversations that keep their prefix: 2 of 2\n\nline 1: ChatML keeps")


def test_standard_input_and_a_single_list_are_read(printed, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(KEPT).encode())))
    assert printed("chat", "-").startswith("ChatML keeps its prefix")


def test_json_has_the_figures_of_python(ran):
    code, out, _ = ran("chat", write("a.json", REASONED), *QWEN, "--block", 1, "--mask", "--json")
    result = json.loads(out)
    [found] = result["conversations"]
    expected = tokviz.turns(tokviz.load("qwen3"), REASONED, chat_format="As Qwen 3", block=1)
    assert code == 1 and (result["passes"], result["block"], found["verdict"]) == (False, 1, expected.verdict)
    for row, turn in zip(found["turns"], expected.turns, strict=True):
        for name in ("n_tokens", "n_kept", "n_shared", "n_cached", "n_again", "n_old", "new_start", "keeps_text"):
            assert row[name] == getattr(turn, name)
        assert row["n_characters"] == len(turn.prompt.text)
        assert [each["old"] for each in row["rewritten"]] == [each.old for each in turn.rewritten]
    assert found["turns"][1]["rewritten"][0]["whose"] == "turn 1, assistant's reasoning"
    mask = tokviz.assistant_mask(expected)
    assert found["mask"]["mask"] == mask.tokens.tolist() and found["mask"]["ids"] == mask.spans.ids.tolist()
    assert found["mask"]["stretches"] == [list(each) for each in mask.stretches]


def test_ids_that_are_not_those_of_their_text_end_in_1(ran):
    ids = tokviz.load("qwen3").encode("Ho!<|im_end|>", allowed_special="all")
    good = json.dumps({"messages": KEPT, "completion_ids": [ids]})
    assert ran("chat", write("good.jsonl", good), "-t", "qwen3", "--ids")[0] == 0
    code, out, _ = ran("chat", write("bad.jsonl", PRODUCED), "-t", "qwen3", "--ids")
    assert code == 1 and "Turn 1: Not canonical: 6 ids" in out
    assert "  [198, 198, 198] spells ↵↵↵. The tokenizer writes that as [1406]: it merges ↵ with ↵.\n" in out
    result = json.loads(ran("chat", "bad.jsonl", "-t", "qwen3", "--ids", "--json").out)["conversations"][0]
    assert result["ids"][0]["turn"] == 1 and result["ids"][0]["differences"][0]["reason"] == "merge"


def test_ids_decide_where_the_prefix_is_kept(ran, printed):
    qwen3 = tokviz.load("qwen3")  # which writes the name of a marker as text, and ChatML keeps it so
    ids = qwen3.encode("a<|im_end|>") + qwen3.encode("<|im_end|>", allowed_special="all")
    write("a.jsonl", [user("Hi!"), assistant("a<|im_end|>", token_ids=ids)])
    assert printed("chat", "a.jsonl", "-t", "qwen3").startswith("ChatML keeps its prefix")
    code, out, _ = ran("chat", "a.jsonl", "-t", "qwen3", "--ids")
    assert code == 1 and out.startswith("ChatML keeps its prefix") and "spells <|im_end|>" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there are no messages"),
        ("[]", "there are no messages"),
        ("5", "line 1: expected a list of messages, or an object that has one under 'messages'"),
        ('{"messages": [{"content": "a"}]}', "line 1: message 1: 'role' is not a name"),
        ('{"messages": []}\n{"messages": [{"role": "user"}]}', "line 2: message 1: 'content' is not a text"),
        ('{"messages": []}\n{"messages": [', "line 2 is not JSON"),
        pytest.param("[" * 100_000, "nested too deeply", id="deep"),
        (json.dumps([user("a"), assistant("b", token_ids=["7"])]), "message 2: 'token_ids' is not a list of token ids"),
        (json.dumps({"messages": KEPT, "response_ids": [[1], [2]]}), "'response_ids' must have a list of ids for each"),
    ],
)
def test_what_is_no_conversation_ends_in_2_with_the_line_and_the_field(ran, text, words):
    code, out, err = ran("chat", write("bad.jsonl", text))
    assert (code, out) == (2, "") and err.startswith("tokviz chat: bad.jsonl: ") and words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no.jsonl"], "No such file"),
        ([], "name a FILE with conversations, - for standard input, or --trials"),
        (["a.jsonl", "-t", "no-such"], "there is no file 'no-such'"),
        (["a.jsonl", "--template", "no-such"], "no chat format and no file 'no-such'"),
        (["a.jsonl", "--template", "tokenizer_config.json"], "there is no chat template in tokenizer_config.json"),
        (["a.jsonl", "--tools", "bad"], "the functions are not JSON"),
        (["a.jsonl", "--block", "0"], "--block must be at least 1 token, not 0"),
        (["a.jsonl", "--ids"], "a.jsonl: there are no ids"),
        (["a.jsonl", "--trials"], "--trials has conversations of its own"),
        (["--trials", "--mask"], "--trials has conversations of its own"),
    ],
)
def test_what_gives_no_answer_ends_in_2(ran, arguments, words):
    write("a.jsonl", KEPT)
    write("tokenizer_config.json", "{}")
    write("bad", "{")
    code, out, err = ran("chat", *arguments)
    assert (code, out) == (2, "") and words in err


def test_fields_that_are_not_used_are_listed_by_line(ran):
    code, _, err = ran("chat", write("a.jsonl", KEPT, [user("Hi!") | {"mood": 1}]))
    assert (code, err) == (0, "a.jsonl: line 2: message 1: the field 'mood' is not used\n")
    err = ran("chat", write("a.jsonl", *[[user("Hi!") | {"mood": 1}]] * 12)).err
    assert len(err.splitlines()) == 11 and err.endswith("a.jsonl: 2 more fields not used\n")


def test_a_template_that_raises_says_at_which_line_and_turn_and_the_others_are_shown(ran):
    write("strict.jinja", "{% if messages|length > 2 %}{{ raise_exception('no \x1b[2J') }}{% endif %}" + TEACHING)
    arguments = ("chat", write("a.jsonl", KEPT[:2], KEPT), "-t", "qwen3", "--template", "strict.jinja")
    code, out, err = ran(*arguments)
    assert code == 1 and out.startswith("Conversations that keep their prefix: 1 of 2\n\nline 1: This template keeps")
    assert err == "a.jsonl: line 2: turn 2: the chat template refuses these messages: no \\x1b[2J\n"
    found = json.loads(ran(*arguments, "--json").out)["conversations"][1]
    assert found["refused"].startswith("turn 2: ") and not found["passes"]


def test_what_is_too_large_or_unknown_is_refused_in_words(ran):
    err = ran("chat", write("a.jsonl", [user("a" * 2_000_001)]), *QWEN).err
    assert err == "a.jsonl: line 1: turn 1: the chat template makes a prompt of over 2,000,000 characters\n"
    code, out, err = ran("chat", write("a.jsonl", [user("a"), assistant("b", token_ids=[10**12])]))
    assert (code, out) == (1, "") and err.startswith("a.jsonl: line 1: turn 1: cl100k_base")


def test_odd_texts_reach_the_terminal_as_text_only(ran):
    write("a.jsonl", [user(ODD), assistant(f" {ODD} ", name="a"), user(ODD)])
    for more in ((), ("--json",)):
        code, out, err = ran("chat", "a.jsonl", *QWEN, "--mask", "--against", "ChatML", *more)
        assert code == 1 and not err and "\x1b" not in out
    [found] = json.loads(out)["conversations"]
    assert [each["old"] for each in found["turns"][1]["rewritten"]] == [" ", " "]
    assert sum(found["mask"]["mask"]) > 10


@pytest.mark.slow
def test_the_template_is_that_of_a_folder_with_its_tokens_or_a_named_one(ran, files):
    folder = files / "model"
    folder.mkdir()
    tokviz.train("low lower", vocab_size=260, special_tokens=["<s>"]).save(folder / "tokenizer.json")
    template = "{{ bos_token }}{% for m in messages %}{{ m.content | trim }}{% endfor %}"
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": template, "bos_token": "<s>"}))
    write("a.jsonl", [user("low"), assistant(" low")])
    named = (("-t", folder), ("-t", folder, "--template", folder), ("--template", folder / "tokenizer_config.json"))
    results = [json.loads(ran("chat", "a.jsonl", *arguments, "--json").out) for arguments in named]
    assert [each["template"] for each in results] == ["its own template", "model", "tokenizer_config.json"]
    assert {each["conversations"][0]["turns"][0]["n_characters"] for each in results} == {len("<s>low")}
    (files / "mine.jinja").write_text("{{ bos_token }}!")
    result = json.loads(ran("chat", "a.jsonl", "-t", folder, "--template", "mine.jinja", "--json").out)
    assert result["conversations"][0]["turns"][0]["n_characters"] == len("<s>!")
    assert json.loads(ran("chat", "a.jsonl", "--template", "As Llama 3", "--json").out)["template"] == "As Llama 3"


def test_functions_of_a_file_are_for_conversations_without_any(ran):
    write("tools.json", json.dumps({"name": "file_function"}))
    own = json.dumps({"messages": KEPT, "tools": [{"type": "function", "function": {"name": "own"}}]})
    write("t.jinja", "{% for t in tools %}{{ t.function.name }}{% endfor %}")
    out = ran("chat", write("a.jsonl", KEPT, own), "--tools", "tools.json", "--template", "t.jinja", "--json").out
    lengths = [each["turns"][0]["n_characters"] for each in json.loads(out)["conversations"]]
    assert lengths == [len("file_function"), len("own")]
    assert "ChatML has no place for functions" in ran("chat", "a.jsonl").err


def test_the_mask_names_tokens_that_reach_across_an_edge(ran):
    write("t.jinja", "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% else %}{% generation %}"
          "{{ m.content }}{% endgeneration %}{% endif %}{% endfor %}")  # fmt: skip
    out = ran(
        "chat", write("a.jsonl", [user("lo"), assistant("w")]), "-t", "gpt2", "--template", "t.jinja", "--mask"
    ).out
    assert "1 token reaches across the edge of an answer." in out and "token 0 reaches across an edge: 'low'" in out


def test_another_template_is_compared_message_by_message(ran):
    out = ran("chat", write("a.jsonl", KEPT), "--against", "As Gemma", "--json").out
    differences = json.loads(out)["conversations"][0]["against"]["differences"]
    assert [(each["message"], each["old"][:6]) for each in differences] == [
        (-1, ""),
        *((i, "<|im_s") for i in range(3)),
    ]
    assert ran("chat", "a.jsonl", "--against", "ChatML").out.endswith("Both make the same prompt.\n")
    write(
        "open.jinja",
        TEACHING.replace("<|im_end|>\n{% endfor %}", "{% if not loop.last %}<|im_end|>\n{% endif %}{% endfor %}"),
    )
    out = ran("chat", "a.jsonl", "--template", "open.jinja", "--against", "ChatML", "-t", "qwen3").out
    assert out.endswith("differ in 1 place.\n  turn 2, user: '' → '<|im_end|>\\n'\n")


@pytest.mark.slow
def test_two_formats_differ_exactly_if_their_prompts_do():
    formats = [given_or_default_format(name, tokviz.load("gpt2")) for name in FORMAT_NAMES if name != "harmony"]
    formats.append(Template("bare", "{{ messages | map(attribute='content') | join }}"))
    for name in ("A question", "Three turns", "White space at both ends"):
        messages = messages_of(CONVERSATIONS[name])
        texts = [each.prompt(messages, reply=False).text for each in formats]
        for one, text in zip(formats, texts, strict=True):
            for other, other_text in zip(formats, texts, strict=True):
                assert bool(format_differences(messages, one, other)) == (text != other_text), (name, one, other)


def test_trials_say_what_becomes_of_each_conversation(ran):
    code, out, _ = ran("chat", "--trials", "-t", "qwen3", "--template", "Strict turns")
    assert code == 1 and re.match(r"\d+ of 14 conversations are written in full", out)
    assert len(out.split("\n\n")[1].splitlines()) == 15
    rows = json.loads(ran("chat", "--trials", "-t", "qwen3", "--template", "Strict turns", "--json").out)["trials"]
    assert {row["outcome"] for row in rows} >= {"refused", "fine"}
    write("good.jinja", GOOD)
    assert ran("chat", "--trials", "-t", "qwen3", "--template", "good.jinja")[0] == 0


def test_an_answer_is_what_follows_the_prompt_even_if_it_changes_what_is_before_it(ran):
    rules_last = TEACHING.replace("{{ m.content", "{{ 'Be brief. ' if loop.last and m.role == 'user' }}{{ m.content")
    write("t.jinja", rules_last + "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")
    out = ran("chat", write("a.jsonl", KEPT), "-t", "qwen3", "--template", "t.jinja", "--json").out
    turn = json.loads(out)["conversations"][0]["turns"][1]
    cached = "<|im_start|>user\nBe brief. Hi!<|im_end|>\n<|im_start|>assistant\nHo!<|im_end|>"
    assert turn["n_before"] == len(tokviz.load("qwen3").encode(cached, allowed_special="all"))
    assert [(each["message"], each["old"], each["new"]) for each in turn["rewritten"]] == [(0, "Be brief. ", "")]


def test_parts_of_several_turns_that_are_rewritten_are_not_said_to_be_of_one(ran):
    write("t.jinja", "{% for m in messages %}{{ '|' if messages|length > 3 }}{{ m.content }}<|im_end|>{% endfor %}")
    write("a.jsonl", [*KEPT[:2], *KEPT[:2], user("And?")])
    assert "Turn 3 rewrites 3 characters from turn 1 on: " in ran("chat", "a.jsonl", "--template", "t.jinja").out


def test_line_ends_of_other_kinds_may_be_in_the_strings_of_a_line(printed):
    lines = [json.dumps({"messages": [user("a\u2028b\x85c\x0c")]}, ensure_ascii=False)] * 2
    assert printed("chat", write("a.jsonl", *lines)).startswith("Conversations that keep their prefix: 2 of 2")


def test_ids_of_only_a_part_of_an_answer_are_not_taken_for_all_of_it(ran):
    write("a.jsonl", [user("Hi!"), assistant("Ho", token_ids=[39]), assistant("!"), user("x")], PRODUCED)
    found = json.loads(ran("chat", "a.jsonl", "-t", "qwen3", "--ids", "--json").out)["conversations"]
    assert [len(each["ids"]) for each in found] == [0, 1]


@pytest.mark.slow
def test_a_template_that_does_not_end_is_not_tried_on_every_conversation(ran, monkeypatch):
    monkeypatch.setattr("tokviz.chats.template.TURNS_SECONDS", 0.3)
    write("t.jinja", "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}")
    code, out, err = ran("chat", "--trials", "--template", "t.jinja")
    assert (code, out) == (2, "") and "did not end within" in err


def test_one_token_is_trained_on_and_several_are(printed):
    write("a.jsonl", [user("Hi!"), assistant("")], [user("Hi!"), assistant("Ho")])
    one, several = re.findall(r"\d+ of \d+ tokens .*", printed("chat", "a.jsonl", "-t", "qwen3", "--mask"))
    assert one.startswith("1 of 12 tokens is trained on: each answer with its last special token")
    assert several.startswith("2 of 13 tokens are trained on: ")
