"""What the HTTP interface takes and gives, as models of pydantic, from which its description follows."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tokviz.api import fields

Text = Annotated[str, Field(max_length=fields.CHARACTERS_MAX)]
Texts = Text | Annotated[list[Text], Field(max_length=fields.TEXTS_MAX)]
Ids = Annotated[list[int], Field(max_length=fields.IDS_MAX)]
Name = Annotated[
    str,
    Field(max_length=fields.NAME_MAX, description="A tokenizer, or a model that uses it; without a name, the default."),
]
Messages = Annotated[
    Annotated[list[dict[str, Any]], Field(max_length=fields.MESSAGES_MAX)] | None, fields.or_none(fields.read_messages)
]
AllowedSpecial = Annotated[
    Literal["all"] | list[str],
    Field(description='Special tokens that the texts may hold: names, or "all". Any other is plain text.'),
]


class Request(BaseModel):
    """What every request has. Functions of `fields` read it, one text as a list of one; pydantic only describes it."""

    model_config = ConfigDict(extra="forbid")

    tokenizer: Annotated[Name, fields.read_name] = ""


class CountRequest(Request):
    """Texts to count. Together they have at most a million characters."""

    input: Annotated[Texts, Field(description="A text, or several."), fields.read_texts]
    allowed_special: Annotated[AllowedSpecial, fields.read_special_names_or_all] = []


class EncodeRequest(CountRequest):
    """Texts to encode."""

    offsets: Annotated[fields.Boolean, Field(description="Whether to add where each token is in its text.")] = False


class DecodeRequest(Request):
    """Ids to decode. Together they are at most a million, and eight megabytes of text."""

    ids: Annotated[
        Ids | Annotated[list[Ids], Field(max_length=fields.TEXTS_MAX)],
        Field(description="The ids of a text, or of several."),
        fields.read_ids_of_texts,
    ]


class CompareRequest(BaseModel):
    """A text to compare under several tokenizers; its characters count once for each."""

    model_config = ConfigDict(extra="forbid")

    input: Annotated[Text, fields.read_text]
    tokenizers: Annotated[
        list[Name], Field(min_length=1, max_length=fields.TOKENIZERS_MAX), fields.read_tokenizer_names
    ]


class ChatRequest(Request):
    """Messages to encode as the prompt of a chat."""

    messages: Annotated[Messages, Field(description='Each has "role" and "content", or "from" and "value".')] = None
    conversations: Annotated[Messages, Field(description="Messages, as data sets name them.")] = None
    prompt: Annotated[Messages, Field(description="The first messages, before a completion.")] = None
    completion: Annotated[Messages, Field(description="The messages after a prompt.")] = None
    system: Annotated[
        str | None, Field(description="What the system says, beside conversations."), fields.or_none(fields.read_text)
    ] = None
    format: Annotated[
        str | None,
        Field(description="ChatML, harmony or a template for teaching; by default the tokenizer's own."),
        fields.or_none(fields.read_name),
    ] = None
    reply: Annotated[fields.Boolean, Field(description="Whether the assistant's answer is begun.")] = True


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
    """A tokenizer of the server; of one from a file, who made it and when is null."""

    name: str
    known_as: str
    maker: str | None
    year: int | None
    licence: str | None
    n_vocab: int
    split_pattern: str | None
    special_tokens: dict[str, int]
    models: list[str]


class Problem(BaseModel):
    """What was wrong with a request, in words."""

    error: str
