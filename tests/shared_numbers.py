"""The keeper of `confinement` as it is where processes may have no numbers of their own."""

import sys

from tokviz.system import confinement

if __name__ == "__main__":
    confinement._take_own_process_numbers = lambda: False
    confinement.main(sys.argv[1])
