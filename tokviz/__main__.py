"""The command `tokviz`, and `python -m tokviz`."""

import signal
import sys


def main() -> int:
    """Run the command line and return its exit code; an interrupt while its modules are imported ends it quietly."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tokviz import cli

    cli.command_modules(sys.argv[1] if sys.argv[1:] else cli.WITHOUT_ARGUMENTS[0])
    signal.signal(signal.SIGINT, before)
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
