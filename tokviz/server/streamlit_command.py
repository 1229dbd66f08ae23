"""Streamlit's command in a process that an interrupt ends without a traceback, even while it imports its modules.

Run as a file, so that nothing else of the package is imported first.
"""

import runpy
import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the server handles interrupts, and after it has closed
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
