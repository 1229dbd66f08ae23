"""The glossary: the words of the field, each in two sentences, with an example cut into tokens."""

from collections.abc import Callable
from dataclasses import dataclass

from tokviz import exercises as ex
from tokviz.lessons.chats import cl100k_with_chat_markers


@dataclass(frozen=True)
class Term:
    """A word, what it means in markdown, and an example: a text and the tokens that a tokenizer makes of it.

    Tokens quoted in `meaning` are in backticks. `tokens` are as `token_texts_of` returns them. `holds` computes whether
    the other figures in `meaning` are true. with_special: whether special tokens are recognised, including ChatML's.
    """

    word: str
    meaning: str
    text: str
    tokenizer: str
    tokens: tuple[str, ...]
    holds: Callable[[], bool] | None = None
    with_special: bool = False


def tokenizer_of_term(term: Term) -> ex.Tokenizer:
    """Return the tokenizer of a term's example."""
    return cl100k_with_chat_markers() if term.with_special else ex.load(term.tokenizer)


def glossary_term(word: str) -> Term:
    """Return the term of a word; KeyError if the glossary lacks it.

    >>> glossary_term("pretoken").tokens
    ('Dog', '?', ' Dog', '!')
    """
    for term in GLOSSARY:
        if term.word == word:
            return term
    raise KeyError(f"the glossary has no {word!r}; it has {', '.join(term.word for term in GLOSSARY)}")


def _token_ids(tokenizer: str, *tokens: str) -> list[int]:
    return [ex.load(tokenizer).mergeable_ranks[token.encode()] for token in tokens]


def _gpt2_merge_number(token: str) -> int:
    """Return the number of the merge, counted from 1, that makes a token of gpt2."""
    return ex.load("gpt2").merge_tokens.index(token.encode()) + 1


GLOSSARY = (
    Term(
        "token",
        "A piece of text that a language model reads as one unit: a word, part of a word, a punctuation mark or a "
        "single byte. GPT-4 reads “unbreakable” as `un`, `break` and `able`.",
        "unbreakable", "cl100k_base", ("un", "break", "able"),
    ),
    Term(
        "tokenizer",
        "The program that cuts a text into tokens, and turns tokens back into text. Each one cuts in its own way: "
        "GPT-2 makes `token` and `izer` of this word, and GPT-4 keeps it whole.",
        "tokenizer", "gpt2", ("token", "izer"),
        lambda: ex.n_tokens("cl100k_base", "tokenizer") == 1,
    ),
    Term(
        "token id",
        "The number of a token in its vocabulary. A model is given only these numbers: in GPT-2 `hello` is 31373, and "
        "` hello` with its space is 23748.",
        "hello hello", "gpt2", ("hello", " hello"),
        lambda: _token_ids("gpt2", "hello", " hello") == [31373, 23748],
    ),
    Term(
        "vocabulary",
        "All the tokens that a tokenizer knows. GPT-2 knows 50,257, and “ketchup” is not one of them, so it needs "
        "three: `ket`, `ch` and `up`.",
        "ketchup", "gpt2", ("ket", "ch", "up"),
        lambda: ex.load("gpt2").n_vocab == 50_257,
    ),
    Term(
        "encoding",
        "Turning a text into token ids; decoding turns them back into text. The word also means a finished set of "
        "tokens such as GPT-4's, in which `hello` has the id 15339.",
        "hello world", "cl100k_base", ("hello", " world"),
        lambda: _token_ids("cl100k_base", "hello") == [15339],
    ),
    Term(
        "round trip",
        "From a text to token ids and back again. Nothing may be lost on the way, not even a second space, which is a "
        "separate token here: ` `.",
        "naïve  café", "gpt2", ("na", "ïve", " ", " café"),
        lambda: ex.load("gpt2").decode(ex.load("gpt2").encode("naïve  café")) == "naïve  café",
    ),
    Term(
        "BPE",
        "Byte pair encoding: begin with single bytes, find the pair of neighbours that occurs most often, join it "
        "everywhere, and repeat. What was frequent becomes one token, like `the`; what was rare stays in pieces, like "
        "` q` and `zx`.",
        "the qzx", "gpt2", ("the", " q", "zx"),
    ),
    Term(
        "merge",
        "One step of BPE: wherever two given tokens are neighbours, they become one. In GPT-2 a space and “t” become "
        "“ t”, “h” and “e” become “he”, and then these two become ` the`.",
        " the", "gpt2", (" the",),
        lambda: ex.load("gpt2").merges[_gpt2_merge_number(" the") - 1] == tuple(_token_ids("gpt2", " t", "he")),
    ),
    Term(
        "merge rank",
        "A merge's place in the order of learning; a text is cut by making the earliest possible merge first. In GPT-2 "
        "merge 1 makes “ t”, merge 3 makes “he”, and merge 7 makes ` the`.",
        " the", "gpt2", (" the",),
        lambda: [_gpt2_merge_number(token) for token in (" t", "he", " the")] == [1, 3, 7],
    ),
    Term(
        "pair count",
        "How often two neighbours occur side by side in the training text; BPE joins the pair with the highest count. "
        "In `low`, ` lower` and ` lowest` the pair “l”, “o” has the count 3, and “w”, “e” only 2.",
        "low lower lowest", "gpt2", ("low", " lower", " lowest"),
        lambda: [ex.rounds_until_wrong_pair("low lower lowest", [])[0].counts[pair]
                 for pair in (("l", "o"), ("w", "e"))] == [3, 2],
    ),
    Term(
        "pretoken",
        "A piece that the split pattern cuts out before any merge; no token ever reaches beyond its ends. Here the "
        "pretokens are `Dog`, `?`, ` Dog` and `!`, so “Dog?” can never become one token.",
        "Dog? Dog!", "gpt2", ("Dog", "?", " Dog", "!"),
        lambda: ex.pretokens("Dog? Dog!", "gpt2") == ["Dog", "?", " Dog", "!"],
    ),
    Term(
        "split pattern",
        "A regular expression that cuts a text into pretokens. The one of GPT-4 takes at most three digits, so "
        "it cuts 2024 into `202` and `4`.",
        "in 2024", "cl100k_base", ("in", " ", "202", "4"),
        lambda: ex.pretokens("in 2024", "cl100k") == ["in", " ", "202", "4"],
    ),
    Term(
        "byte",
        "A number from 0 to 255, the unit in which computers store everything. The Thai letter ก takes three bytes, "
        "and GPT-2 makes two tokens of them: `<e0 b8>` and `<81>`.",
        "ก", "gpt2", ("<e0 b8>", "<81>"),
        lambda: len("ก".encode()) == 3,
    ),
    Term(
        "UTF-8",
        "The usual way to write characters as bytes: one byte for an English letter, up to four for others. The fox "
        "takes four, and in GPT-2 they are three tokens: `<f0 9f>`, `<a6>` and `<8a>`.",
        "🦊", "gpt2", ("<f0 9f>", "<a6>", "<8a>"),
        lambda: (len(b"a"), len("🦊".encode())) == (1, 4),
    ),
    Term(
        "code point",
        "The number that Unicode gives a character. What looks like one character can be several: the cook is made of "
        "three, a woman, a frying pan and an invisible joiner between them.",
        "👩‍🍳", "cl100k_base", ("<f0 9f>", "<91>", "<a9>", "<e2 80>", "<8d>", "<f0 9f>", "<8d>", "<b3>"),
        lambda: len("👩‍🍳") == 3,
    ),
    Term(
        "byte fallback",
        "What SentencePiece does with a character that is not in its vocabulary: it writes the character's bytes. "
        "Byte-level BPE begins with bytes, so GPT-2 needs no such rule to write 你 as `<e4 bd>` and `<a0>`.",
        "你", "gpt2", ("<e4 bd>", "<a0>"),
    ),
    Term(
        "special token",
        "A token that is an instruction, not text, such as the end of a document. If the program allows it, "
        "`<|endoftext|>` is a single token; if not, it is text like any other.",
        "The end.<|endoftext|>", "cl100k_base", ("The", " end", ".", "<|endoftext|>"),
        lambda: ex.n_tokens("cl100k_base", "<|endoftext|>") > 1,
        with_special=True,
    ),
    Term(
        "ChatML",
        "A way to write a chat as one text. `<|im_start|>` and a name begin each message, and `<|im_end|>` ends it.",
        "<|im_start|>user\nHi!<|im_end|>", "cl100k_base", ("<|im_start|>", "user", "\n", "Hi", "!", "<|im_end|>"),
        with_special=True,
    ),
    Term(
        "generation prompt",
        "The beginning of the assistant's message, which ends a prompt, so that the model goes on with an answer. In "
        "ChatML it is `<|im_start|>`, `assistant` and a line end.",
        "Hi!<|im_end|>\n<|im_start|>assistant\n", "cl100k_base",
        ("Hi", "!", "<|im_end|>", "\n", "<|im_start|>", "assistant", "\n"),
        with_special=True,
    ),
    Term(
        "prefix cache",
        "What a server has computed for a text and keeps for others that begin with the same tokens. For “It is 9:42” "
        "it has all tokens of “It is 9:41” up to `:`, and not the last.",
        "It is 9:42", "cl100k_base", ("It", " is", " ", "9", ":", "42"),
        lambda: ex.token_texts_of("cl100k_base", "It is 9:41") == ["It", " is", " ", "9", ":", "41"],
    ),
    Term(
        "retokenization",
        "Encoding a text again that a model wrote as tokens, which can give others. A model that wrote “un”, “imag”, "
        "“in” and “able” finds `un`, `imagin` and `able` in its next prompt.",
        "unimaginable", "cl100k_base", ("un", "imagin", "able"),
        lambda: all(ex.is_ordinary_token("cl100k_base", each) for each in ("un", "imag", "in", "able")),
    ),
    Term(
        "assistant mask",
        "Which tokens of a chat a model is trained on: what the assistant writes, with the marker that ends it. Here "
        "they are `Ho`, `!` and the `<|im_end|>` after them.",
        "Hi!<|im_end|>\n<|im_start|>assistant\nHo!<|im_end|>", "cl100k_base",
        ("Hi", "!", "<|im_end|>", "\n", "<|im_start|>", "assistant", "\n", "Ho", "!", "<|im_end|>"),
        with_special=True,
    ),
    Term(
        "compression",
        "How much text fits into a token: the text's bytes divided by its tokens. This sentence is 23 bytes, and GPT-2 "
        "makes 7 tokens of it, so it has 3.3 bytes per token.",
        "The cat sat on the bed.", "gpt2", ("The", " cat", " sat", " on", " the", " bed", "."),
        lambda: (len("The cat sat on the bed."), round(23 / ex.n_tokens("gpt2", "The cat sat on the bed."), 1))
        == (23, 3.3),
    ),
    Term(
        "fertility",
        "Tokens per word, on average. These two words are 6 tokens in GPT-2, so the fertility is 3.",
        "unbelievable tokenizer", "gpt2", ("un", "bel", "iev", "able", " token", "izer"),
        lambda: ex.n_tokens("gpt2", "unbelievable tokenizer") == 6,
    ),
    Term(
        "parity",
        "The tokens of a sentence in one language, divided by those of the same sentence in another, usually English. "
        "“Good morning” is 2 tokens in GPT-4o and the same in Thai is 7, so the parity is 3.5.",
        "สวัสดีตอนเช้า", "o200k_base", ("ส", "วั", "สด", "ี", "ตอน", "เช", "้า"),
        lambda: (ex.n_tokens("o200k_base", "Good morning"), ex.n_tokens("o200k_base", "สวัสดีตอนเช้า")) == (2, 7),
    ),
)  # fmt: skip
