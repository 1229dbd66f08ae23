"""What an audit says of how texts produce a token, held against the tokenizer."""

from tokviz.vocabulary.reach import ALONE, IN_CONTEXT, NEVER, NOT_FOUND


def assert_contexts(tokenizer, found, *, own_texts_differ=True):
    """Try the context of each token. own_texts_differ: also that one with a context is not its own text's token."""
    for token_id, one in found.items():
        assert (one.context is None) == (one.reach in (NEVER, NOT_FOUND))
        if one.reach == ALONE:
            assert tokenizer.encode(one.context) == [token_id]
        elif one.reach == IN_CONTEXT:
            assert token_id in tokenizer.encode(one.context)
            if own_texts_differ:
                assert tokenizer.encode(tokenizer.decode([token_id])) != [token_id]
