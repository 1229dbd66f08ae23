"""What the HTTP interface takes and gives, as models of pydantic, from which its description follows."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tokviz.api.fields import AllowedSpecial, IdsOfTexts, Messages, Name, Names, Text, Texts


class StrictRequest(BaseModel):
    """What holds for every request: no other fields, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Request(StrictRequest):
    """What nearly every request has."""

    tokenizer: Annotated[
        Name, Field(description="A tokenizer, or a model that uses it; without a name, the default.")
    ] = ""


class CountRequest(Request):
    """Texts to count. Together they have at most a million characters."""

    input: Annotated[Texts, Field(description="A text, or several.")]
    allowed_special: Annotated[
        AllowedSpecial,
        Field(description='Special tokens that the texts may hold: names, or "all". Any other is plain text.'),
    ] = []


class EncodeRequest(CountRequest):
    """Texts to encode."""

    offsets: Annotated[bool, Field(description="Whether to add where each token is in its text.")] = False


class DecodeRequest(Request):
    """Ids to decode. Together they are at most a million, and eight megabytes of text."""

    ids: Annotated[IdsOfTexts, Field(description="The ids of a text, or of several.")]


class CompareRequest(StrictRequest):
    """A text to compare under several tokenizers; its characters count once for each."""

    input: Text
    tokenizers: Names


class ChatRequest(Request):
    """Messages to encode as the prompt of a chat."""

    messages: Annotated[Messages | None, Field(description='Each has "role" and "content", or "from" and "value".')] = (
        None
    )
    conversations: Annotated[Messages | None, Field(description="Messages, as data sets name them.")] = None
    prompt: Annotated[Messages | None, Field(description="The first messages, before a completion.")] = None
    completion: Annotated[Messages | None, Field(description="The messages after a prompt.")] = None
    system: Annotated[Text | None, Field(description="What the system says, beside conversations.")] = None
    format: Annotated[
        Name | None,
        Field(description="ChatML, harmony or a template for teaching; by default the tokenizer's own."),
    ] = None
    reply: Annotated[bool, Field(description="Whether the assistant's answer is begun.")] = True


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
