"""The functions in twelve programming languages: each does the same, as far as its language runs here."""

import json
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from programs import from_npm, node

from tokviz.languages.programs import parallel_programs

GCD, LEAP, FIZZ, SQUARES, LONGEST, COLLATZ = range(6)
# What each function is given, and returns.
CASES = {
    GCD: [((48, 18), 6), ((7, 5), 1), ((9, 0), 9)],
    LEAP: [((2024,), True), ((1900,), False), ((2000,), True), ((2026,), False)],
    FIZZ: [((9,), "Fizz"), ((10,), "Buzz"), ((30,), "FizzBuzz"), ((7,), "7")],
    SQUARES: [(([1, 2, 3, 4],), 20), (([],), 0), (([-2],), 4)],
    LONGEST: [((["two", "three", "seven", "a"],), "three")],
    COLLATZ: [((1,), 0), ((6,), 8), ((27,), 111)],
}
SNAKE = ["gcd", "is_leap_year", "fizz_buzz", "sum_of_even_squares", "longest_word", "collatz_steps"]
CAMEL = ["gcd", "isLeapYear", "fizzBuzz", "sumOfEvenSquares", "longestWord", "collatzSteps"]


def code_in(language: str) -> str:
    return "\n\n".join(function[language] for function in parallel_programs())


def test_twelve_languages_have_six_functions_each_python_first():
    assert all(len(function) == 12 and next(iter(function)) == "Python" for function in parallel_programs())
    assert len(parallel_programs()) == len(CASES)
    for function, name in zip(parallel_programs(), CAMEL, strict=True):
        for language, code in function.items():
            plain = re.sub(r"[_'?\s]", "", code).casefold().replace("isleap", "leap")
            assert language == "SQL" or plain.count(name.casefold().replace("isleap", "leap"))


def test_python_does_what_is_expected():
    scope: dict = {}
    exec(code_in("Python"), scope)
    for function, cases in CASES.items():
        for given, expected in cases:
            assert scope[SNAKE[function]](*given) == expected


def test_sql_does_what_is_expected():
    for function, cases in CASES.items():
        code = parallel_programs()[function]["SQL"]
        for given, expected in cases:
            database = sqlite3.connect(":memory:")
            database.execute("CREATE TABLE numbers (number INTEGER)")
            database.execute("CREATE TABLE words (position INTEGER, word VARCHAR(20))")
            parameters = dict(zip(re.findall(r":(\w+)", code) or "-", given, strict=False))
            if function == SQUARES:
                database.executemany("INSERT INTO numbers VALUES (?)", [[number] for number in given[0]])
            if function == LONGEST:
                database.executemany("INSERT INTO words VALUES (?, ?)", enumerate(given[0]))
            assert database.execute(code, parameters).fetchall() == [(expected,)]


def returned_by_node(code: str) -> list:
    calls = ", ".join(f"{CAMEL[function]}(...{json.dumps(given)})" for function, given, _ in each_case())
    ran = subprocess.run([node(), "-e", f"{code}\nconsole.log(JSON.stringify([{calls}]))"], capture_output=True)
    return json.loads(ran.stdout)


def each_case() -> list[tuple]:
    return [(function, given, expected) for function, cases in CASES.items() for given, expected in cases]


def test_javascript_does_what_is_expected():
    assert returned_by_node(code_in("JavaScript")) == [expected for *_, expected in each_case()]


@pytest.mark.slow
def test_typescript_does_what_is_expected(tmp_path: Path):
    (tmp_path / "code.ts").write_text(code_in("TypeScript"))
    compiler = from_npm() / "typescript" / "bin" / "tsc"
    subprocess.run([node(), compiler, "--strict", "--target", "es2020", "code.ts"], cwd=tmp_path, check=True)
    assert returned_by_node((tmp_path / "code.js").read_text()) == [expected for *_, expected in each_case()]


# How a program prints what a function returns: what comes before the functions and after them, the calls with values of
# numbers, lists of numbers and of words, and how it is compiled and run.
COMPILED = {
    "C": (
        "#include <stdbool.h>\n#include <stdio.h>\n#include <string.h>\n#define SIZE(a) (sizeof(a) / sizeof(*(a)))",
        "int main(void) {{ char text[20]; {calls} }}",
        {
            FIZZ: "fizz_buzz({0}, text, sizeof text); puts(text);",
            SQUARES: 'printf("%d\\n", sum_of_even_squares((int[]){{{0}}}, SIZE(((int[]){{{0}}}))));',
            LONGEST: "puts(longest_word((const char *[]){{{0}}}, SIZE(((const char *[]){{{0}}}))));",
        },
        'printf("%d\\n", {name}({0}));',
        ("code.c", "gcc -std=c11 -Wall -Wextra -pedantic -Werror code.c -o code", "./code"),
    ),
    "C++": (
        "#include <algorithm>\n#include <iostream>\n#include <string>\n#include <utility>\n#include <vector>",
        "int main() {{ {calls} }}",
        {SQUARES: "std::cout << {name}({{{0}}}) << '\\n';", LONGEST: "std::cout << {name}({{{0}}}) << '\\n';"},
        "std::cout << {name}({0}) << '\\n';",
        ("code.cpp", "g++ -std=c++17 -Wall -Wextra -Werror code.cpp -o code", "./code"),
    ),
    "Rust": (
        "",
        "fn main() {{ {calls} }}",
        {SQUARES: 'println!("{{}}", {name}(&[{0}]));', LONGEST: 'println!("{{}}", {name}(&[{0}]));'},
        'println!("{{}}", {name}({0}));',
        ("code.rs", "rustc code.rs -o code", "./code"),
    ),
    "Java": (
        "import java.util.List;\nclass Code {",
        "public static void main(String[] arguments) {{ {calls} }} }}",
        {SQUARES: "System.out.println({name}(List.of({0})));", LONGEST: "System.out.println({name}(List.of({0})));"},
        "System.out.println({name}({0}));",
        ("Code.java", "javac Code.java", "java -Xint Code"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", COMPILED)
def test_what_is_compiled_does_what_is_expected(language: str, tmp_path: Path):
    before, after, special, usual, (file, compile_code, run) = COMPILED[language]
    if not shutil.which(compile_code.split()[0]):
        pytest.skip(f"no {compile_code.split()[0]} here")
    calls = []
    for function, given, _ in each_case():
        name = (CAMEL if language == "Java" else SNAKE)[function]
        values = ", ".join(json.dumps(value).strip("[]") for value in given)
        if (function, given) != (SQUARES, ([],)):  # the type of an empty list would have to be named
            calls.append(special.get(function, usual).format(values, name=name))
    (tmp_path / file).write_text("\n".join([before, code_in(language), after.format(calls="\n".join(calls))]))
    subprocess.run(compile_code.split(), cwd=tmp_path, check=True)
    printed = subprocess.run(run.split(), cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split()
    expected = [str(value) for function, given, value in each_case() if (function, given) != (SQUARES, ([],))]
    truth = {"1": "True", "0": "False", "true": "True", "false": "False"}
    leap = range(len(CASES[GCD]), len(CASES[GCD]) + len(CASES[LEAP]))
    assert [truth[it] if i in leap else it for i, it in enumerate(printed)] == expected
