"""What two documents share at their beginning, in characters and in tokens, and what a prompt cache keeps of that."""

from typing import Any

from tokviz import AnyTokenizer, SharedPrefix
from tokviz.live.document import Document, State
from tokviz.live.look import PLAIN, Look
from tokviz.live.tokens import TokenFollower
from tokviz.live.views.seams.seams_view import SeamsView, data_of_token_stretch
from tokviz.seams.shared_prefix import shared_prefix_of_spans
from tokviz.text.words import quantity

UNITS_MAX = 200_000  # UTF-16 units of each text
BEFORE, BEHIND = 12, 60  # tokens shown on both sides of where the shared ones end


class TwoTextsView(SeamsView):
    """Two documents under one tokenizer of any family; a cache keeps or drops `block` tokens together."""

    section = "two texts"

    def __init__(
        self, before: Document, after: Document, tokenizer: AnyTokenizer, *, block: int = 1, look: Look = PLAIN
    ) -> None:
        super().__init__((before, after), tokenizer, look=look)
        self.block = block
        self.followers = tuple(
            TokenFollower(document, tokenizer, allowed_special=look.allowed_special, units_max=UNITS_MAX)
            for document in (before, after)
        )

    def read_documents(self) -> tuple[State, ...]:
        """Take both texts as they are now."""
        states = tuple(follower.catch_up() for follower in self.followers)
        self.waits = any(follower.waits for follower in self.followers)
        return states

    def shared_prefix(self) -> SharedPrefix:
        """Return what the texts share, as they were followed last."""
        return shared_prefix_of_spans(*(each.spans() for each in self.followers), block=self.block)

    def reply_data(self, *, whole: bool) -> dict[str, Any]:
        """Return the figures, both texts around where the shared tokens end, and what they say in words."""
        shared = self.shared_prefix()
        lines = []
        for follower, n_lost in zip(self.followers, (shared.n_lost, 0), strict=True):
            n_tokens = len(follower.tokens)
            around = data_of_token_stretch(
                follower, max(shared.n_tokens - BEFORE, 0), min(shared.n_tokens + BEHIND, n_tokens)
            )
            lines.append(
                {
                    "stretch": self.stretch_with_marks(around),
                    "shared": shared.n_tokens,
                    "lost": shared.n_tokens + n_lost,
                }
            )
        notices = [each.problem or each.notice_if_cut_short("this page is about") for each in self.followers]
        return {
            "counts": {
                "characters": shared.n_chars,
                "tokens": shared.n_tokens,
                "lost": shared.n_lost,
                "cached": shared.n_cached,
                "computed": shared.n_computed,
            },
            "lines": lines,
            "words": shared_prefix_sentences(shared, self.block),
            "notice": " ".join(filter(None, dict.fromkeys(notices))) or None,
        }


def shared_prefix_sentences(shared: SharedPrefix, block: int) -> list[str]:
    """Return in sentences what two texts share; none if one is empty.

    >>> shared_prefix_sentences(SharedPrefix(14, 4, 13, 5, 5, 1, 4), 1)[0]
    'The texts begin with the same 14 characters, but share only 4 tokens, which end at character 13.'
    """
    if not shared.n_before or not shared.n_after:
        return []
    if shared.char_end > shared.n_chars:
        characters, tokens = quantity(shared.n_chars, "character"), quantity(shared.n_tokens, "token")
        same = "everything that is not in the vocabulary becomes the same unknown token."
        words = [f"The texts share {characters}, but {tokens}: {same}"]
    elif shared.n_tokens == shared.n_before == shared.n_after:
        words = [f"Both texts are the same: {quantity(shared.n_tokens, 'token')}."]
    elif not shared.n_chars:
        words = ["The texts differ from their first character on, so they share no token."]
    elif shared.char_end < shared.n_chars:
        end = "ends" if shared.n_tokens == 1 else "end"
        begins = f"but share only {quantity(shared.n_tokens, 'token')}, which {end} at character {shared.char_end:,}."
        if not shared.n_tokens:
            begins = "but share no token."
        words = [f"The texts begin with the same {quantity(shared.n_chars, 'character')}, {begins}"]
    else:
        tokens = quantity(shared.n_tokens, "token")
        words = [f"The texts begin with the same {quantity(shared.n_chars, 'character')}, in {tokens}."]
    if shared.n_lost:
        are = "The next token is" if shared.n_lost == 1 else f"The next {shared.n_lost:,} tokens are"
        words.append(f"{are} in the shared text too, but the second text cuts it differently.")
    blocks = "" if block == 1 else f" in whole blocks of {block:,} tokens"
    others = f"{'the other ' if shared.n_cached else 'all '}{shared.n_computed:,}"
    words.append(
        f"A prompt cache that holds the first text{blocks} saves {quantity(shared.n_cached, 'token')} of the second; "
        f"{others} {'is' if shared.n_computed == 1 else 'are'} computed."
    )
    return words
