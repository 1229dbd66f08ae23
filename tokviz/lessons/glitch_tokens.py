"""The exercise on glitch tokens: those that no text has, and those that a merge nearly always takes up."""

from tokviz import exercises as ex

SHOWN = 4
FINDINGS = ("never", "only in context", "absorbed")


def longest_absorbed_words_and_absorbers(name: str) -> list[tuple[str, str]]:
    """Return the longest tokens of a tokenizer that a merge took nearly all of, each with the token it became part of.

    >>> longest_absorbed_words_and_absorbers("gpt2")[0]
    ('cloneembedreportprint', 'rawdownloadcloneembedreportprint')
    """
    tokenizer = ex.load(name)
    order = tokenizer.merge_tokens
    place = {token: i for i, token in enumerate(order)}
    tokens = tokenizer.tokens_bytes(ex.stored_findings(name).ids_with("absorbed").tolist())
    words = [token for token in tokens if token.decode(errors="replace").strip().isalpha()]
    longest = sorted(words, key=lambda token: (-len(token.decode()), place[token]))[:SHOWN]
    into = (next(each for each in order[place[token] + 1 :] if token in each) for token in longest)
    return [(token.decode(), longer.decode(errors="replace")) for token, longer in zip(longest, into, strict=True)]


def glitch_scene(text: str) -> ex.Scene:
    """Return the scene of a tokenizer's name: how many of its tokens no text can produce.

    Raises ValueError for one that no audit is kept of.
    """
    name = ex.load(text.strip()).name
    if name not in ex.PRETRAINED:
        names = ", ".join(map(ex.short_name, ex.PRETRAINED))
        raise ValueError(f"{ex.short_name(name)} has not been audited for this exercise; choose {names}")
    counts = {each: ex.stored_findings(each).counts for each in ex.PRETRAINED}
    pairs = longest_absorbed_words_and_absorbers(name)
    return ex.Scene(
        ex.Number(
            f"How many tokens of {ex.short_name(name)} can **no text** ever produce? (Within 5 is close enough.)",
            counts[name]["never"],
            near=5,
        ),
        ex.Table(
            ("tokenizer", "in no text", "only in longer texts", "nearly always merged"),
            tuple((ex.short_name(each), *(found[finding] for finding in FINDINGS)) for each, found in counts.items()),
            asked=ex.short_name(name),
        ),
        ex.Table(
            ("token", "nearly always part of"),
            tuple((ex.text_with_visible_spaces(token), ex.text_with_visible_spaces(longer)) for token, longer in pairs),
            code=("token", "nearly always part of"),
        ),
        ex.Say(
            "A model never, or hardly ever, sees such a token, and nobody knows what it does when somebody sends "
            "one. These are called *glitch tokens*."
        ),
        ex.Say(
            "Bytes that never occur in UTF-8 are tokens, too. Other tokens were only steps: the next merge nearly "
            "always makes them part of a longer one.",
            detail=True,
        ),
        links=ex.usual_links(
            pairs[0][0],
            *(
                ex.Link("Vocabulary", pairs[0][0], name, search=(("finding", finding),), label=label)
                for finding, label in (
                    ("never", "See the tokens that no text has"),
                    ("absorbed", "See those that merges absorb"),
                )
            ),
            tokenizer=name,
            compared=ex.PRETRAINED,
        ),
    )
