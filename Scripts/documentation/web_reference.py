"""The reference of the element and of the modules for other people's pages, made of their types and sources."""
import json
import subprocess

from documents import fenced
from site_source import ROOT, slug, tracked

TYPES = "WebClient/embed/public.d.ts"


def read_web():
    """Declarations and elements, as the TypeScript compiler sees them."""
    modules = tracked("WebClient/embed/*.js")
    done = subprocess.run(["node", "Scripts/documentation/web.mjs", TYPES, *modules], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"build-docs: {TYPES} cannot be read with TypeScript (tsc and node are needed):\n{done.stderr}")
    return json.loads(done.stdout)


def cell(text):
    return " ".join(text.split()).replace("|", r"\|")


def write_web(source, web):
    """A page for the elements and one for the types; gives how many declarations there are."""
    parts = ["# Elements", "Made of the modules; how they are used is told in [In your own page](/Documentation/embedding.md)."]
    for element in web["elements"]:
        parts += [f"## `<{element['name']}>`", element["comment"]]
        look = element["look"] or {"parts": [], "slots": [], "properties": []}
        for name, values in (("Attributes", element["attributes"]), ("Slots", look["slots"]), ("Parts", look["parts"])):
            if values:
                parts.append(f"{name}: " + ", ".join(f"`{value}`" for value in values))
        for name, rows in (("event", [(f"`{one['name']}`", cell(one["words"])) for one in element["events"]]),
                           ("custom property", [(f"`{one['name']}`", ", ".join(f"`{cell(usual)}`" for usual in one["usual"])) for one in look["properties"]])):
            if rows:
                title = "" if name == "event" else "without it"
                parts.append("\n".join([f"| {name} | {title} |", "| --- | --- |", *(f"| {first} | {second} |" for first, second in rows)]))
    source.write("reference/web/elements.md", "\n\n".join(part for part in parts if part))
    parts = ["# Modules and types",
             "Made of the package's type file. How they are used is told in [In your own page](/Documentation/embedding.md)."]
    for one in web["declarations"]:
        parts += [f"(web-{slug(one['kind'])}-{slug(one['name'])})=\n## `{one['name']}`", one["comment"], fenced(one["text"], "ts")]
        rows = [f"| `{member['name']}` | `{cell(member['signature'])}` | {cell(member['comment'])} |" for member in one["members"]]
        if rows:
            parts.append("\n".join(["| member | type | |", "| --- | --- | --- |", *rows]))
    source.write("reference/web/types.md", "\n\n".join(part for part in parts if part))
    return len(web["declarations"])
