"""Man pages, made of what the program says of its own options."""
import datetime
import gzip
import json
import os
import subprocess


def description(program):
    """The commands and options of the program, as it describes them itself."""
    text = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"]}).stdout
    return json.loads(text)["command"]


def escaped(text):
    """Text as roff takes it: a backslash, a hyphen, and points and quotes at the beginning of a line mean something."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def option_names(argument):
    """`--port` or `-h, --help`, with the value it takes in italics."""
    names = ["-" + n["name"] if n["kind"] == "short" else "--" + n["name"] for n in argument.get("names") or []]
    names.sort(key=len)
    value = f" \\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] == "option" else ""
    return ", ".join(f"\\fB{escaped(name)}\\fR" for name in names) + value


def page(path, command, version, date):
    """One page in roff."""
    title = "-".join(path)
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    commands = [c for c in command.get("subcommands", []) if c.get("shouldDisplay", True) and c["commandName"] != "help"]
    lines = [f'.TH "{escaped(title.upper())}" 1 "{date}" "Sightline {version}" "Sightline"', ".SH NAME",
             f"{escaped(title)} \\- {escaped((command.get('abstract') or '').rstrip('.'))}", ".SH SYNOPSIS"]
    synopsis = [f"\\fB{escaped(' '.join(path))}\\fR"]
    if any(a["kind"] != "positional" for a in arguments):
        synopsis.append("[\\fIoptions\\fR]")
    for argument in (a for a in arguments if a["kind"] == "positional"):
        name = f"\\fI{escaped(argument.get('valueName') or '')}\\fR" + ("..." if argument["isRepeating"] else "")
        synopsis.append(f"[{name}]" if argument["isOptional"] else name)
    if commands:
        synopsis.append("\\fIcommand\\fR")
    lines.append(" ".join(synopsis))
    if command.get("discussion"):
        lines.append(".SH DESCRIPTION")
        for paragraph in command["discussion"].split("\n\n"):
            # What is indented is an example, and stays as it is.
            if any(line.startswith("  ") for line in paragraph.split("\n")):
                lines += [".PP", ".nf", escaped(paragraph), ".fi"]
            else:
                lines += [".PP", escaped(paragraph)]
    if commands:
        lines.append(".SH COMMANDS")
        for child in commands:
            name = "-".join([*path, child["commandName"]])
            lines += [".TP", f"\\fB{escaped(name)}\\fR(1)", escaped(child.get("abstract") or "")]
    if arguments:
        lines.append(".SH OPTIONS")
        for argument in arguments:
            name = option_names(argument)
            if argument["kind"] == "positional":
                name = f"\\fI{escaped(argument.get('valueName') or '')}\\fR"
            text = "\n".join(t for t in (argument.get("abstract"), argument.get("discussion")) if t)
            lines += [".TP", name, escaped(text)]
    if title == "sightline-serve":
        lines += [".SH FILES", ".TP", "\\fI/etc/sightline/sightline.json\\fR",
                  "Settings, called as the options are without their dashes; // begins a comment.",
                  ".TP", "\\fI/var/lib/sightline\\fR", "The database and what lies beside it, in the package for Debian.",
                  ".SH ENVIRONMENT", ".TP", "\\fBSIGHTLINE_\\fR\\fINAME\\fR",
                  "Every option, in capitals and with underscores: \\fBSIGHTLINE_PUBLIC_URL\\fR for \\fB\\-\\-public\\-url\\fR. "
                  "It wins over the file, an option over both."]
    if len(path) > 1:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(path[:-1]))}\\fR(1)"]
    return "\n".join(lines) + "\n"


def write(program, folder, version, moment):
    """Writes the pages of all commands, compressed; returns how many there are."""
    os.makedirs(folder, exist_ok=True)
    date = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%d")
    count = 0

    def visit(path, command):
        nonlocal count
        with open(os.path.join(folder, "-".join(path) + ".1.gz"), "wb") as file:
            file.write(gzip.compress(page(path, command, version, date).encode(), 9, mtime=0))
        count += 1
        for child in command.get("subcommands", []):
            if child.get("shouldDisplay", True) and child["commandName"] != "help":
                visit([*path, child["commandName"]], child)
    visit(["sightline"], description(program))
    return count
