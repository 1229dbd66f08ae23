"""The process that `counting_pool` starts: it reads batches of texts from standard input and writes their counts."""

import pickle
from collections import Counter

from tokviz.system.child_process import messages_from_parent, pipe_to_parent
from tokviz.training.counting import count_texts


def main() -> None:
    """Count until the parent ends."""
    messages, pipe = messages_from_parent(), pipe_to_parent()
    for texts, split_pattern in messages:
        answer: Counter[str] | ValueError
        try:
            answer = count_texts(texts, split_pattern)
        except ValueError as e:  # the pattern does not end in time
            answer = ValueError(*e.args)
        pickle.dump(answer, pipe, pickle.HIGHEST_PROTOCOL)
        pipe.flush()


if __name__ == "__main__":
    main()
