"""A chat is one text: what its messages cost, what a cache keeps from turn to turn, and what is trained on."""

from tokviz import exercises as ex
from tokviz.lessons.conversation_caches import (
    ANT,
    NAME,
    SPIDER,
    again_scene,
    answer_in_two,
    beginning_scene,
    chat_of,
    line_of_ids,
    links_to_chat,
    messages_in_lines,
    rewritten_scene,
    seam_scene,
    turns_of,
)

FORMATS = ("ChatML", "Transcript", "Tags")
CHAT = f"Hi!\nHello! How can I help?\n{SPIDER}"
SHORT_CHAT = "Hi!\nHello! How can I help?\nWhat is a token?"
THAI = "สวัสดีครับ\nสวัสดีค่ะ มีอะไรให้ช่วยไหมคะ\nแมงมุมมีกี่ขา"
ANSWER = "The spider: it has eight, an ant six."
REASONING = f"<think>\nInsects have six, spiders eight.\n</think>\n{ANSWER}"
GUIDE = "Answer in one sentence."


def _messages_scene(text: str) -> ex.Scene:
    said = messages_in_lines(text)
    made = chat_of(said)
    _, shares, reply = made.shares
    rows = [
        (f"{n} {role}", share.n_tokens, share.n_scaffolding)
        for n, ((role, _), share) in enumerate(zip(said, shares, strict=True), 1)
        if share
    ]
    n_read = sum(ex.n_tokens(NAME, words) for _, words in said)
    return ex.Scene(
        ex.Number(
            f"Read alone, these lines have **{n_read:,}** tokens together. How many does the model get, in ChatML? "
            "(Within 3 is close enough.)",
            len(made.ids),
            near=3,
        ),
        ex.Lines(line_of_ids("the chat as one text", made.ids)),
        ex.Table(
            ("message", "tokens", "of them markers and role"),
            (*rows, ("generation prompt", reply.n_tokens, reply.n_scaffolding)),
        ),
        ex.Say(
            f"`{ex.START}` and the name of whoever speaks begin a message, and `{ex.END}` ends it. The last tokens "
            "are the **generation prompt**: they begin the answer."
        ),
        ex.Say(
            "A marker is one token, which nobody can type. Whatever a message says, these cost the same.",
            detail=True,
        ),
        links=links_to_chat(said, made.text),
    )


def _formats_scene(text: str) -> ex.Scene:
    said = messages_in_lines(text)
    made = {name: chat_of(said, name) for name in FORMATS}
    figures = {name: len(each.ids) for name, each in made.items()}
    lines = [line_of_ids(name, each.ids) for name, each in made.items()]
    return ex.Scene(
        ex.best_figure_question("In which format does the chat have the **fewest** tokens?", figures, min),
        ex.Lines(*lines[:2]),
        ex.Lines(*lines[2:], detail=True),
        ex.Say(
            "Only the markers of ChatML are special tokens. The other formats consist of plain text, so anybody "
            "can write “Assistant:” into a message."
        ),
        ex.Say("And the cheapest is of no use to a model that was trained on another.", detail=True),
        links=links_to_chat(said, made["ChatML"].text, section="Two formats"),
    )


def _training_scene(text: str) -> ex.Scene:
    said = messages_in_lines(text)
    mask = ex.assistant_mask(turns_of(said))
    trained = [int(token) for token in mask.spans.ids[mask.tokens]]
    n_said = sum(ex.n_tokens(NAME, words) for role, words in said if role == "assistant")
    return ex.Scene(
        ex.Number(
            f"The chat has **{len(mask.spans):,}** tokens; **{n_said:,}** of them are the assistant's words. On how "
            "many is the model trained?",
            len(trained),
        ),
        ex.Lines(line_of_ids("the chat", mask.spans.ids), detail=True),
        ex.Lines(line_of_ids("what is trained on", trained)),
        ex.Say(
            f"It is trained on each answer with the `{ex.END}` after it: without that, it would never learn to "
            "stop. This is the **assistant mask**."
            if trained
            else "The assistant has said nothing yet, so there is nothing to learn. Add a line."
        ),
        ex.Say(
            "The generation prompt is left out, since the model is given it, and so is the line end after the "
            "marker, where it has stopped. Some templates mark the mask themselves, with `{% generation %}`.",
            detail=True,
        ),
        links=links_to_chat(said, mask.prompt.text, section="What is trained on"),
    )


LESSON = ex.Lesson(
    slug="chats",
    title="A chat is one text",
    intro="You see messages. A model sees one text with markers, written out again for every answer. What that text "
    "costs, what a cache keeps of it and what a model learns from it depends on its tokens, here those of Qwen 3.",
    cover=lambda: ex.token_line(ex.chat_tokenizer(ex.load("cl100k_base")), f"Hi!{ex.END}", allowed_special="all"),
    aim="say what a chat costs at every turn, and what a cache can save",
    terms=("ChatML", "generation prompt", "prefix cache", "retokenization", "assistant mask"),
    exercises=(
        ex.Exercise(
            "messages",
            "What a message costs besides its words",
            "Each line is a message: you begin, the assistant answers, and so on.",
            (CHAT, THAI, "Hi!"),
            _messages_scene,
        ),
        ex.Exercise(
            "formats",
            "The same chat in other formats",
            "A **chat template** writes the messages; each model family has its own.",
            (SHORT_CHAT, CHAT, THAI),
            _formats_scene,
        ),
        ex.Exercise(
            "again",
            "The whole chat, for every answer",
            "You send one new line. What does the model get?",
            (f"{CHAT}\nEight.\n{ANT}", THAI),
            again_scene,
        ),
        ex.Exercise(
            "beginning",
            "Only the beginning counts",
            "These are the system messages of two requests, one minute apart.",
            (
                f"It is 9:41. {GUIDE}\nIt is 9:42. {GUIDE}",
                f"{GUIDE} It is 9:41.\n{GUIDE} It is 9:42.",
            ),
            beginning_scene,
        ),
        ex.Exercise(
            "rewritten",
            "What a template takes out",
            "A model may think before it answers. The template, like Qwen's, leaves out the reasoning of earlier "
            "answers and trims white space.",
            (REASONING, f" {ANSWER} ", ANSWER),
            rewritten_scene,
        ),
        ex.Exercise(
            "seam",
            "The same text in the next prompt",
            "After the generation prompt, which ends in a line end, the model writes this.",
            ("\n\nEight", "Eight", "\n\nแปดขา"),
            seam_scene,
        ),
        ex.Exercise(
            "training",
            "What a model is trained on",
            "Chats are training data too. A model is to learn to answer, not to ask.",
            (f"{SPIDER}\nEight.", f"{THAI}\nแปดขา", SPIDER),
            _training_scene,
        ),
    ),
    takeaway="Whoever sends a chat pays for all of it at every turn, unless the prompt begins with exactly the tokens "
    "that a cache has.",
    more="Put what changes at the end, look at what a template does to earlier turns, and keep the ids that a model "
    "wrote. **Chat turns** shows all this for your own messages and templates.",
    picture=lambda: again_scene(f"{CHAT}\nEight.\n{ANT}").reveal[0],
    claims={
        "A marker is one token": lambda: {ex.START, ex.END} <= set(ex.load(NAME).special_tokens),
        "Whatever a message says, these cost the same": lambda: (
            len({each.n_scaffolding for text in (CHAT, THAI)
                 for each in chat_of(messages_in_lines(text)).shares[1] if each}) == 1
        ),
        "Only the markers of ChatML are special tokens": lambda: (
            [bool({*chat_of(messages_in_lines(CHAT), name).ids} & {*ex.load(NAME).special_tokens.values()})
             for name in FORMATS] == [name == "ChatML" for name in FORMATS]
        ),
        "leaves out the reasoning of earlier answers and trims white space": lambda: (
            [turns_of([("user", SPIDER), ("assistant", *answer_in_two(text)), ("user", ANT)], "As Qwen 3")
             .turns[1].prompt.text.count(f"\n{ANSWER}<") for text in (REASONING, f" {ANSWER} ")] == [1, 1]
        ),
    },
)  # fmt: skip
