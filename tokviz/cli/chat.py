"""`tokviz chat`: conversations turn by turn, and whether each prompt begins as the turn before ended."""

import argparse

from tokviz.chats.formats import FORMAT_NAMES, ChatFormat, ChatML, with_tools
from tokviz.chats.harmony_tools import parsed_tools
from tokviz.cli.chat_record import Record, against_record, ids_records, mask_record, record_text, turns_record
from tokviz.cli.dataset import USUAL, chat_format, chat_settings
from tokviz.cli.options import Commands, add_command
from tokviz.cli.rows import Rows, add_output_options, print_result
from tokviz.cli.streams import LINES_NAMED, read_file_or_stdin_text, say
from tokviz.cli.tokenizers import DEFAULT, TOKENIZER, add_tokenizer_options, read_or_load_tokenizer
from tokviz.conversations.assistant_mask import assistant_mask
from tokviz.conversations.rollouts import Rollout, rollouts
from tokviz.conversations.trials import FINE, trials, trials_in_words
from tokviz.conversations.turns import BLOCK, turns
from tokviz.core.protocol import AnyTokenizer
from tokviz.core.tokenizer import tokenizer_with_merges
from tokviz.corpus.paths import STDIN
from tokviz.text.glyphs import escaped_text
from tokviz.text.words import quantity


def add_to_commands(commands: Commands) -> None:
    """Add the command and its options."""
    examples = 'tokviz chat rollouts.jsonl -t "Qwen 3" --ids', "tokviz chat -t llama3/ --trials"
    short = "check that each prompt of a chat begins as the turn before ended"
    command = add_command(commands, "chat", short, print_findings_and_return_exit_code, *examples, refused=2)
    add = command.add_argument
    add("file", nargs="?", metavar="FILE", help="conversations in JSON or JSONL; - is standard input")
    add("-t", "--tokenizer", default=DEFAULT, metavar="TOKENIZER", help=f"{TOKENIZER} ({DEFAULT})")
    formats = f"a file or folder with a chat template, or one of {', '.join(FORMAT_NAMES)}"
    add("--template", default=USUAL, metavar="PATH|NAME", help=f"{formats}; by default that of the tokenizer's file")
    add("--against", metavar="PATH|NAME", help="also where another template writes a conversation differently")
    add("--tools", metavar="FILE", help="functions in JSON, for conversations that have none")
    add("--ids", action="store_true", help="also whether the ids that the model produced are those of their text")
    add("--block", type=int, default=BLOCK, metavar="TOKENS", help=f"what a cache keeps or drops together ({BLOCK})")
    add("--mask", action="store_true", help="also which tokens are trained on")
    add("--trials", action="store_true", help="try the template on conversations that find trouble, without a FILE")
    add_tokenizer_options(command)
    add_output_options(command)


def print_findings_and_return_exit_code(options: argparse.Namespace) -> int:
    """Print what there is to say of conversations, or of trials; return the exit code."""
    if options.block < 1:
        raise ValueError(f"--block must be at least 1 token, not {options.block}: {BLOCK} is usual")
    if not options.trials and options.file is None:
        raise ValueError("name a FILE with conversations, - for standard input, or --trials")
    tokenizer = read_or_load_tokenizer(options.tokenizer, options)
    settings = chat_settings(options.tokenizer)
    chosen = chat_format(options.template, tokenizer, settings)
    against = [chat_format(options.against, tokenizer, settings)] if options.against else []
    result: Record = {"tokenizer": tokenizer.name, "template": chosen.name}
    if options.ids:
        tokenizer_with_merges(tokenizer, "--ids")
    tokenizer = chosen.tokenizer(tokenizer)
    if options.trials:
        return _print_trials(options, tokenizer, chosen, result)
    return _print_conversations(options, tokenizer, [chosen, *against], result)


def _print_trials(options: argparse.Namespace, tokenizer: AnyTokenizer, chosen: ChatFormat, result: Record) -> int:
    """Print what a format makes of the conversations that find trouble; return the exit code."""
    if options.file or options.against or options.tools or options.ids or options.mask:
        raise ValueError("--trials has conversations of its own: leave out FILE, --against, --tools, --ids and --mask")
    tried = list(trials(tokenizer, chosen))
    rows = [{"name": each.name, "outcome": each.outcome, "words": each.words} for each in tried]
    heads = {"name": "conversation", "outcome": "outcome", "words": "what happens"}
    passes = all(each.outcome == FINE for each in tried)
    table = Rows(rows, heads, {"words": escaped_text})
    print_result(options, {**result, "passes": passes, "trials": rows}, trials_in_words(tried), table)
    return 0 if passes else 1


def _print_conversations(
    options: argparse.Namespace, tokenizer: AnyTokenizer, formats: list[ChatFormat], result: Record
) -> int:
    """Print the turns of each conversation in a file, and what else the options ask for; return the exit code."""
    where = "standard input" if options.file == STDIN else escaped_text(options.file)
    tools = read_file_or_stdin_text(options.tools) if options.tools else ""
    parsed_tools(tools)  # refuses them at once, and not in each conversation
    given = _conversations(options, where)
    if isinstance(formats[0], ChatML) and (tools or any(rollout.tools for rollout in given)):
        say(f"{where}: ChatML has no place for functions, which are left out")
    records = []
    for rollout in given:
        with_functions = [with_tools(each, rollout.tools or tools) for each in formats]
        try:
            record = _conversation_record(options, tokenizer, with_functions, rollout)
        except ValueError as e:
            record = {"passes": False, "keeps_prefix": False, "refused": str(e)}
            say(f"{where}: {rollout.name}: {escaped_text(str(e))}")
        records.append({"name": rollout.name, **record})
    passes = all(record["passes"] for record in records)
    shown = [record for record in records if "verdict" in record]
    texts = list(map(record_text, shown))
    if len(records) > 1:
        n_kept = sum(record["keeps_prefix"] for record in records)
        texts = [f"{record['name']}: {text}" for record, text in zip(shown, texts, strict=True)]
        texts.insert(0, f"Conversations that keep their prefix: {n_kept:,} of {len(records):,}")
    if texts or options.json:
        print_result(options, {**result, "block": options.block, "passes": passes, "conversations": records}, *texts)
    return 0 if passes else 1


def _conversations(options: argparse.Namespace, where: str) -> list[Rollout]:
    """Return the conversations of a file; ValueError for what is none, or if ids are missing that are to be checked."""
    try:
        found = list(rollouts(read_file_or_stdin_text(options.file)))
    except ValueError as e:
        raise ValueError(f"{where}: {e}") from e
    if not any(rollout.messages for rollout in found):
        raise ValueError(f"{where}: there are no messages")
    if options.ids and not any(ids is not None for rollout in found for ids in rollout.ids):
        raise ValueError(f"{where}: there are no ids: expected are 'token_ids' of messages, or 'completion_ids'")
    notices = [notice for rollout in found for notice in rollout.notices]
    for notice in notices[:LINES_NAMED]:
        say(f"{where}: {notice}")
    if len(notices) > LINES_NAMED:
        say(f"{where}: {quantity(len(notices) - LINES_NAMED, 'more field')} not used")
    return found


def _conversation_record(
    options: argparse.Namespace, tokenizer: AnyTokenizer, formats: list[ChatFormat], rollout: Rollout
) -> Record:
    found = turns(tokenizer, rollout.messages, chat_format=formats[0], ids=rollout.ids, block=options.block)
    record = turns_record(found)
    record["passes"] = found.keeps_prefix
    if options.ids:
        record["ids"] = ids_records(found)
        record["passes"] &= all(each["is_canonical"] for each in record["ids"])
    if options.mask:
        record["mask"] = mask_record(assistant_mask(found))
    for against in formats[1:]:
        record["against"] = against_record(found, against)
    return record
