"""The colours of the tokens, in light and in dark; `assets/shared/colours.js` says which token has which."""

# Ten tints for each theme, at least 6 apart (CIEDE2000) for normal sight and simulated protanopia, deuteranopia and
# tritanopia, each at least 7:1 against the text colour. Opposite ones, five places apart, are at least 12 apart, for
# side by side they tell a token from the next. A test computes all three.
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
    """Return the style rules that give every colour class its tint in both themes, and with `pale` half of it."""
    rules = []
    for theme, scope in (("light", ""), ("dark", ".dark ")):
        for i, colour in enumerate(PALETTE[theme]):
            pale = f"color-mix(in srgb, {colour} 50%, var(--ground))"
            rules.append(f"{scope}.c{i} {{ background-color: {colour}; }}")
            rules.append(f"{scope}.c{i}.pale {{ background-color: {pale}; }}")
    return "\n".join(rules) + "\n"
