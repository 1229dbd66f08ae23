"""An audit as rows, JSON, CSV or Markdown."""

import csv
import io
import json
from collections.abc import Iterable, Sequence

from tokviz.vocabulary.audit import Audit, AuditedToken

Row = dict[str, object]
SHOWN = 100  # tokens of each kind in Markdown, which is for people


def audit_rows(audit: Audit, *, every: bool = False) -> list[Row]:
    """Return a row for each candidate for under-training, or for every token.

    Bytes are in hex; what a token does not have is None.

    >>> import tokviz
    >>> from tokviz.vocabulary.audit import audit
    >>> found = audit_rows(audit(tokviz.train("low lower lowest", vocab_size=262)))
    >>> found[0]["id"], found[0]["bytes"], found[0]["signs"]
    (192, 'c0', 'no text has it')
    """
    return [_audit_row(token) for token in (audit.tokens if every else audit.candidates)]


def _audit_row(token: AuditedToken) -> Row:
    return {
        "id": token.token_id,
        "text": token.text,
        "bytes": token.token.hex(),
        "reach": token.reach.reach,
        "context": token.reach.context,
        "why": token.reach.why or None,
        "same_but_case": token.same_but_case,
        "same_but_space": token.same_but_space,
        "same_but_form": token.same_but_form,
        "absorbed_into": token.absorbed and token.absorbed.into_id,
        "left_over": token.absorbed and round(token.absorbed.left_over, 6),
        "signs": ", ".join(token.signs) or None,
    }


def as_json(audit: Audit, *, every: bool = False) -> str:
    """Return the audit as JSON: `tokenizer`, `summary`, `special_tokens` and `tokens`, as `audit_rows` gives them."""
    special = [{"id": one.token_id, "text": one.text, "plain_ids": one.plain_ids} for one in audit.special]
    result = {
        "tokenizer": audit.name,
        "summary": audit.summary,
        "special_tokens": special,
        "tokens": audit_rows(audit, every=every),
    }
    return json.dumps(result, ensure_ascii=False)


def as_csv(audit: Audit, *, every: bool = False) -> str:
    """Return the rows as CSV, without a value an empty cell."""
    file = io.StringIO()
    # Texts are quoted, or a lone carriage return in one would end a line.
    writer = csv.DictWriter(file, list(_audit_row(audit.tokens[0])), lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    writer.writerows(audit_rows(audit, every=every))
    return file.getvalue()


def as_markdown(audit: Audit) -> str:
    """Return the audit for people: the summary, and tables of the first 100 tokens with each sign.

    >>> import tokviz
    >>> from tokviz.vocabulary.audit import audit
    >>> print(as_markdown(audit(tokviz.train("low lower", vocab_size=258))).splitlines()[0])
    # Audit of trained
    """
    parts = [
        f"# Audit of {audit.name}",
        _markdown_table(("finding", "tokens"), [(name, f"{n:,}") for name, n in audit.summary.items()]),
    ]
    signs = dict.fromkeys(sign for token in audit.candidates for sign in token.signs)
    for sign in signs:
        found = [token for token in audit.candidates if sign in token.signs]
        heads = ("id", "token", "context", "why", "absorbed into")
        parts += [
            f"## {sign[0].upper()}{sign[1:]}: {len(found):,}",
            _markdown_table(heads, map(_markdown_cells, found[:SHOWN])),
        ]
    if audit.special:
        special = [
            (one.token_id, _json_code_span(one.text), " ".join(map(str, one.plain_ids)))
            for one in audit.special[:SHOWN]
        ]
        parts += ["## Special tokens as plain text", _markdown_table(("id", "token", "ids of its text"), special)]
    return "\n\n".join(parts) + "\n"


def _markdown_cells(token: AuditedToken) -> tuple[object, ...]:
    shown = _json_code_span(repr(token.token) if token.text is None else token.text)
    context = "" if token.reach.context is None or token.reach.why == "" else _json_code_span(token.reach.context)
    return token.token_id, shown, context, token.reach.why, token.absorbed.into_id if token.absorbed else ""


def _json_code_span(text: str) -> str:
    """Return a text as code in a cell of a Markdown table: as JSON, so that a line end or a control shows."""
    quoted = json.dumps(text, ensure_ascii=not text.isprintable()).replace("|", "\\|")
    fence = "``" if "`" in quoted else "`"
    return f"{fence} {quoted} {fence}" if fence == "``" else f"`{quoted}`"


def _markdown_table(heads: Sequence[str], body: Iterable[Sequence[object]]) -> str:
    lines = (heads, ["---"] * len(heads), *body)
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
