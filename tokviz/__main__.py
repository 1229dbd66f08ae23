"""`python -m tokviz`: the command line."""

import sys

from tokviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
