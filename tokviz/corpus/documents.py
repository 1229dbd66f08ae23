"""The documents of a data set: texts, prompts with their completions, and chats, told apart by the keys of their lines.

Lines of all three kinds may stand in one file.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from tokviz.chats.messages import LISTS, messages_of, raw_messages_in_record
from tokviz.chats.prompt import Message
from tokviz.core.batch import groups_reaching_cost
from tokviz.core.patterns import short_repr
from tokviz.corpus.corpus import Corpus, json_object_on_line, text_under_key

BATCH = 2**16  # characters: some twentieths of a second of work
MESSAGE_COST = 100  # characters that take about as long as the markup of a message
BATCH_DOCUMENTS = 1_000


@dataclass(frozen=True)
class PromptPair:
    """A prompt and its completion, which are encoded each on its own."""

    prompt: str
    completion: str


@dataclass(frozen=True)
class Chat:
    """The messages of a chat."""

    messages: tuple[Message, ...]


Document = str | PromptPair | Chat


class PlacedDocument(NamedTuple):
    """A document and its place: its file, and its line, counted from 1."""

    file: str
    line: int
    document: Document


def document_on_line(line: str, text_key: str = "text") -> Document:
    """Return the document on a line of JSON; ValueError with the reason if there is none.

    It is the text under `text_key`, else the chat under "messages" or "conversations", else the "prompt" and its
    "completion", which are a chat if they are lists of messages; a key whose value is null counts as absent.

    >>> document_on_line('{"prompt": "2+2=", "completion": "4"}')
    PromptPair(prompt='2+2=', completion='4')
    >>> document_on_line('{"messages": [{"role": "user", "content": "Hi!"}]}').messages[0].content
    'Hi!'
    """
    record = json_object_on_line(line)
    if record.get(text_key) is not None:
        return text_under_key(record, text_key)
    if (given := raw_messages_in_record(record)) is not None:
        if not isinstance(given, list) or not given:
            key = next((key for key in LISTS if record.get(key) is not None), "prompt")
            raise ValueError(f"{key!r} is not a list of messages: {short_repr(given)}")
        return Chat(tuple(messages_of(given)))
    if record.get("prompt") is not None and record.get("completion") is not None:
        return PromptPair(text_under_key(record, "prompt"), text_under_key(record, "completion"))
    keys = f"{text_key!r}, or 'messages', or 'conversations', or 'prompt' and 'completion'"
    raise ValueError(f"lacks the key {keys}; its keys are {short_repr(list(record))}")


def document_texts(document: Document) -> list[str]:
    """Return the texts of a document: a text, a prompt and its completion, or what each message says."""
    if isinstance(document, str):
        return [document]
    if isinstance(document, PromptPair):
        return [document.prompt, document.completion]
    return [message.content for message in document.messages]


def documents_with_places(corpus: Corpus) -> Iterator[PlacedDocument]:
    """Yield the documents of files, each with its place; a .txt file is one document, held in memory as a whole.

    >>> list(documents_with_places(Corpus.of_bytes({"a.jsonl": b'{"text": "low"}', "b.txt": b"lower"})))
    [PlacedDocument(file='a.jsonl', line=1, document='low'), PlacedDocument(file='b.txt', line=1, document='lower')]
    """
    for file, line, found in corpus.records(partial(document_on_line, text_key=corpus.text_key)):
        yield PlacedDocument(file, line, found if isinstance(found, Document) else "".join(found))


def document_batches(documents: Iterable[PlacedDocument]) -> Iterator[list[PlacedDocument]]:
    """Yield the documents in lists of up to a thousand that take as long as some 65,000 characters in all."""
    return groups_reaching_cost(
        documents, BATCH, lambda placed: counting_cost_in_characters(placed.document), n_max=BATCH_DOCUMENTS
    )


def n_characters(document: Document) -> int:
    """Return how many characters the texts of a document have."""
    return sum(map(len, document_texts(document)))


def counting_cost_in_characters(document: Document) -> int:
    """Return how many characters of text take about as long to count as a document does."""
    n_messages = len(document.messages) if isinstance(document, Chat) else 0
    return n_characters(document) + MESSAGE_COST * n_messages
