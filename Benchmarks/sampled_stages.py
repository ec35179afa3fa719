"""Milliseconds of CPU by stage, from `perf` looking two thousand times a second at what runs. Used by the `stages.py` of markers and targets.

A sample belongs to the innermost function of its call stack that one of the stages names; what is not called from the function that is
asked for (decoding pictures, starting the program, writing) is left out. Needs Linux' perf, and a program with its symbols.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

REST = "the rest"
RATE = 2000


def patterns(stages):
    """Of (stage, "Type|TypeC6method|…") in the order in which they are tried, as Swift's mangled names have them."""
    return [(name, re.compile(r"\$s\d+Sightline[A-Z][a-z]+\d+(?:" + pattern + ")")) for name, pattern in stages]


def milliseconds(arguments, root, stages):
    """Milliseconds of CPU by stage inside the functions that `root` fits."""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "perf.data")
        subprocess.run(["perf", "record", "-q", "-F", str(RATE), "-g", "-o", data, *arguments], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        text = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], check=True, capture_output=True, text=True).stdout
    counts = collections.Counter()
    inside = re.compile(root)
    for sample in text.split("\n\n"):
        names = [line.split(maxsplit=1)[1] for line in sample.strip().splitlines() if len(line.split(maxsplit=1)) == 2]
        if not any(inside.search(name) for name in names):
            continue
        # Only what is called from there: innermost first.
        end = max(k for k, name in enumerate(names) if inside.search(name))
        stage = next((stage for name in names[:end + 1] for stage, pattern in stages if pattern.match(name)), REST)
        counts[stage] += 1000 / RATE
    return counts


def report(title, unit, counts, number):
    """A table of the stages, the longest first; `number` is how many units the time is for."""
    total = sum(counts.values())
    if total == 0:
        sys.exit(f"{title}: perf saw nothing; are there symbols in the program?")
    samples = total * RATE / 1000
    lines = [f"**{title}**: {total / number:.2f} ms for {unit} ({samples:.0f} samples)\n", "| stage | ms | share |", "|---|---:|---:|"]
    for stage, value in counts.most_common():
        lines.append(f"| {stage} | {value / number:.3f} | {100 * value / total:.1f} % |")
    return "\n".join(lines) + "\n"
