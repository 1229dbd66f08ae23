"""The colours of the tokens: a token id has the same one on every page, in light and in dark."""

# Ten tints for each theme, at least 6 apart (CIEDE2000) for normal sight and simulated protanopia,
# deuteranopia and tritanopia, each at least 7:1 against the text colour; a test computes both.
PALETTE = {
    "light": (
        "#ffb6b7", "#efcda5", "#f3e697", "#d0f7d3", "#acf9f5",
        "#c9d9f5", "#cdc3ff", "#d6dfd4", "#dfcad7", "#e3fdc1",
    ),
    "dark": (
        "#674243", "#592502", "#554e0b", "#1a402a", "#165659",
        "#3d4d78", "#412f5e", "#343536", "#45213e", "#45522c",
    ),
}  # fmt: skip


def palette_css() -> str:
    """Return the style rules that give every colour class its tint in both themes."""
    rules = []
    for theme, scope in (("light", ""), ("dark", ".dark ")):
        for i, colour in enumerate(PALETTE[theme]):
            rules.append(f"{scope}.c{i} {{ --tint: {colour}; background-color: var(--tint); }}")
    return "\n".join(rules) + "\n"
