"""A file that ends in a refusal after so many bytes, for one that unpacks to no one knows how many.

In: a binary file. Out: the same bytes, or a ValueError.
"""

from io import RawIOBase
from typing import BinaryIO


class LimitedFile(RawIOBase):
    """A file of which so many bytes may be read; one more is a ValueError.

    >>> from io import BytesIO
    >>> LimitedFile(BytesIO(b"low"), 3).read()
    b'low'
    """

    def __init__(self, file: BinaryIO, left: int) -> None:
        self.file, self.left = file, left

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: bytearray) -> int:
        """Read bytes into a buffer; return how many."""
        data = self.file.read(len(buffer))
        self.left -= len(data)
        if self.left < 0:
            raise ValueError(
                "the files have too many bytes, unpacked: train on fewer of them, or on the command line, which takes "
                "any number: python -m tokviz train"
            )
        buffer[: len(data)] = data
        return len(data)
