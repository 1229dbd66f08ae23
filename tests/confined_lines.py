"""What a confined process runs in tests: Python, a line at a time."""

import os
import sys


def main():
    for line in sys.stdin:
        exec(line, globals())
        os.write(1, b"done\n")
