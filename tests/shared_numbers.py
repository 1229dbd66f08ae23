"""The keeper of `tokviz.system.confined` as it is where processes may have no numbers of their own."""

import sys

from tokviz.system.confined import keeper

if __name__ == "__main__":
    keeper._take_own_process_numbers = lambda: False
    keeper.main(sys.argv[1])
