"""Results kept while they are used: what counts as use."""

from tokviz.system import recent


def test_what_is_looked_up_is_used(monkeypatch):
    now = 0
    monkeypatch.setattr(recent.time, "monotonic", lambda: now)
    results = recent.Recent(maxsize=2)
    for key in "ab":
        results.kept_or_made_result(key, lambda key=key: key * 2)
    now = 50
    assert results.known_result("a") == "aa" and results.known_result("c") is None
    now = 100
    results.forget_unused(60)
    assert results.known_result("a") == "aa" and results.known_result("b") is None
    results.kept_or_made_result("b", lambda: "bb")
    results.known_result("a")
    results.kept_or_made_result("c", lambda: "cc")  # the one unused for longest makes room
    assert results.known_result("a") == "aa" and results.known_result("b") is None
