"""The Languages page: parity, and the experiment with mixes."""
