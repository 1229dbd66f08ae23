"""What the HTTP interface takes and gives, as models of pydantic, from which its description follows."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from tokviz.chats.messages import HALVES, LISTS, listed_messages

CHARACTERS_MAX = 1_000_000  # of all texts of a request
TEXTS_MAX = 10_000
IDS_MAX = 1_000_000
DEFAULT = "cl100k_base"

Text = Annotated[str, StringConstraints(max_length=CHARACTERS_MAX)]
Texts = Text | Annotated[list[Text], Field(max_length=TEXTS_MAX)]
Ids = Annotated[list[int], Field(max_length=IDS_MAX)]
Name = Annotated[str, Field(max_length=200, description="An encoding, or a model that uses it: cl100k_base, gpt-4o.")]
AllowedSpecial = Annotated[
    Literal["all"] | list[str],
    Field(description='Special tokens that the texts may hold: names, or "all". Any other is plain text.'),
]


class Request(BaseModel):
    """What every request has."""

    model_config = ConfigDict(extra="forbid")

    tokenizer: Name = DEFAULT


class CountRequest(Request):
    """Texts to count."""

    input: Annotated[Texts, Field(description="A text, or several.")]
    allowed_special: AllowedSpecial = []


class EncodeRequest(CountRequest):
    """Texts to encode."""

    offsets: Annotated[bool, Field(description="Whether to tell where each token stands in its text.")] = False


class DecodeRequest(Request):
    """Ids to decode."""

    ids: Annotated[Ids | list[Ids], Field(description="The ids of a text, or of several.")]


class CompareRequest(BaseModel):
    """A text to compare under several tokenizers."""

    model_config = ConfigDict(extra="forbid")

    input: Text
    tokenizers: Annotated[list[Name], Field(min_length=1, max_length=20)]


class ChatRequest(Request):
    """Messages to encode as the prompt of a chat."""

    messages: Annotated[
        list[dict[str, Any]],
        Field(
            max_length=1_000,
            description='Each has "role" and "content", or "from" and "value". Instead they may be "conversations", or'
            ' two lists, "prompt" and "completion".',
        ),
    ]
    format: Annotated[
        str | None, Field(description="ChatML, harmony or a template for teaching; by default the tokenizer's own.")
    ] = None
    reply: Annotated[bool, Field(description="Whether the beginning of the assistant's answer follows.")] = True

    @model_validator(mode="before")
    @classmethod
    def _listed(cls, data: object) -> object:
        """Return the request with its messages under their own key."""
        if not isinstance(data, dict) or "messages" in data or (given := listed_messages(data)) is None:
            return data
        return {key: value for key, value in data.items() if key not in (*LISTS, *HALVES, "system")} | {
            "messages": given
        }


class Offsets(BaseModel):
    """Where tokens begin and end in their text, in each of three units; a token that shares a character spans it."""

    byte_start: list[int]
    byte_end: list[int]
    char_start: list[int]
    char_end: list[int]
    utf16_start: list[int]
    utf16_end: list[int]


class Encoded(BaseModel):
    """A text in tokens."""

    n_tokens: int
    ids: list[int]
    offsets: Offsets | None = None


class EncodeReply(BaseModel):
    """The texts in tokens, in order."""

    tokenizer: str
    results: list[Encoded]


class CountReply(BaseModel):
    """How many tokens each text has, in order, and all of them."""

    tokenizer: str
    counts: list[int]
    total: int


class Decoded(BaseModel):
    """The text of ids, with U+FFFD for bytes that are not UTF-8, and its bytes in base64."""

    text: str
    bytes_base64: str


class DecodeReply(BaseModel):
    """The texts of the ids, in order."""

    tokenizer: str
    results: list[Decoded]


class Figures(BaseModel):
    """A text under one tokenizer."""

    tokenizer: str
    n_vocab: int
    n_tokens: int
    n_distinct: int
    bytes_per_token: float
    chars_per_token: float
    tokens_per_word: float | None
    unknown_share: float


class Part(BaseModel):
    """What a message has of the tokens of a chat; scaffolding is what it does not say itself."""

    role: str
    n_tokens: int
    n_scaffolding: int


class ChatReply(BaseModel):
    """A chat as the tokens that a model is given; a message that the format leaves out is null."""

    tokenizer: str
    text: str
    n_tokens: int
    ids: list[int]
    messages: list[Part | None]


class Known(BaseModel):
    """A tokenizer of the server."""

    name: str
    n_vocab: int
    split_pattern: str
    special_tokens: dict[str, int]
    models: list[str]


class Problem(BaseModel):
    """What was wrong with a request, in words."""

    error: str
