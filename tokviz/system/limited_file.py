"""A file that reads at most a given number of bytes, since a packed file may unpack to any number."""

from io import BufferedIOBase, RawIOBase
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class LimitedFile(RawIOBase):
    """A file that gives at most this many bytes; reading one more raises ValueError.

    >>> from io import BytesIO
    >>> LimitedFile(BytesIO(b"low"), 3).read()
    b'low'
    """

    def __init__(self, file: BinaryIO | BufferedIOBase, left: int) -> None:
        self.file, self.left = file, left

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read bytes into a buffer; return how many."""
        view = memoryview(buffer)
        data = self.file.read(len(view))
        self.left -= len(data)
        if self.left < 0:
            raise ValueError(
                "the files have too many bytes when unpacked: train on fewer, or on the command line, which takes any "
                "number: tokviz train"
            )
        view[: len(data)] = data
        return len(data)
