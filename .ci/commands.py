#!/usr/bin/env python3
"""Runs every command of the pages, as typed, in a copy of the repository.

Commands stand in blocks of code without a language, and in the text between backquotes. A page is
run from its top to its end, in the root of the repository. A server runs until the next server, or
the page, ends. Commands that are not run have a reason below; a reason without a command is an error.

    .ci/commands.py COPY [PAGE …]
"""
import os
import re
import signal
import subprocess
import sys
import time

# What is not run, and why: the page and the command are matched whole.
REASONS = [
    ("examples/beam/README.md", ".*", "TestSplit and .ci/steps/beam.sh run these"),
    (".*", r"\.ci/run|go test \./\.\.\.", "runs all tests, and this one"),
    (".*", r"(/usr/bin/)?python3 bench/.*|go run ./bench/.*|go test .*-bench .*|benchstat .*", "measures for minutes, on an idle machine"),
    (".*", r"go mod (edit|vendor).*|go work init .*", ".ci/steps/import.sh runs these"),
    ("CONTRIBUTING.md", r"\./rename\.sh .*", ".ci/steps/publish.sh runs it"),
    (".*", "proofs/check", ".ci/steps/proofs.sh runs it"),
]
# What stands for several commands.
EACH = {
    "go run ./examples/NAME": ["iris", "proof", "separable", "text", "tagger", "outofcore"],
    "go -C examples/NAME run .": ["serve", "playground"],
    "perceptron COMMAND --help": ["train", "predict", "evaluate", "inspect", "export", "serve", "separate", "log", "plot"],
}
PROGRAM = r"(go (run|test|build|doc|vet|mod|work|-C|get|install) |perceptron \w|\./\w|proofs/\w+( |$)|\.ci/run|(/usr/bin/)?python3 |curl |echo |gzip |benchstat )"
NAME = r"perceptron [a-z]+( --\w+)?|\S+\.\w+"  # in a sentence, the name of a command or a file
SERVER = r"perceptron serve .*|go -C examples/(serve|playground) run \."


def commands(page):
    """Yields the commands of a page."""
    language = None  # of a fenced block
    for line in open(page, encoding="utf-8"):
        line = line.rstrip()
        if line.startswith("```"):
            language = line[3:] if language is None else None
        elif language or language is None and not line.startswith("    "):
            found = [] if language else re.findall(r"`([^`]+)`", line)
            yield from (text for text in found if re.match(PROGRAM, text) and not re.fullmatch(NAME, text))
        elif re.match(PROGRAM, text := line.strip().removeprefix("$ ")):
            yield re.sub(r"\s+# .*", "", text)


def typed(command):
    """Yields what a reader types."""
    capital = re.search(r"\b(NAME|COMMAND)\b", command)
    yield from (command.replace(capital[0], word) for word in EACH[command]) if capital else [command]


class Server:
    """A command that runs until it is interrupted."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True, **options)
        for line in self.process.stdout:
            if "http://" in line:
                return
        sys.exit(f"{command}: ended, and printed no address")

    def end(self):
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.stdout.read()
        self.process.wait()


def run(page, folder, environment):
    server = None
    for command in commands(page):
        if "english.tagger" in command and not os.path.exists(os.path.join(folder, "ewt-dev.conllu.gz")):
            print(f"{page}: not run: {command} (PERCEPTRON_DATA has no English Web Treebank)", flush=True)
            continue
        reason = next((r for r in REASONS if re.fullmatch(r[0], page) and re.fullmatch(r[1], command)), None)
        if reason:
            used.add(reason)
            print(f"{page}: not run: {command} ({reason[2]})", flush=True)
            continue
        for text in typed(command):
            start = time.time()
            options = {"cwd": folder, "env": environment}
            if re.fullmatch(SERVER, text):
                if server:
                    server.end()
                time.sleep(0.5)  # until its port is free
                server = Server(text, **options)
            else:
                done = subprocess.run(["bash", "-o", "pipefail", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, **options)
                if done.returncode != 0 or text.startswith("curl") and not done.stdout.strip():
                    sys.exit(f"{page}: {text}\n{done.stdout}status {done.returncode}")
            print(f"{page}: {time.time() - start:.1f} s: {text}", flush=True)
    if server:
        server.end()


folder, pages = sys.argv[1], sys.argv[2:]
environment = dict(os.environ, PATH=os.path.join(folder, "cmd/perceptron") + ":" + os.environ["PATH"])
used = set()
all_pages = subprocess.run(["git", "ls-files", "*.md", ":!CHANGELOG.md"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
for page in pages or all_pages:
    run(page, folder, environment)
if not pages and len(used) != len(REASONS):
    sys.exit(f"no page has a command for these reasons: {set(REASONS) - used}")
