"""The time machine in a browser: what is drawn at a step, against what the package computes."""

import json
import random
import re
from itertools import pairwise

import pytest
from choosing import choose
from navigation import go_to
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect
from polling import wait_until, wait_until_idle

import tokviz
from pages.ui.merges.replays import CLASSICAL, REPLAYS, RHYME, replay_text
from tokviz.core.samples import sample
from tokviz.display.palette import colour_index
from tokviz.records.packing import pack
from tokviz.training.naive import naive_tokens, pair_counts

N_STEPS = 50
TEXT = "unbelievable ferries, the ferry 3221+2334 ที่นี่ น้ำ 你好 👩‍🍳\n\tif x:\n"
HOSTILE = (
    '<script>window.hit = 1</script><img src="http://tokviz.invalid/a.png" onerror="window.hit = 1">'
    "![x](http://tokviz.invalid/b.png) </select></textarea><svg onload=window.hit=1> \u202eabc\x00\x07"
)

# Goes to each step by the number field. Of every chip: its token's first byte, its colour, its text, its label.
DRAWN = """(root, steps) => {
  const field = root.querySelector('[name=step]');
  root.style.setProperty('--height', '60000px');
  return JSON.stringify(steps.map((step) => {
    field.value = step;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const chips = [];
    for (const run of root.querySelectorAll('.run')) {
      for (const chip of run.querySelectorAll('[data-i]')) {
        const colour = [...chip.classList].find((name) => /^c[0-9]+$/.test(name));
        chips.push([run.run.tokens.byteStarts[Number(chip.dataset.i)], colour, chip.textContent, chip.dataset.label ?? '']);
      }
    }
    return { chips, text: root.querySelector('#tokens .flow').textContent,
      tokens: root.querySelector('[data-figure=tokens]').textContent };
  }));
}"""  # noqa: E501

# The table of pairs: [sign, left and right as drawn, count, number of the merge].
TABLE = """(root) => [...root.querySelectorAll('.decision tbody tr')].map((row) => [
  row.cells[0].textContent, ...[...row.querySelectorAll('.name')].map((chip) => chip.textContent),
  Number(row.cells[2].firstChild.textContent.replace(/,/g, '')), row.cells[3].textContent,
  Boolean(row.querySelector('.tie'))])"""

PRETOKEN_ROWS = """(root) => [...root.querySelectorAll('.rows li')].map((line) => [
  line.querySelector('.goto').textContent,
  [...line.querySelectorAll('.parts .name')].map((chip) => chip.textContent),
  [...line.querySelectorAll('.gap')].map((gap) => gap.textContent)])"""


class SlowServer:
    """The server behind a socket of a page, whose messages are held back while it is slow."""

    def __init__(self, page: Page, path: str) -> None:
        self.held: list[str | bytes] = []
        self.is_slow = False
        page.route_web_socket(lambda url: url.endswith(path), self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        self.route = route
        server = route.connect_to_server()
        server.on_message(lambda message: self.held.append(message) if self.is_slow else route.send(message))

    def let_through(self) -> None:
        """Let the first message arrive that is held back."""
        self.route.send(self.held.pop(0))

    def catch_up(self) -> None:
        """Let all of them arrive, and be quick again."""
        self.is_slow = False
        while self.held:
            self.let_through()


class Machine:
    """The page under test, in the words of its user."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.root = page.locator(".machine")
        self.slider = page.get_by_role("slider")
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(
        self, text: str, tokenizer: str = "gpt2", step: int = 0, *, allow_special: bool = False, **rest: bool
    ) -> "Machine":
        """Open a link to a step of a pretrained tokenizer."""
        options = {"merges_tokenizer": tokenizer, "step": step, "allow_special": allow_special, **rest}
        packed = pack({**options, "text": text})
        self.page.goto(f"{self.address}/merges/?s={packed}")
        return self.ready(step)

    def ready(self, step: int) -> "Machine":
        expect(self.figure("step")).to_have_text(f"{step:,}", timeout=30_000)
        return self

    def replay(self, name: str) -> tokviz.Tokenizer:
        """Begin a replay; return the tokenizer that it trains."""
        text = replay_text(name)
        options = {"vocab_size": 259, "split_pattern": "none"} if name == CLASSICAL else {
            "vocab_size": 293 if name == "Rhyme" else 556, "min_count": 2}  # fmt: skip
        self.train(name)
        self.shows(text)
        tokenizer = tokviz.train(text, **options)
        expect(self.figure("of")).to_have_text(f"of {len(tokenizer.merge_tokens)} merges made")
        self.slider.press("Home")  # it plays
        return tokenizer

    def train(self, name: str) -> None:
        """Press the button of a replay."""
        self.page.get_by_text("Train one and watch").click()
        self.page.get_by_test_id("stPopoverBody").get_by_role("button", name=name, exact=True).click()

    def figure(self, name: str):
        return self.root.locator(f"[data-figure={name}]")

    def step(self) -> int:
        return int(self.figure("step").inner_text().replace(",", ""))

    def type(self, step: int) -> None:
        self.root.locator("[name=step]").fill(str(step))

    def answered(self) -> None:
        """Wait until the server has answered for the step on view and the pretoken zoomed in on."""
        expect(self.root.locator("[aria-busy=true]")).to_have_count(0, timeout=15_000)

    def shows(self, text: str) -> None:
        """Wait for a text."""
        expect(self.root.locator("#tokens .flow")).to_have_js_property("textContent", text, timeout=20_000)

    def button(self, name: str):
        return self.root.get_by_role("button", name=name, exact=True)

    def draws(
        self, text: str, tokenizer: tokviz.Tokenizer, steps: list[int], *, allowed_special: str | tuple[str, ...] = ()
    ) -> None:
        """Go to each step, and compare what is drawn with `encode` under the vocabulary cut to that step."""
        self.root.evaluate("root => root.style.setProperty('--height', '60000px')")
        n_undrawn = "root => [...root.querySelectorAll('.block')].filter((node) => !node.block.drawn).length"
        wait_until(self.page, lambda: self.root.evaluate(n_undrawn) == 0)
        for step, drawn in zip(steps, json.loads(self.root.evaluate(DRAWN, steps)), strict=True):
            cut = tokenizer.truncated(step)
            spans = tokviz.token_spans(cut, cut.encode(text, allowed_special=allowed_special))
            assert drawn["text"] == text
            assert drawn["tokens"] == f"{len(spans):,}"
            byte_starts = spans.byte_starts.tolist()
            special = set(tokenizer.special_tokens.values())  # drawn as such, without a colour
            colours = {
                start: None if token_id in special else f"c{colour_index(cut.token_bytes(token_id))}"
                for start, token_id in zip(byte_starts, spans.ids.tolist(), strict=True)
            }
            assert {(start, colour) for start, colour, _, _ in drawn["chips"]} == set(colours.items())
            small = {start for start, _, _, label in drawn["chips"] if label}
            whole: dict[int, str] = {}
            for start, _, chip, label in drawn["chips"]:
                if not label:
                    whole[start] = whole.get(start, "") + chip
            for i, start in enumerate(byte_starts):
                if start not in small and not spans.partial[i]:
                    assert whole[start] == text[spans.char_starts[i] : spans.char_ends[i]]
        assert not self.errors


@pytest.fixture
def machine(page: Page, app_address: str) -> Machine:
    return Machine(page, app_address)


def shown(token: bytes) -> str:
    """Return a token as a chip shows it: its text, or its bytes where it is no whole character."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return token.hex(" ")


def test_every_replay_draws_what_encode_gives(machine):
    machine.open(TEXT)
    rng = random.Random(1)
    for name in REPLAYS:
        tokenizer = machine.replay(name)
        text = replay_text(name)
        n_merges = len(tokenizer.merge_tokens)
        steps = list(range(n_merges + 1)) if n_merges < N_STEPS else rng.sample(range(n_merges + 1), N_STEPS)
        machine.draws(text, tokenizer, steps)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_pretrained_tokenizers_draw_what_encode_gives(machine, name):
    tokenizer = tokviz.load(name)
    n_merges = len(tokenizer.merge_tokens)
    machine.open(TEXT, name, 100)
    rng = random.Random(2)
    machine.draws(TEXT, tokenizer, [0, 1, n_merges, *(int(n_merges ** rng.random()) for _ in range(12))])


def test_special_tokens_are_whole_from_the_start_where_they_are_allowed(machine):
    gpt2 = tokviz.load("gpt2")
    text = f"<|endoftext|>{TEXT}<|endoftext|><|endoftex"
    machine.open(text, "gpt2", 100, allow_special=True)
    machine.draws(text, gpt2, [0, 1, 300, 50_000], allowed_special="all")
    special = machine.root.locator("#tokens .special")
    expect(special).to_have_text(["<|endoftext|>", "<|endoftext|>"])
    special.first.hover()
    expect(machine.root.locator(".described")).to_contain_text("a special token, whole from the start")
    special.first.click()
    expect(machine.root.locator(".worked")).to_contain_text("no merge makes it")
    machine.page.get_by_text("Change the text").click()
    machine.page.get_by_role("button", name="More", exact=True).click()
    machine.page.get_by_text("Special tokens", exact=True).click()
    expect(special).to_have_count(0)
    machine.draws(text, gpt2, [0, 300, 50_000])


def test_the_table_of_pairs_is_a_naive_count(machine):
    machine.open(TEXT)
    tokenizer = machine.replay("English")
    pretokens = tokenizer.pretokens(sample("english"))
    for step in [0, *random.Random(3).sample(range(300), 3)]:
        machine.type(step)
        machine.answered()
        cut = tokenizer.truncated(step)
        counts = pair_counts([cut.encode(pretoken) for pretoken in pretokens])
        best = sorted(counts.items(), key=lambda item: -item[1])[:9]
        rows = machine.root.evaluate(TABLE)
        assert [row[1:4] for row in rows] == [
            [shown(tokenizer.token_bytes(left)), shown(tokenizer.token_bytes(right)), count]
            for (left, right), count in best
        ]
        assert [row[0] for row in rows] == ["▶", *[""] * 8]
        assert rows[0][4] == f"{step + 1:,}"
        tied = sum(count == best[0][1] for count in counts.values())
        assert [row[5] for row in rows] == [tied > 1 and count == best[0][1] for _, count in best]


def test_the_decision_of_a_pretrained_tokenizer_says_that_its_ranks_are_from_elsewhere(machine):
    gpt2 = tokviz.load("gpt2")
    machine.open("the other", "gpt2", 2)
    machine.answered()
    left, right = gpt2.merge_pair(2)
    rows = machine.root.evaluate(TABLE)
    assert rows[0][:5] == ["▶", shown(left), shown(right), 2, "3"]
    expect(machine.root.locator(".choose-words")).to_contain_text("learned elsewhere")
    expect(machine.root.locator(".just")).to_contain_text(re.compile(r"merge 2: .*a → .*a, nowhere in this text"))
    expect(machine.root.locator(".soon-words")).to_contain_text("merge 3: h + e → he, 2 times in this text")


def test_the_tie_of_the_classical_example_is_told(machine):
    machine.open(TEXT)
    machine.replay(CLASSICAL)
    machine.button("Make this merge").click()
    machine.answered()
    rows = machine.root.evaluate(TABLE)
    assert rows[0][1:] == ["aa", "a", 2, "2", True]
    assert rows[1][1:] == ["a", "b", 2, "not learned", True]
    assert rows[2][1:] == ["b", "d", 1, "not learned", False]
    expect(machine.root.get_by_text("Not learned: other merges used up its parts first.")).to_be_visible()
    expect(machine.root.locator(".choose-words")).to_contain_text("2 pairs are tied for first, with 2 each")
    assert machine.root.locator(".run .made").all_inner_texts() == ["aa", "aa"]
    assert machine.root.locator(".run .soon").all_inner_texts() == ["aa", "a", "aa", "a"]
    machine.page.get_by_text("About the tie").click()
    expect(machine.page.get_by_text("Z = aa:  ZabdZabac").first).to_be_visible()
    expect(machine.page.get_by_text("X = ZY:  XdXac")).to_be_visible()
    machine.page.keyboard.press("Escape")
    # Whoever guesses the pair that the textbook takes is right, in the table as below it.
    machine.page.get_by_text("Let me guess").click()
    machine.button("a + b").click()
    expect(machine.root.locator(".verdict")).to_have_text(re.compile("^Right: a \\+ b ties for first"))
    assert [row[0] for row in machine.root.evaluate(TABLE)] == ["▶", "✓", *[""] * 4]


def test_the_zoom_shows_the_rows_of_the_naive_encoder(machine):
    gpt2 = tokviz.load("gpt2")
    machine.open(TEXT, "gpt2", 50_000)
    machine.root.locator("#tokens .t", has_text="ries").first.click()
    machine.answered()
    expect(machine.root.locator("[name=pretoken]")).to_have_value(str(TEXT.index(" ferries")))
    rows = machine.root.evaluate(PRETOKEN_ROWS)
    ranks = gpt2.mergeable_ranks
    merges = [int(row[0].removeprefix("merge ").replace(",", "")) - 1 for row in rows[:-1]]
    for (_, parts, gaps), merge in zip(rows, merges, strict=False):
        made = int(gpt2.merge_ids[merge])
        assert parts == [shown(part) for part in naive_tokens(b" ferries", ranks, below=made)]
        wanted = [ranks.get((a + b).encode()) for a, b in pairwise(parts)]
        numbers = [None if rank is None else gpt2.merge_rank(rank) for rank in wanted]
        assert gaps == ["–" if number is None else f"{number + 1:,}" for number in numbers]
        assert merge == min(number for number in numbers if number is not None)
    assert rows[-1][0] == "done"
    assert rows[-1][1] == [shown(part) for part in naive_tokens(b" ferries", ranks)]
    assert machine.root.locator(".result .tree").count() == len(rows[-1][1])
    # The rows and the trees name the same merges.
    in_trees = machine.root.locator(".result .tree small").all_inner_texts()
    assert sorted(in_trees) == sorted(row[0] for row in rows[:-1])
    # A row leads to its step.
    machine.root.get_by_role("button", name=f"merge {merges[0] + 1:,}", exact=True).click()
    assert machine.step() == merges[0] + 1


def test_a_pretoken_is_picked_from_the_list_and_says_why_its_tokens_stayed_apart(machine):
    machine.open(TEXT, "gpt2", 500)
    words = machine.root.locator("[name=pretoken]")
    words.select_option("unbelievable")
    machine.answered()
    expect(machine.root.locator(".rows li").last.locator(".name")).to_have_text(["un", "bel", "iev", "able"])
    expect(machine.root.locator(".apart")).to_have_count(3)
    expect(machine.root.locator(".apart").first).to_contain_text("stayed apart: ")
    n_marked = machine.root.locator(".run .pretoken").count()
    assert n_marked >= 4
    history = tokviz.trace(tokviz.load("gpt2"), TEXT)
    inside = sorted({int(rank) + 1 for rank in history.gaps[: len("unbelievable") - 1] if rank >= 0})
    machine.type(0)
    for wanted in inside[:3]:
        machine.button("Next merge").click()
        assert machine.step() == wanted
    machine.button("Previous merge").click()
    assert machine.step() == inside[1]


def test_keys_buttons_and_the_number_field_go_to_steps(machine):
    machine.open(TEXT, "gpt2", 100)
    history = tokviz.trace(tokviz.load("gpt2"), TEXT)
    n_merges = 50_000
    machine.slider.focus()
    for key, wanted in [
        ("ArrowRight", 101), ("ArrowUp", 102), ("ArrowLeft", 101), ("Shift+ArrowRight", 111), ("PageDown", 101),
        ("PageUp", 111), ("End", n_merges), ("ArrowRight", n_merges), ("Home", 0), ("ArrowLeft", 0),
    ]:  # fmt: skip
        machine.page.keyboard.press(key)
        assert machine.step() == wanted
        assert machine.slider.get_attribute("aria-valuenow") == str(wanted)
    changes = sorted({int(rank) + 1 for rank in history.gaps if rank >= 0})
    for wanted in changes[:3]:
        machine.button("Next change").click()
        assert machine.step() == wanted
    machine.button("Previous change").click()
    assert machine.step() == changes[1]
    machine.button("To the end: all merges made").click()
    machine.button("One merge less").click()
    assert machine.step() == n_merges - 1
    machine.type(31_234)
    assert machine.step() == 31_234
    machine.type(99_999_999)
    assert machine.step() == n_merges
    machine.slider.focus()
    expect(machine.root.locator("[name=step]")).to_have_value(str(n_merges))


def test_play_goes_from_change_to_change_and_stops(machine):
    machine.open(TEXT)
    machine.replay(CLASSICAL)
    machine.root.get_by_label("Speed", exact=True).select_option("20 a second")
    machine.slider.focus()
    machine.page.keyboard.press("Space")
    expect(machine.figure("step")).to_have_text("3")
    expect(machine.button("Play")).to_be_visible()
    machine.root.get_by_label("Speed", exact=True).select_option("1 a second")
    machine.button("Play").click()  # from the end it begins anew
    wait_until(machine.page, lambda: machine.step() < 3)
    machine.button("Pause").click()
    expect(machine.button("Play")).to_be_visible()
    assert machine.step() < 3


@pytest.mark.own_context
def test_the_page_behind_the_socket_stops_no_play_of_the_replay_it_has_begun(machine):
    server = SlowServer(machine.page, "/_stcore/stream")
    machine.open(TEXT, "gpt2", 100)
    wait_until_idle(machine.page)
    server.is_slow = True
    machine.train(CLASSICAL)
    expect(machine.figure("of")).to_have_text("of 3 merges made")
    machine.type(0)
    machine.root.get_by_label("Speed", exact=True).select_option("20 a second")
    machine.button("Play").click()
    expect(machine.figure("step")).to_have_text("3")
    server.catch_up()
    wait_until_idle(machine.page)
    assert machine.step() == 3
    # A replay that is begun once more plays from the beginning, though neither text nor tokenizer is another one.
    machine.root.get_by_label("Speed", exact=True).select_option("1 a second")
    machine.train(CLASSICAL)
    machine.ready(0)
    expect(machine.button("Pause")).to_be_visible()


def test_pointing_at_the_curve_shows_a_step_and_a_drag_keeps_it(machine):
    machine.open(TEXT, "gpt2", 100)
    box = machine.root.locator(".plot").bounding_box()
    y = box["y"] + box["height"] / 2
    machine.page.mouse.move(box["x"] + box["width"] * 0.75, y)
    pointed = machine.step()
    assert pointed == pytest.approx(50_001**0.75 - 1, rel=0.02)
    expect(machine.figure("tokens")).to_have_text(f"{len(tokviz.trace(tokviz.load('gpt2'), TEXT).tokens_at(pointed))}")
    machine.page.mouse.move(box["x"] + 20, box["y"] - 60)
    assert machine.step() == 100
    machine.page.mouse.move(box["x"] + box["width"] * 0.3, y)
    machine.page.mouse.down()
    machine.page.mouse.move(box["x"] + box["width"] * 0.5, y)
    machine.page.mouse.up()
    machine.page.mouse.move(box["x"] + 20, box["y"] - 60)
    assert machine.step() == pytest.approx(50_001**0.5 - 1, rel=0.02)


def test_a_pinned_step_marks_the_boundaries_that_differ(machine):
    gpt2 = tokviz.load("gpt2")
    text = "the ferry and the other ferries there"
    history = tokviz.trace(gpt2, text)
    machine.open(text, "gpt2", 40)
    machine.button("Compare with this step").click()
    for step, sign in ((4000, "pinned-only"), (3, "now-only")):
        machine.type(step)
        differ = set(history.tokens_at(step)) ^ set(history.tokens_at(40))
        assert differ
        assert machine.root.locator(f".run .{sign}").count() == len(differ)
        expect(machine.root.locator(".compare")).to_contain_text(f"{len(differ)} boundar")
    machine.button("Stop comparing with step 40").click()
    assert machine.root.locator(".run .now-only, .run .pinned-only").count() == 0


def test_a_step_is_shared_and_survives_a_reload_and_a_change_of_page(machine, browser: Browser):
    machine.open(TEXT)
    machine.replay("Chinese")
    machine.slider.focus()
    for _ in range(4):
        machine.page.keyboard.press("PageUp")
    machine.answered()
    machine.page.get_by_role("button", name="Share").click()
    address = machine.page.get_by_test_id("stDialog").locator("pre code").text_content()
    assert "/merges" in address
    other = Machine(browser.new_page(), machine.address)
    other.page.goto(address)
    other.ready(40)
    assert other.root.locator("#tokens .flow").text_content() == sample("chinese")
    other.answered()
    # The link leaves the training counts out; the page knows the training text again, and another from it.
    assert other.root.evaluate(TABLE) == machine.root.evaluate(TABLE)
    expect(other.root.locator(".count-words")).to_contain_text("the tokenizer's training text")
    other.page.get_by_text("Change the text").click()
    editor = other.page.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    editor.press_sequentially("你")
    expect(other.root.locator(".choose-words")).to_contain_text("no longer known")
    other.page.close()
    machine.page.keyboard.press("Escape")
    machine.page.reload()
    machine.ready(40)
    machine.shows(sample("chinese"))
    go_to(machine.page, "Compare")
    go_to(machine.page, "Merges")
    machine.ready(40)


def test_typing_changes_the_text_at_the_same_step(machine):
    machine.open("before", "gpt2", 30)
    machine.page.get_by_text("Change the text").click()
    machine.page.get_by_label("Text", exact=True).fill("the ferry, after")
    machine.shows("the ferry, after")
    assert machine.step() == 30
    tokens = tokviz.trace(tokviz.load("gpt2"), "the ferry, after").tokens_at(30)
    expect(machine.figure("tokens")).to_have_text(str(len(tokens)))


def next_pair(tokenizer: tokviz.Tokenizer, text: str, step: int) -> tuple[tuple[int, int], dict[tuple[int, int], int]]:
    """Return the pair that training on a text merges after so many merges, and the count of every pair."""
    cut = tokenizer.truncated(step)
    counts = pair_counts([cut.encode(pretoken) for pretoken in tokenizer.pretokens(text)])
    return max(counts, key=counts.get), counts


def test_the_next_merge_is_hidden_and_guessed_in_the_table_in_the_text_and_by_key(machine):
    machine.open(TEXT)
    tokenizer, text = machine.replay("English"), sample("english")
    verdict, streak = machine.root.locator(".verdict"), machine.root.locator(".streak")
    machine.page.get_by_text("Let me guess").click()
    candidates = machine.root.locator("button.pick")
    expect(candidates).to_have_count(6)

    def words(pair: tuple[int, int]) -> str:
        return " + ".join(shown(tokenizer.token_bytes(part)) for part in pair)

    # Nothing gives the next merge away.
    best, counts = next_pair(tokenizer, text, 0)
    names = candidates.all_inner_texts()
    assert words(best) in names and names == sorted(names)
    soon = machine.root.locator(".run .soon")
    expect(soon).to_have_count(0)
    expect(machine.root.locator(".soon-words")).to_be_empty()
    expect(machine.root.locator(".worked")).to_be_hidden()
    expect(machine.root.locator(".decision .number").filter(visible=True)).to_have_count(0)

    wrong = next(pair for pair, count in counts.items() if words(pair) in names and count < counts[best])
    candidates.nth(names.index(words(wrong))).click()
    expect(verdict).to_have_text(
        f"No: {words(wrong)} occurs {counts[wrong]} times, {words(best)} {counts[best]} times."
    )
    expect(streak).to_be_empty()
    assert soon.first.evaluate("node => getComputedStyle(node).outlineStyle") == "dashed"
    machine.page.keyboard.press("Enter")
    machine.ready(1)
    # Nor does a token that was just made and is joined next.
    made = machine.root.locator(".run .made").evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node).outlineStyle)"
    )
    assert made and set(made) == {"solid"}
    expect(soon).to_have_count(0)

    # Two neighbours in the text make a pair.
    expect(candidates).to_have_count(6)
    best, counts = next_pair(tokenizer, text, 1)
    ids = tokenizer.truncated(1).encode(text)
    at = list(pairwise(ids)).index(best)
    machine.root.locator("#tokens [data-i]").nth(at).click()
    machine.root.locator("#tokens [data-i]").nth(at + 1).click()
    expect(verdict).to_have_text(f"Right: {words(best)} occurs most often, {counts[best]} times.")
    expect(streak).to_have_text("1 in a row")
    machine.button("Next pair").click()
    machine.ready(2)

    expect(candidates).to_have_count(6)
    names, (best, _) = candidates.all_inner_texts(), next_pair(tokenizer, text, 2)
    machine.page.keyboard.press(str(names.index(words(best)) + 1))
    expect(streak).to_have_text("2 in a row")
    machine.page.keyboard.press("Enter")
    machine.ready(3)
    machine.button("Show me").click()
    best, counts = next_pair(tokenizer, text, 3)
    expect(verdict).to_have_text(f"{words(best)} occurs most often, {counts[best]} times.")
    expect(streak).to_have_text("2 in a row")
    machine.page.reload()
    machine.ready(3)
    expect(candidates).to_have_count(6)
    expect(streak).to_have_text("2 in a row")


@pytest.mark.own_context
def test_a_merge_that_is_asked_for_before_its_candidates_are_here_is_shown_once_they_are(machine):
    server = SlowServer(machine.page, "/live")
    machine.open(TEXT)
    tokenizer, text = machine.replay("English"), sample("english")
    machine.page.get_by_text("Let me guess").click()
    expect(machine.root.locator("button.pick")).to_have_count(6)
    server.is_slow = True
    machine.slider.press("PageUp")
    k = machine.step()
    machine.button("Show me").click()
    verdict = machine.root.locator(".verdict")
    expect(verdict).to_contain_text("Pick a pair")
    server.catch_up()
    best, counts = next_pair(tokenizer, text, k)
    expect(verdict).to_contain_text(f"{counts[best]} times")


def test_a_pair_that_only_the_server_can_count_is_told_apart_too(machine):
    machine.open(TEXT)
    tokenizer, text = machine.replay("English"), sample("english")
    machine.page.get_by_text("Let me guess").click()
    expect(machine.root.locator("button.pick")).to_have_count(6)
    counts = next_pair(tokenizer, text, 0)[1]
    pairs = enumerate(pairwise(tokenizer.truncated(0).encode(text)))
    at, pair = next((at, pair) for at, pair in pairs if counts.get(pair) == 1)
    machine.root.locator("#tokens [data-i]").nth(at + 1).click()
    machine.root.locator("#tokens [data-i]").nth(at).click()
    left, right = (shown(tokenizer.token_bytes(part)) for part in pair)
    expect(machine.root.locator(".verdict")).to_contain_text(f"No: {left} + {right} occurs once")
    machine.button("Next pair").click()
    machine.ready(1)
    # A space begins another pretoken.
    at = tokenizer.truncated(1).encode(text).index(ord(" ")) - 1
    machine.root.locator("#tokens [data-i]").nth(at).click()
    machine.root.locator("#tokens [data-i]").nth(at + 1).click()
    expect(machine.root.locator(".verdict")).to_contain_text("different pretokens")


def test_of_a_pretrained_tokenizer_the_next_merge_that_changes_the_text_is_guessed(machine):
    gpt2 = tokviz.load("gpt2")
    text = "the other unbelievable"
    ranks = sorted({int(rank) for rank in tokviz.trace(gpt2, text).gaps if rank >= 0})
    step = next(here + 1 for here, after in pairwise(ranks) if after > here + 1)  # some merges then change nothing
    after = ranks[ranks.index(step - 1) + 1]
    machine.open(text, "gpt2", step, predicting=True)
    candidates = machine.root.locator("button.pick")
    expect(candidates).not_to_have_count(0)
    pair = " + ".join(map(shown, gpt2.merge_pair(after)))
    names = candidates.all_inner_texts()
    candidates.nth((names.index(pair) + 1) % len(names)).click()
    expect(machine.root.locator(".verdict")).to_contain_text(
        re.compile(rf"No: .*{re.escape(pair)},? merge {after + 1:,}")
    )
    assert machine.root.locator(".run .soon").all_inner_texts() == list(map(shown, gpt2.merge_pair(after)))
    machine.button("Next pair").click()
    machine.ready(after + 1)
    machine.button("Show me").click()
    expect(machine.root.locator(".verdict")).to_contain_text("the lowest number of all pairs here")


def test_pointing_at_a_boundary_says_why_its_tokens_stay_apart(machine):
    machine.open("the ferry, low", "gpt2", 50_000)
    machine.answered()
    chips, tip = machine.root.locator("#tokens [data-i]"), machine.root.locator(".why-apart")

    def point_at_the_start_of(i: int) -> None:
        box = chips.nth(i).bounding_box()
        machine.page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)

    at = chips.all_inner_texts().index(",")
    point_at_the_start_of(at)
    expect(tip).to_have_text("Never merged: another pretoken: merges never cross the boundary between two.")
    tip_box, chip_box = tip.bounding_box(), chips.nth(at).bounding_box()
    assert 0 <= tip_box["y"] - chip_box["y"] - chip_box["height"] < 20
    machine.page.mouse.move(0, 0)
    expect(tip).to_be_hidden()
    # By the keys, at a step where a merge is still to come; and nothing while the next merge is hidden.
    machine.type(0)
    closes = int(tokviz.trace(tokviz.load("gpt2"), "the ferry, low").gaps[0]) + 1
    machine.root.locator("#tokens").press("ArrowRight")
    expect(tip).to_have_text(f"Not merged yet: merge {closes:,} will join them.")
    machine.page.get_by_text("Let me guess").click()
    expect(machine.root.locator("button.pick")).not_to_have_count(0)
    point_at_the_start_of(1)
    expect(tip).to_be_hidden()


def test_a_streak_makes_a_card_with_a_link_to_the_same_puzzle(machine, browser: Browser):
    machine.open(TEXT)
    machine.replay("Rhyme")
    machine.page.get_by_text("Let me guess").click()
    share = machine.button("Share your streak")
    for step, pair in enumerate(("h + e", "t + he", "the + r")):
        expect(share).to_be_hidden()
        machine.button(pair).click()
        if step < 2:
            machine.button("Next pair").click()
            machine.ready(step + 1)
    share.click()
    dialog = machine.page.get_by_test_id("stDialog")
    expect(dialog.get_by_text("3 in a row")).to_be_visible()
    address = dialog.locator("code").text_content().split()[-1]
    other = Machine(browser.new_page(), machine.address)
    other.page.goto(address)
    other.ready(0)
    other.shows(RHYME)
    expect(other.root.locator("button.pick")).to_have_count(6)
    other.page.close()


def is_low_in_sight(timeline: Locator) -> bool:
    box = timeline.bounding_box()
    return box["y"] > 300 and box["y"] + box["height"] <= timeline.page.viewport_size["height"]


def test_presented_the_page_takes_keys_and_keeps_its_timeline_in_sight(machine):
    machine.open("the ferry and the other", "gpt2", 2)
    timeline = machine.root.locator("section.timeline")
    for scrolled in (0, 10**6):
        machine.page.evaluate("top => scrollTo(0, top)", scrolled)
        wait_until(machine.page, lambda: is_low_in_sight(timeline))
    machine.page.get_by_role("button", name="Present").click()
    expect(machine.page.get_by_role("button", name="Leave")).to_be_visible()
    machine.page.locator("body").press("ArrowRight")
    machine.ready(3)
    machine.page.get_by_text("Let me guess").click()
    expect(machine.root.locator("button.pick")).not_to_have_count(0)
    machine.page.locator("body").press("ArrowRight")
    expect(machine.button("Next pair")).to_be_visible()
    assert machine.step() == 3
    machine.page.locator("body").press("ArrowRight")
    wait_until(machine.page, lambda: machine.step() > 3)
    machine.page.get_by_text("Let me guess").click()
    machine.root.locator("[name=speed]").select_option("20 a second")
    machine.root.locator(".counts").click()
    machine.page.locator("body").press("Space")
    wait_until(machine.page, lambda: machine.step() > 20)


def test_a_replay_is_chosen_on_this_page_alone_and_offered_everywhere(machine):
    machine.open(TEXT)
    machine.replay("Thai")
    go_to(machine.page, "Playground")
    picker = machine.page.get_by_role("combobox", name="Tokenizer", exact=True)
    expect(picker).to_have_value("GPT-4 · cl100k_base")
    picker.click()
    expect(machine.page.get_by_role("option", name="Trained on Thai")).to_be_visible()
    machine.page.keyboard.press("Escape")
    go_to(machine.page, "Merges")
    expect(machine.page.get_by_role("combobox", name="Tokenizer")).to_have_value("Trained on Thai")
    machine.page.get_by_role("button", name="More", exact=True).click()
    machine.page.get_by_role("button", name="Use it in the playground").click()
    expect(machine.page.get_by_text("The other pages use “Trained on Thai” too.")).to_be_visible()
    go_to(machine.page, "Playground")
    expect(picker).to_have_value("Trained on Thai")


def edited(machine: Machine, text: str, keys: list[tuple[int, int, str]]) -> str:
    """Make edits (start, removed, inserted) as fast as they come; return the text."""
    machine.page.get_by_text("Change the text").click()
    editor = machine.page.get_by_label("Text", exact=True)
    expect(editor).to_have_value(text)
    expect(editor).to_be_visible()
    for start, removed, inserted in keys:
        editor.evaluate("(area, [start, end]) => { area.focus(); area.setSelectionRange(start, end); }",
                        [start, start + removed])  # fmt: skip
        if inserted:
            machine.page.keyboard.insert_text(inserted)
        else:
            machine.page.keyboard.press("Delete")
        text = text[:start] + inserted + text[start + removed :]
    machine.shows(text)
    return text


def test_every_step_of_an_edited_text_is_what_encode_gives(machine):
    text = "the ferry ที่นี่\nand 3221 + 2334, <|endoftext|>\n" * 20  # no character beyond UTF-16's first 65,536
    machine.open(text, "gpt2", 300, allow_special=True)
    rng = random.Random(5)
    keys, length = [], len(text)
    for inserted in ["x", "นี่", "", " the\n", "", "<|endoftext|>", "你好", "", "<", "5"]:
        start, removed = rng.randrange(length - 9), rng.randrange(9) if inserted else 1
        keys.append((start, removed, inserted))
        length += len(inserted) - removed
    text = edited(machine, text, keys)
    assert machine.step() == 300
    machine.draws(text, tokviz.load("gpt2"), [0, 1, 300, 5_000, 50_000], allowed_special="all")


@pytest.mark.own_context
def test_a_text_is_shown_as_old_until_its_history_is_here(machine):
    server = SlowServer(machine.page, "/live")
    machine.open("the ferry", "gpt2", 300)
    machine.answered()
    machine.page.get_by_text("Change the text").click()
    editor = machine.page.get_by_label("Text", exact=True)
    # A server that is slow from earlier on sends no text to edit, and nothing that shows the editor.
    expect(editor).to_be_editable()
    expect(editor).to_be_visible()
    server.is_slow = True
    editor.press("End")
    machine.page.keyboard.type("x")
    scroller, worked = machine.root.locator("#tokens"), machine.root.locator(".worked")
    expect(scroller).to_have_attribute("aria-busy", "true")
    wait_until(machine.page, lambda: server.held)
    server.let_through()
    expect(scroller).to_have_attribute("aria-busy", "false")
    expect(scroller.locator(".flow")).to_have_text("the ferryx")
    # The rows of the pretoken and the table are still of the text before.
    expect(worked).to_have_attribute("aria-busy", "true")
    expect(machine.root.locator(".decision")).to_have_attribute("aria-busy", "true")
    wait_until(machine.page, lambda: server.held)
    server.catch_up()
    machine.answered()


@pytest.mark.own_context
def test_what_is_typed_while_the_connection_is_cut_is_shown_at_the_same_step_once_it_is_back(machine):
    routes = []
    is_cut = False

    def connect(route) -> None:
        if is_cut:
            route.close(code=1001)
            return
        route.connect_to_server()
        routes.append(route)

    machine.page.route_web_socket(lambda url: url.endswith("/live"), connect)
    machine.open("two unbelievable words", "gpt2", 300)
    machine.answered()
    machine.page.get_by_text("Change the text").click()
    editor = machine.page.get_by_label("Text", exact=True)
    expect(editor).to_be_editable(timeout=15_000)
    is_cut = True
    routes[-1].close(code=1001)
    editor.press("Home")
    machine.page.keyboard.type("the ")
    machine.type(400)
    is_cut = False
    text = "the two unbelievable words"
    machine.shows(text)
    machine.answered()
    assert machine.step() == 400
    expect(machine.root.locator("[name=pretoken] option:checked")).to_have_text("␣unbelievable")
    machine.draws(text, tokviz.load("gpt2"), [0, 400])


def test_a_long_text_and_a_step_out_of_range_are_cut_to_what_there_is(machine):
    packed = pack({"tokenizer": "gpt2", "step": 10**12, "text": "ab " * 40_000})
    machine.page.goto(f"{machine.address}/merges/?s={packed}")
    machine.ready(50_000)
    expect(machine.root.locator(".notice")).to_have_text(
        "The text has 120,000 characters; the page shows the first 100,000."
    )
    assert len(machine.root.locator("#tokens .flow").text_content()) == 100_000


def test_an_edit_and_another_tokenizer_keep_the_place_and_the_pretoken(machine):
    text = "the first line\n" * 60 + "unbelievable\n" + "the last line\n" * 60
    machine.page.set_viewport_size({"width": 1280, "height": 1800})  # what is out of sight has a height by guess
    machine.open(text, "gpt2", 50_000)
    scroller = machine.root.locator("#tokens")
    machine.root.locator("[name=pretoken]").select_option("unbelievable")
    machine.answered()
    chip = machine.root.locator("#tokens .pretoken").first

    def top() -> float:
        return chip.bounding_box()["y"] - scroller.bounding_box()["y"]

    third = scroller.bounding_box()["height"] / 3
    wait_until(machine.page, lambda: top() == pytest.approx(third, abs=10))
    assert scroller.evaluate("node => node.scrollTop") > 300
    machine.page.get_by_text("Change the text").click()
    editor = machine.page.get_by_label("Text", exact=True)
    editor.press("Control+Home")
    editor.press_sequentially("X")
    machine.shows("X" + text)
    wait_until(machine.page, lambda: top() == pytest.approx(third, abs=40))
    expect(machine.root.locator("[name=pretoken] option:checked")).to_have_text("unbelievable")
    machine.page.evaluate("scrollTo(0, 0)")  # a list that is open closes when the page scrolls
    choose(machine.page.get_by_label("Tokenizer", exact=True), "GPT-4 · cl100k_base")
    expect(machine.figure("of")).to_have_text("of 100,000 merges made")
    machine.answered()
    expect(machine.root.locator("[name=pretoken] option:checked")).to_have_text("unbelievable")
    expect(machine.root.locator(".rows li").last.locator(".name")).not_to_have_count(0)


# Shows the chosen pretoken, then scrolls to the beginning as a reader does; says where the text was, and is some frames
# later.
SCROLLED_AWAY = """async (node, input) => {
  node.getRootNode().querySelector('[name=pretoken]').dispatchEvent(new Event('change', { bubbles: true }));
  const shown = node.scrollTop;
  node.dispatchEvent(new Event(input));
  node.scrollTop = 0;
  for (let i = 0; i < 12; i++) await new Promise(requestAnimationFrame);
  return [shown, node.scrollTop];
}"""


def test_a_reader_who_scrolls_is_not_taken_back(machine):
    text = "\n".join(f"line {n} of a text that has many" for n in range(60)) + "\nunbelievable\n" + "more\n" * 60
    machine.open(text, "gpt2", 50_000)
    machine.root.locator("[name=pretoken]").select_option("unbelievable")
    machine.answered()
    for event in ("wheel", "pointerdown"):
        shown, later = machine.root.locator("#tokens").evaluate(SCROLLED_AWAY, event)
        assert shown > 300 and later == 0


def test_a_key_goes_on_from_the_step_that_is_pointed_at(machine):
    machine.open(TEXT, "gpt2", 100)
    box = machine.root.locator(".plot").bounding_box()
    y = box["y"] + box["height"] / 2
    machine.slider.focus()
    machine.page.mouse.move(box["x"] + box["width"] * 0.75, y)
    pointed = machine.step()
    assert pointed > 1000
    machine.page.keyboard.press("ArrowRight")
    assert machine.step() == pointed + 1
    machine.page.mouse.move(box["x"] + box["width"] * 0.75 + 1, y)
    assert machine.step() == pointed + 1
    machine.page.mouse.move(box["x"] + box["width"] * 0.25, y)
    assert machine.step() < 100


def test_play_ends_where_another_text_or_tokenizer_comes(machine):
    machine.open(TEXT)
    machine.root.locator("[name=speed]").select_option("20 a second")
    machine.button("Play").click()
    wait_until(machine.page, lambda: machine.step() > 20)
    choose(machine.page.get_by_label("Tokenizer", exact=True), "GPT-4 · cl100k_base")
    expect(machine.button("Play")).to_be_visible()
    expect(machine.figure("of")).to_have_text("of 100,000 merges made")
    machine.replay("Thai")
    expect(machine.button("Play")).to_be_visible()
    assert machine.step() == 0


@pytest.mark.parametrize("width", [1280, 380])
def test_the_page_never_scrolls_sideways(machine, width):
    machine.page.set_viewport_size({"width": width, "height": 900})
    machine.open(TEXT, "gpt2", 50_000)
    machine.answered()
    assert machine.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_without_text_or_merges_the_page_says_what_to_do(machine):
    machine.open("a")
    machine.page.get_by_text("Change the text").click()
    machine.page.get_by_label("Text", exact=True).fill("")
    expect(machine.page.get_by_text("There is no text.")).to_be_visible()
    machine.page.get_by_label("Text", exact=True).fill("the")
    expect(machine.root.locator("#tokens .flow")).to_have_text("the")


def test_hostile_text_stays_text(machine):
    hosts = set()
    machine.page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    machine.open(HOSTILE, "cl100k_base", 3000)
    for name in machine.root.locator("[name=pretoken] option").all_inner_texts()[:6]:
        machine.root.locator("[name=pretoken]").select_option(name)
        machine.answered()
    assert machine.root.locator("#tokens .flow").text_content() == HOSTILE
    assert machine.page.evaluate("window.hit") is None
    assert hosts == {machine.address.split("/")[2]}
