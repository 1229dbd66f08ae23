// The time machine: a text at any step of its merges, and how one goes through them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, click, point, pointAway, press, until, window } from "./window.js";
import { live, serverOf, settled, shown, tokensOf } from "./shown.js";

const PAGE = { session: "this one", shows: ["gpt2", 1], step: 0, step_version: 0, predicting: false, presenting: false };
const TEXT = "the ferry and the other ferries there";
const CLASSICAL = "aaabdaaabac";

async function opened(text = TEXT, options = {}, data = {}) {
  const server = await serverOf("history", text, options);
  const name = options.merges === undefined ? "gpt2" : "trained";
  const machine = await live("time_machine", server, { ...PAGE, shows: [name, 1], ...data });
  await until(() => !machine.find(".view").classList.contains("unready"));
  await settled();
  return machine;
}

const stepOf = (machine) => Number(machine.words("[data-figure=step]")[0].replaceAll(",", ""));

async function goTo(machine, step) {
  choose(machine.find("[name=step]"), String(step));
  await settled();
}

/** Wait until the server has said all of the step on view. */
async function answered(machine) {
  await until(() => !machine.find(".decision").classList.contains("waiting"));
  await settled();
}

/** What is drawn: the texts of the tokens in order. */
const drawn = (machine) => machine.all(".run [data-i]").map((chip) => chip.textContent);

test("keys, buttons and the number field go to steps", async () => {
  const machine = await opened(TEXT, {}, { step: 100 });
  const slider = machine.find(".slider");
  assert.equal(stepOf(machine), 100);
  slider.focus();
  for (const [key, wanted, shiftKey] of [
    ["ArrowRight", 101], ["ArrowUp", 102], ["ArrowLeft", 101], ["ArrowRight", 111, true], ["PageDown", 101], ["PageUp", 111],
    ["ArrowDown", 110], ["End", 50_000], ["ArrowRight", 50_000], ["Home", 0], ["ArrowLeft", 0],
  ]) {
    assert.ok(press(slider, key, { shiftKey }), key);
    assert.deepEqual([stepOf(machine), slider.getAttribute("aria-valuenow")], [wanted, String(wanted)], key);
  }
  assert.ok(machine.button("One merge less").disabled && machine.button("Previous change").disabled);
  const seen = [];
  for (let n = 0; n < 3; n++) {
    click(machine.button("Next change"));
    seen.push([stepOf(machine), drawn(machine).join("|")]);
  }
  for (const [step, tokens] of seen) assert.equal(tokens, (await tokensOf(`gpt2@${step}`, TEXT)).map(({ piece }) => piece).join("|"));
  click(machine.button("Previous change"));
  assert.equal(stepOf(machine), seen[1][0]);
  click(machine.button("To the end: all merges made"));
  assert.ok(machine.button("One merge more").disabled && machine.button("Next change").disabled);
  assert.ok(!machine.button("One merge less").disabled && !machine.button("Previous change").disabled);
  click(machine.button("One merge less"));
  assert.equal(stepOf(machine), 49_999);
  click(machine.button("One merge more"));
  click(machine.button("To the beginning: no merge made"));
  assert.equal(stepOf(machine), 0);
  await goTo(machine, 31_234);
  assert.equal(stepOf(machine), 31_234);
  await goTo(machine, 99_999_999);
  assert.equal(stepOf(machine), 50_000);
  machine.find("[name=step]").dispatchEvent(new window.Event("blur"));
  assert.equal(machine.find("[name=step]").value, "50000");
});

test("every step shows the tokens that its merges make, and their figures", async () => {
  const machine = await opened(`${TEXT} ที่นี่ 👩‍🍳\n`);
  for (const step of [0, 5, 300, 4000, 50_000]) {
    await goTo(machine, step);
    const tokens = await tokensOf(`gpt2@${step}`, `${TEXT} ที่นี่ 👩‍🍳\n`);
    assert.deepEqual(machine.words("[data-figure=tokens]"), [String(tokens.length)]);
    assert.equal(machine.find("#tokens .flow").textContent, `${TEXT} ที่นี่ 👩‍🍳\n`);
    const bytes = Buffer.byteLength(`${TEXT} ที่นี่ 👩‍🍳\n`);
    assert.deepEqual(machine.words("[data-figure=ratio]"), [(bytes / tokens.length).toFixed(2)]);
    const count = `${tokens.length} tokens`;
    assert.ok(machine.find(".slider").getAttribute("aria-valuetext").includes(count));
  }
});

test("a pinned step marks the boundaries that differ, and is let go", async () => {
  const machine = await opened(TEXT, {}, { step: 40 });
  const ends = async (step) => {
    let at = 0;
    return new Set((await tokensOf(`gpt2@${step}`, TEXT)).map(({ piece }) => at += piece.length));
  };
  click(machine.button("Compare with this step"));
  const pinned = await ends(40);
  for (const [step, sign] of [[4000, "pinned-only"], [3, "now-only"]]) {
    await goTo(machine, step);
    const now = await ends(step);
    const differ = [...new Set([...pinned, ...now])].filter((end) => pinned.has(end) !== now.has(end)).length;
    assert.equal(machine.all(`.run .${sign}`).length, differ);
    assert.ok(machine.find(".compare").textContent.includes(`${differ} boundar`));
  }
  assert.ok(!machine.find(".line.pin").hidden);
  click(machine.button("Stop comparing with step 40"));
  assert.equal(machine.all(".run .now-only, .run .pinned-only").length, 0);
  assert.ok(machine.find(".compare").hidden && machine.find(".line.pin").hidden);
});

test("play goes from change to change, stops at the end, begins anew from there and pauses", async ({ mock }) => {
  const machine = await opened(CLASSICAL, { merges: 3 });
  mock.timers.enable({ apis: ["setInterval"] });
  choose(machine.find("[name=speed]"), "20");
  const slider = machine.find(".slider");
  slider.focus();
  press(slider, " ");
  assert.equal(machine.button("Pause").dataset.do, "play");
  const steps = [];
  for (let n = 0; n < 4; n++) {
    mock.timers.tick(50);
    steps.push(stepOf(machine));
  }
  assert.deepEqual(steps, [1, 2, 3, 3]);
  assert.equal(machine.button("Play").dataset.do, "play");
  choose(machine.find("[name=speed]"), "1");
  click(machine.button("Play"));
  assert.equal(stepOf(machine), 0);
  mock.timers.tick(999);
  assert.equal(stepOf(machine), 0);
  mock.timers.tick(1);
  assert.equal(stepOf(machine), 1);
  click(machine.button("Pause"));
  mock.timers.tick(5_000);
  assert.equal(stepOf(machine), 1);
});

test("a page may have it played from a step on, once, and what is guessed waits until it ends", async ({ mock }) => {
  mock.timers.enable({ apis: ["setInterval"] });
  const machine = await opened(CLASSICAL, { merges: 3 }, { step: 1, plays: true, predicting: true });
  assert.equal(machine.button("Pause").dataset.do, "play");
  assert.ok(machine.find(".question").hidden);
  mock.timers.tick(250);
  assert.equal(stepOf(machine), 2);
  click(machine.button("Pause"));
  assert.ok(!machine.find(".question").hidden);
  await machine.show({ plays: true });
  assert.equal(machine.button("Play").dataset.do, "play");
  await machine.show({ step: 0, step_version: 1, predicting: false });
  mock.timers.tick(250);
  assert.equal(stepOf(machine), 1);
  await machine.show({ plays: false, predicting: true });
  assert.ok(machine.button("Play") && !machine.find(".question").hidden);
});

test("what is merged last is ringed and what comes next is dashed, in the text and in words", async () => {
  const machine = await opened(CLASSICAL, { merges: 3 });
  assert.match(machine.find(".just").textContent, /^nothing yet/);
  await answered(machine);
  assert.equal(machine.find(".soon-words").textContent, "merge 1: a + a → aa, 2 times in this text");
  assert.deepEqual(drawn(machine), [...CLASSICAL]);
  click(machine.button("One merge more"));
  await answered(machine);
  assert.equal(machine.find(".just").textContent, "merge 1: a + a → aa, 2 times in this text");
  assert.deepEqual(machine.words(".run .made"), ["aa", "aa"]);
  await goTo(machine, 3);
  assert.equal(machine.find(".soon-words").textContent, "nothing: all merges are made");
  assert.ok(!machine.find(".run .soon"));
});

test("the decision counts, chooses and merges, over the training text", async () => {
  const machine = await opened(CLASSICAL, { merges: 3 });
  await answered(machine);
  assert.match(machine.find(".count-words").textContent, /^\d+ different pairs in the tokenizer's training text\.$/);
  const [chosen] = machine.all(".decision tbody tr");
  assert.deepEqual([...chosen.cells].map(({ textContent }) => textContent), ["▶", "a + a", "4", "1"]);
  assert.deepEqual([...new Set(machine.words(".decision .unlearned"))], ["not learned"]);
  assert.equal(machine.find(".why-unlearned").textContent, "Other merges use up the parts first: a + b");
  assert.equal(chosen.className, "chosen");
  assert.match(machine.find(".choose-words").textContent, /^a \+ a, the most frequent pair: 4 times\./);
  assert.match(machine.find(".merge-words").textContent, /^every a \+ a becomes aa\. This text goes from 11 to 9 tokens\. Three of these/);
  click(machine.button("Make this merge"));
  assert.equal(stepOf(machine), 1);
  await answered(machine);
  assert.equal(machine.all(".decision .tie").length, 2);
  assert.match(machine.find(".choose-words").textContent, /^2 pairs are tied for first, with 2 each\. The one that comes first in the text wins: aa \+ a\.$/);
  assert.ok(machine.find(".step-choose").classList.contains("tied")); // which is shown to a room, too
  await goTo(machine, 3);
  await answered(machine);
  assert.match(machine.find(".choose-words").textContent, /Training ended here/);
  assert.ok(machine.find(".merge-it").hidden);
  assert.ok(machine.find(".key.corpus").hidden); // its curve is that of this text
});

test("where languages take turns, a merge is named with the one it was chosen for, and why", async () => {
  const server = await serverOf("history", "กากา low", { in_turns: true });
  const machine = await live("time_machine", server, { ...PAGE, shows: ["trained", 1] });
  await until(() => machine.find(".machine:not(.unready)"));
  await answered(machine);
  assert.match(machine.find(".soon-words").textContent, /^merge 1 \(for Thai\): /);
  assert.match(machine.find(".choose-words").textContent, /^for Thai, which pays most: \d+ tokens for the same sentences, English \d+\. /);
  click(machine.button("One merge more"));
  await answered(machine);
  assert.match(machine.find(".just").textContent, /^merge 1 \(for Thai\): /);
  assert.match(machine.find(".slider").getAttribute("aria-valuetext"), /, the last one for Thai$/);
  assert.ok(!machine.find(".key.corpus").hidden);
});

test("elsewhere it is not the counts that decide", async () => {
  const machine = await opened(TEXT);
  await answered(machine);
  assert.match(machine.find(".choose-words").textContent, /^These merges were learned elsewhere.* Merge \d+ is /);
  assert.match(machine.find(".count-words").textContent, /But these counts do not decide\.$/);
});

test("a word is seen from near, merge by merge, and another one once it is clicked", async () => {
  const machine = await opened(TEXT, {}, { step: 50_000 });
  await until(() => machine.find(".rows li"));
  const list = machine.find("[name=pretoken]");
  assert.deepEqual([...list.options].map(({ textContent }) => textContent), ["the", "␣ferry", "␣and", "␣the", "␣other", "␣ferries", "␣there"]);
  assert.equal(machine.all(".run .pretoken").length, 0); // nobody has chosen a word
  const [part] = await tokensOf("gpt2", " ferries");
  click(machine.all(".run [data-i]").findLast((chip) => chip.textContent === part.piece));
  await until(() => machine.find(".worked").getAttribute("aria-busy") === "false" && machine.all(".run .pretoken").map((chip) => chip.textContent).join("") === " ferries");
  assert.equal(list.selectedOptions[0].textContent, "␣ferries");
  const rows = machine.words(".rows li .goto");
  assert.ok(rows.length > 2 && rows.slice(0, -1).every((words) => /^merge [\d,]+$/.test(words)) && rows.at(-1) === "done", String(rows));
  assert.deepEqual(machine.all(".tree > li > .node > .name").map(({ textContent }) => textContent), (await tokensOf("gpt2", " ferries")).map(({ piece }) => piece));
  click(machine.find(".rows .goto"));
  assert.equal(`merge ${(stepOf(machine)).toLocaleString("en")}`, rows[0]);
  choose(list, "0");
  await until(() => machine.all(".run .pretoken").map((chip) => chip.textContent).join("") === "the");
  await goTo(machine, 0);
  click(machine.button("Next merge"));
  const step = stepOf(machine);
  assert.ok(step > 0);
  click(machine.button("Next merge"));
  click(machine.button("Previous merge"));
  assert.equal(stepOf(machine), step);
});

test("pointing says what a token is, and how it came to be", async () => {
  const machine = await opened(TEXT, {}, { step: 50_000 });
  const [the] = await tokensOf("gpt2", TEXT);
  point(machine.find(".run [data-i]"));
  assert.match(machine.find(".described").textContent, new RegExp(`^the id ${the.id}, made by merge [\\d,]+, bytes 74 68 65$`));
  pointAway(machine.find("#tokens"));
  assert.match(machine.find(".described").textContent, /^Solid: just merged\. Dashed: next\./);
  await goTo(machine, 0);
  point(machine.find(".run [data-i]"));
  assert.match(machine.find(".described").textContent, /a single byte/);
});

test("pointing at the curve shows a step, leaving it goes back, and a press keeps one", async () => {
  const machine = await opened(CLASSICAL, { merges: 3 });
  const [slider, plot] = [machine.find(".slider"), machine.find(".plot")];
  plot.getBoundingClientRect = () => ({ left: 100, width: 300 });
  slider.setPointerCapture = () => {};
  const moves = (name, clientX) => plot.dispatchEvent(new window.PointerEvent(name, { clientX, pointerType: "mouse", bubbles: true, cancelable: true }));
  moves("pointermove", 305);
  assert.equal(stepOf(machine), 2);
  press(slider, "Home");
  moves("pointermove", 309); // a pointer that trembles does not take back what a key did
  assert.equal(stepOf(machine), 0);
  moves("pointermove", 320);
  assert.equal(stepOf(machine), 2);
  slider.dispatchEvent(new window.PointerEvent("pointerleave"));
  assert.equal(stepOf(machine), 0);
  moves("pointerdown", 200);
  assert.equal(stepOf(machine), 1);
  moves("pointermove", 500);
  moves("pointerup", 500);
  slider.dispatchEvent(new window.PointerEvent("pointerleave"));
  assert.equal(stepOf(machine), 3);
});

test("the next merge is guessed: a right and a wrong guess, the streak, and the way on", async () => {
  const machine = await opened("low low low lower newest newest widest", { merges: 6 }, { predicting: true });
  await until(() => machine.all(".pick").length > 1);
  assert.match(machine.find(".verdict").textContent, /^Pick a pair/);
  assert.equal(machine.find(".rule").textContent, "The pair that occurs most often is merged next.");
  assert.ok(machine.find("[data-do=pin]").hidden && machine.find(".next").hidden);
  const server = await serverOf("history", "low low low lower newest newest widest", { merges: 6 });
  const open = await shown("time_machine", { ...PAGE, shows: ["trained", 1], connection: server.live, token: server.token, view: "view", document: "text" }, { keeps: true });
  server.live.connectAs(server.token);
  await until(() => open.find("tr.chosen"));
  const right = open.find("tr.chosen .pair").textContent;
  open.remove();
  click(machine.all(".pick").find((button) => button.textContent !== right));
  await until(() => machine.find(".verdict").classList.contains("wrong") || machine.find(".verdict").classList.contains("tie"));
  assert.ok(!machine.button("Next pair").hidden && machine.button("Show me").hidden);
  assert.ok(machine.find("tr.chosen"));
  click(machine.button("Next pair"));
  assert.equal(stepOf(machine), 1);
  await until(() => machine.all(".pick").length > 1);
  click(machine.button("Show me"));
  assert.ok(machine.find(".verdict").classList.contains("shown"));
  click(machine.button("Next pair"));
  await until(() => machine.all(".pick").length > 1);
  press(document.body, "1");
  await until(() => machine.find(".verdict").className !== "verdict ");
  press(machine.find("[role=slider]"), "End"); // where nothing is left to guess, the panel says so
  await until(() => machine.find(".view").classList.contains("over"));
  assert.ok(!machine.find(".view").classList.contains("asking") && machine.find(".choose-words").textContent.startsWith("nothing."));
  await machine.show({ predicting: false });
  assert.ok(machine.find(".question").hidden && !machine.find("[data-do=pin]").hidden);
});

test("the question says that several pairs are right", async () => {
  const machine = await opened(CLASSICAL, { merges: 3 }, { predicting: true, step: 1 });
  await until(() => machine.find(".verdict").textContent.includes("2 pairs tie for first: any of them is right."));
});

test("two neighbours that are clicked in the text are a guess", async () => {
  const machine = await opened("low low low lower newest newest widest", { merges: 6 }, { predicting: true });
  await until(() => machine.all(".pick").length > 1);
  const chips = machine.all(".run [data-i]");
  click(chips[0]);
  assert.match(machine.find(".verdict").textContent, /^Now pick the token before or after it/);
  assert.ok(chips[0].classList.contains("picked"));
  click(chips[0]);
  assert.ok(!chips[0].classList.contains("picked"));
  click(chips[2]);
  click(chips[3]);
  assert.match(machine.find(".verdict").textContent, /^These two never merge/);
  click(chips[0]);
  click(chips[1]);
  await until(() => /^(Right|No|Just)/.test(machine.find(".verdict").textContent));
});

test("the page's script sets a step, once, and the tab keeps the one that is gone to", async () => {
  const machine = await opened(TEXT, {}, { step: 30 });
  assert.equal(stepOf(machine), 30);
  await goTo(machine, 31);
  await machine.show({ step: 30 });
  assert.equal(stepOf(machine), 31);
  await machine.show({ step: 77, step_version: 1 });
  assert.equal(stepOf(machine), 77);
  sessionStorage.setItem("tokviz.session", JSON.stringify({ session: "this one", value: { values: { step: 77 } } }));
  await goTo(machine, 78);
  await until(() => JSON.parse(sessionStorage.getItem("tokviz.session")).value.values.step === 78);
});

test("a text that is edited is shown at the same step, and another tokenizer lets go of what is pinned", async () => {
  const machine = await opened(TEXT, {}, { step: 30 });
  click(machine.button("Compare with this step"));
  await machine.server.put("the ferry, after");
  await until(() => machine.find("#tokens .flow").textContent === "the ferry, after");
  assert.deepEqual([stepOf(machine), machine.words("[data-figure=tokens]")[0]], [30, String((await tokensOf("gpt2@30", "the ferry, after")).length)]);
  machine.button("Stop comparing with step 30");
  await machine.server.show("history", { tokenizer: "gpt2@500" });
  await settled();
  await machine.server.put("");
  await until(() => machine.find(".notice").textContent.startsWith("There is no text."));
  assert.ok(machine.find(".view").classList.contains("blank"));
});

test("keys move where the page is presented, but not what is typed", async () => {
  const machine = await opened(CLASSICAL, { merges: 3 }, { presenting: true });
  press(document.body, "ArrowRight");
  assert.equal(stepOf(machine), 1);
  press(machine.find("[name=step]"), "ArrowRight");
  assert.equal(stepOf(machine), 1);
  await machine.show({ presenting: false });
  press(document.body, "ArrowRight");
  assert.equal(stepOf(machine), 1);
  await machine.show({ presenting: true });
  machine.remove();
  press(document.body, "ArrowRight");
});
