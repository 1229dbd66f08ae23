"""A process that counts: batches of texts with a split pattern come in, the counts of each go out.

In, out: pickles, by standard input and output (see `child_process`). Started by `counting_pool`; to `counting` it adds
nothing.
"""

import pickle

from tokviz.system.child_process import messages_from_parent, pipe_to_parent
from tokviz.training.counting import count_texts


def main() -> None:
    """Count until the parent ends."""
    messages, pipe = messages_from_parent(), pipe_to_parent()
    for texts, split_pattern in messages:
        try:
            answer = count_texts(texts, split_pattern)
        except ValueError as e:  # of a pattern that does not end in time
            answer = ValueError(*e.args)
        pickle.dump(answer, pipe, pickle.HIGHEST_PROTOCOL)
        pipe.flush()


if __name__ == "__main__":
    main()
