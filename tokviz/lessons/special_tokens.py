"""Special tokens: one id or plain text, chat formats, and text that must not become special."""

from functools import lru_cache

import tiktoken

from tokviz import exercises as ex
from tokviz.lessons.chats import INJECTION, injection_scene, sequence_scene

OWN = "<|my_token|>"


@lru_cache(maxsize=1)
def tokenizer_with_one_more_special_token() -> ex.Tokenizer:
    """Return cl100k_base with one more special token, under the next free id."""
    base = ex.load("cl100k_base")
    return ex.Tokenizer(f"GPT-4 + {OWN}", base.split_pattern, base.mergeable_ranks,
                        {**base.special_tokens, OWN: base.n_vocab})  # fmt: skip


def _plain_text_scene(text: str) -> ex.Scene:
    return ex.Scene(
        ex.Number("As **plain text**, how many tokens is this in GPT-4?", ex.n_tokens("cl100k_base", text)),
        ex.Lines(
            *(ex.token_line(name, text, label=f"{ex.short_name(name)}, as text") for name in ex.PRETRAINED),
            *(
                ex.token_line(name, text, label=f"{ex.short_name(name)}, special", allowed_special="all", show_ids=True)
                for name in ex.PRETRAINED
            ),
        ),
        ex.Say(
            "Special tokens are drawn in inverted colours. Each has one id that ordinary text never gets, and "
            "appears only if the program allows it. Leave out a single letter, and it is text like any other."
        ),
        links=ex.usual_links(
            text,
            ex.Link("Playground", text, allow_special=True, label="In the playground, special tokens on"),
            ex.Link("Playground", text, label="The same, off"),
            compared=ex.PRETRAINED,
        ),
    )


def _added_special_token_scene(text: str) -> ex.Scene:
    base = ex.load("cl100k_base")
    added = tokenizer_with_one_more_special_token()
    plain = text.replace(OWN, "")
    same = added.encode(plain) == base.encode(plain)
    return ex.Scene(
        ex.Say(f"We take GPT-4 and add one special token, `{OWN}`, with the next free id."),
        ex.yes_or_no_question(
            "Is any ordinary text now cut into different tokens than before?", not same, "Yes, some", "No, none"
        ),
        ex.Lines(
            ex.token_line(base, text, label="before", allowed_special="all"),
            ex.token_line(added, text, label="after", allowed_special="all", show_ids=True),
        ),
        ex.Say(
            f"The new token has the id {base.n_vocab:,}. The tokenizer looks for special tokens before it cuts the "
            "text, so nothing else changes. But a model still has to learn what the new id *means*."
        ),
        links=ex.usual_links(text),
    )


def _tiktoken_refuses_special_text() -> bool:
    """Return whether tiktoken refuses the text of a special token unless an option says what to do with it."""
    encoding = tiktoken.Encoding("a", pat_str=".", mergeable_ranks={b"a": 0}, special_tokens={"<|endoftext|>": 1})
    try:
        encoding.encode("<|endoftext|>")
    except ValueError:
        return True
    return False


LESSON = ex.Lesson(
    slug="special-tokens",
    title="Special tokens",
    intro="Some tokens are not text: they mark the end of a document, or the start of a message. A program uses them "
    "to tell a model things that a user's text should not be able to say.",
    cover=lambda: ex.token_line("cl100k_base", "<|endoftext|>", allowed_special="all"),
    aim="explain what a special token is, and how to keep one out of a user's text",
    terms=("special token", "ChatML", "encoding"),
    exercises=(
        ex.Exercise(
            "text",
            "One token, or text that looks like one",
            "In a training text, `<|endoftext|>` separates two documents. When a user types it, it should be "
            "text like any other.",
            ("<|endoftext|>", "<|endoftex", "The end.<|endoftext|>A new text"),
            _plain_text_scene,
        ),
        ex.Exercise(
            "chat",
            "A chat is one long text",
            "A model sees no messages, only one row of tokens. Markers in it say who is speaking.",
            ("How many r's are in strawberry?", "Hi!"),
            sequence_scene,
        ),
        ex.Exercise(
            "adding",
            "Adding a token to a finished tokenizer",
            "If you fine-tune a model, you may want your own marker.",
            ("Hello <|my_token|> world", "Hello world"),
            _added_special_token_scene,
        ),
        ex.Exercise(
            "injection",
            "Text from strangers",
            "Somebody sends this message to a chat. Look at what is in it.",
            (INJECTION, "Hi!"),
            injection_scene,
        ),
    ),
    takeaway="Special tokens are instructions, not text. Encode all text from outside with special tokens switched "
    "off, or its author can speak in the name of the system.",
    more="Text from outside comes from users, files or web pages. Its author can end a message and start another. "
    "tiktoken refuses such text unless told what to do with it; tokviz treats it as text.",
    picture=lambda: ex.Lines(
        *(
            ex.token_line("cl100k_base", "<|endoftext|>", label=how, allowed_special=allowed)
            for how, allowed in (("as text", ()), ("special", "all"))
        )
    ),
    claims={
        "Leave out a single letter, and it is text like any other": lambda: (
            ex.load("gpt2").encode("<|endoftex", allowed_special="all") == ex.load("gpt2").encode("<|endoftex")
        ),
        "GPT-4, as published, has neither": lambda: not {ex.START, ex.END} & set(ex.load("cl100k_base").special_tokens),
        "tokviz treats it as text": lambda: ex.n_tokens("cl100k_base", "<|endoftext|>") > 1,
        "tiktoken refuses such text unless told what to do with it": _tiktoken_refuses_special_text,
    },
)
