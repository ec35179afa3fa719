"""The reference of the HTTP interface, made of the description that the server gives of itself (OpenAPI)."""
import json
import pathlib
import re
import subprocess
import tempfile
import time
import urllib.request

from site_source import slug

METHODS = ("get", "head", "post", "put", "patch", "delete", "options")
START_SECONDS = 60


def read_description(program):
    """The description of a server that is started for that, on this machine alone, with a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        with log.open("w", encoding="utf-8") as output:
            server = subprocess.Popen([str(program), "serve", "--port", "0", "--no-retention", "--database", str(pathlib.Path(folder) / "d.sqlite")],
                                      stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
        try:
            until = time.monotonic() + START_SECONDS
            while True:
                found = re.search(r"listening on (127\.0\.0\.1:\d+)", log.read_text(encoding="utf-8"))
                if found:
                    break
                if server.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"{program} serve did not start: {log.read_text(encoding='utf-8')[-500:]}")
                time.sleep(0.05)
            with urllib.request.urlopen(f"http://{found.group(1)}/api/v1/openapi.json", timeout=START_SECONDS) as answer:
                return json.load(answer)
        finally:
            server.terminate()
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def type_of(schema):
    """A schema in a line: a named one as a link."""
    if schema is True or not schema:
        return "anything"
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#schema-{slug(name)})"
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return " or ".join(type_of(one) for one in schema[word])
    if "allOf" in schema:
        return " and ".join(type_of(one) for one in schema["allOf"])
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value, ensure_ascii=False)}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'], ensure_ascii=False)}`"
    kinds = schema.get("type", "object" if "properties" in schema else "anything")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    words = []
    for kind in kinds:
        if kind == "array":
            words.append(f"list of {type_of(schema.get('items', {}))}")
        elif kind == "object" and schema.get("properties"):
            needed = set(schema.get("required", []))
            words.append("object of " + ", ".join(f"`{name}`{'' if name in needed else '?'}: {type_of(value)}"
                                                  for name, value in schema["properties"].items()))
        elif kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            words.append(f"object with values of {type_of(schema['additionalProperties'])}")
        else:
            words.append(kind + (f" ({schema['format']})" if "format" in schema else ""))
    limits = [f"{word} {schema[name]}" for name, word in (
        ("minimum", "from"), ("maximum", "to"), ("minLength", "at least"), ("maxLength", "at most"), ("minItems", "at least"),
        ("maxItems", "at most")) if name in schema]
    return " or ".join(words) + (f", {' '.join(limits)}" if limits else "")


def cell(text):
    return " ".join(str(text).split()).replace("|", r"\|")


def properties(schema):
    """A table of an object's members."""
    needed = set(schema.get("required", []))
    rows = ["| member | type | | |", "| --- | --- | --- | --- |"]
    for name, value in schema["properties"].items():
        said = value.get("description", "") if isinstance(value, dict) else ""
        rows.append(f"| `{name}` | {cell(type_of(value))} | {'required' if name in needed else ''} | {cell(said)} |")
    return "\n".join(rows)


def contents_of(part):
    """Media types of a body or an answer with their schemas."""
    return "; ".join(f"`{media}`: {type_of(about.get('schema', {}))}" if about.get("schema") else f"`{media}`"
                     for media, about in part.get("content", {}).items())


def operation(method, path, about, description):
    """One method of one path."""
    parts = [f"## `{method.upper()} {path}`", about.get("summary", ""), about.get("description", "")]
    if about.get("security"):
        parts.append("For: " + " or ".join("everybody" if not one else " and ".join(f"`{name}`" for name in one) for one in about["security"]))
    if about.get("parameters"):
        rows = ["| parameter | in | type | | |", "| --- | --- | --- | --- | --- |"]
        rows += [f"| `{one['name']}` | {one['in']} | {cell(type_of(one.get('schema', {})))} | {'required' if one.get('required') else ''} | "
                 f"{cell(one.get('description', ''))} |" for one in about["parameters"]]
        parts.append("\n".join(rows))
    if about.get("requestBody"):
        body = about["requestBody"]
        parts.append(f"Body{'' if body.get('required') else ' (may be left out)'}: {contents_of(body)}")
    rows = ["| status | | |", "| --- | --- | --- |"]
    for status, answer in about["responses"].items():
        if "$ref" in answer:
            answer = description["components"]["responses"][answer["$ref"].rsplit("/", 1)[-1]]
        rows.append(f"| {status} | {cell(answer.get('description', ''))} | {cell(contents_of(answer))} |")
    parts.append("\n".join(rows))
    return "\n\n".join(part for part in parts if part)


def write_http(source, description):
    """A page for each area of paths, and one for the schemas; gives how many operations there are."""
    areas, count = {}, 0
    for path, methods in description["paths"].items():
        found = re.match(r"/api/v1/([\w-]+)", path)
        areas.setdefault(found.group(1).removesuffix(".json") if found else "files and pages", []).append((path, methods))
    for area, paths in areas.items():
        parts = [f"# HTTP: {area}", "Made of the server's own description, `/api/v1/openapi.json`; how it is used is told in "
                 "[The HTTP interface](/Documentation/http-api.md)."]
        for path, methods in paths:
            for method in METHODS:
                if method in methods:
                    parts.append(operation(method, path, methods[method], description))
                    count += 1
        source.write(f"reference/http/{slug(area)}.md", "\n\n".join(parts), f"HTTP: {area}")
    parts = ["# HTTP: schemas", "What bodies and answers are made of."]
    for name, schema in description["components"]["schemas"].items():
        parts += [f"(schema-{slug(name)})=\n## `{name}`", schema.get("description", ""),
                  properties(schema) if schema.get("properties") else type_of(schema)]
    source.write("reference/http/schemas.md", "\n\n".join(part for part in parts if part), "HTTP: schemas")
    return count
