"""Computes what the audits of the pretrained tokenizers find, and writes assets/audits.json anew; takes some seconds.

Run `python tests/bench/audits.py` from the top of the repository after a change of what an audit finds.
"""

from tokviz.vocabulary.findings import PINNED, pretrained_findings_json

if __name__ == "__main__":
    PINNED.write_text(pretrained_findings_json())
