"""What a solution is tried on: a text to train on, texts to encode, bytes to decode."""

from tokviz.core.samples import sample
from tokviz.formats.equivalence import ODD

END = "<|endoftext|>"
N_MERGES = 60


def training_text(separator: str = "\n") -> str:
    """Return what is trained on: lines of samples, each followed by a separator; many pairs occur equally often.

    At the end the separator is inside words, to show whether merges reach across it.
    """
    lines = (line for name in ("english", "python", "thai", "arithmetic") for line in sample(name)[:600].splitlines())
    return "".join(line + separator for line in lines if line.strip()) + f"lo{separator}west " * 12


PROBES = (*ODD, training_text())
# A continuation, a beginning, what no character has, characters cut short, a surrogate, a form that is too long.
MALFORMED = (b"\x80", b"\xc3", b"a\xffb", b"\xe0\xb9", b"\xf0\x9f\x98 \xe4\xbd", b"\xed\xa0\x80", b"\xc0\xaf", b"")
