"""`tokviz show` and `tokviz lesson`: a text with its tokens in colour, and a lesson as a notebook, to take along."""

import argparse
import sys
from pathlib import Path

from tokviz.cli.options import Commands, add_allow_special_option, add_command, allowed_special
from tokviz.cli.streams import read_file_or_stdin_text, say
from tokviz.cli.tokenizers import DEFAULT, add_tokenizer_options, add_tokenizers_option, read_or_load_tokenizers
from tokviz.corpus.paths import STDIN
from tokviz.display.ansi_text import n_terminal_colours
from tokviz.display.lesson_notebook import lesson_notebook_json
from tokviz.display.palette import THEMES
from tokviz.display.saved_page import iframe_html
from tokviz.display.show import show
from tokviz.display.snippets import SNIPPETS
from tokviz.lessons import LESSONS, lesson_named
from tokviz.system.atomic_file import check_replaceable, replace_text
from tokviz.text.words import quantity


def add_to_commands(commands: Commands) -> None:
    """Add both commands and their options."""
    examples = (
        'tokviz show "Hello world" -t gpt2 -t o200k_base',
        "tokviz show --file story.txt -t books.model --format latex > story.tex",
    )
    command = add_command(commands, "show", "show a text with its tokens in colour", print_or_write_tokens, *examples)
    command.add_argument("text", nargs="?", metavar="TEXT", help="the text; by default standard input")
    command.add_argument("--file", metavar="PATH", help="read the text from a file instead")
    add_tokenizers_option(command)
    formats = "; ".join(f"{each.name} for {each.purpose}" for each in SNIPPETS.values())
    command.add_argument("--format", choices=list(SNIPPETS), default="ansi", help=f"what to write: {formats} (ansi)")
    command.add_argument("--html", metavar="FILE", help="write a page that works without a server or a network")
    command.add_argument("--theme", choices=list(THEMES), default="light", help="light or dark tints (light)")
    add_allow_special_option(command)
    add_tokenizer_options(command, several=True)
    lesson = add_command(
        commands, "lesson", "write a lesson as a notebook", write_notebook_or_list_lessons, "tokviz lesson spelling"
    )
    lesson.add_argument("lesson", nargs="?", metavar="LESSON", help="its name; by default all are listed")
    lesson.add_argument("-o", "--output", metavar="FILE", help="the notebook; by default LESSON.ipynb")


def print_or_write_tokens(options: argparse.Namespace) -> None:
    """Print a text with its tokens in colour."""
    if options.text is not None and options.file is not None:
        raise ValueError("TEXT and --file both name a text: leave one out")
    text = options.text if options.text is not None else read_file_or_stdin_text(options.file or STDIN)
    allowed = allowed_special(options)
    tokenizers = read_or_load_tokenizers(options.tokenizers or [DEFAULT], options)
    shown = show(tokenizers, text, allowed_special=allowed)
    if options.html:
        title = Path(options.file).name if options.file else ""
        path = Path(options.html)
        check_replaceable(path)
        replace_text(path, shown.page(title=title))
        say(f"{path}: {path.stat().st_size:,} bytes. To put it into another page:")
        print(iframe_html(path.name))
        return
    look = {"theme": options.theme}
    if options.format == "ansi":
        look |= {"captions": True, "colours": n_terminal_colours(is_terminal=sys.stdout.isatty())}
    print(shown.snippet(options.format, **look), end="")


def write_notebook_or_list_lessons(options: argparse.Namespace) -> None:
    """Write a notebook, or list the lessons."""
    if options.lesson is None:
        width = max(len(lesson.slug) for lesson in LESSONS)
        for lesson in LESSONS:
            print(f"{lesson.slug:{width}}  {lesson.title}")
        return
    lesson = lesson_named(options.lesson)
    path = Path(options.output or f"{lesson.slug}.ipynb")
    check_replaceable(path)
    replace_text(path, lesson_notebook_json(lesson))
    say(f"{path}: {lesson.title}, {quantity(len(lesson.exercises), 'exercise')}")
