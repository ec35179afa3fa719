"""The reference of the Swift libraries: a page for each library and each of its types, with every public declaration."""
import html
import posixpath
import re

from documents import catalogue_of, module_page
from site_source import ROOT, check_links, slug

GROUPS = [
    ("Cases", ("enum.case",)), ("Associated types", ("associatedtype",)), ("Type aliases", ("typealias",)), ("Initialisers", ("init",)),
    ("Properties", ("property",)), ("Type properties", ("type.property",)), ("Methods", ("method",)),
    ("Type methods", ("type.method",)), ("Subscripts", ("subscript", "type.subscript")), ("Operators", ("func.op",)),
    ("Functions", ("func",)), ("Variables", ("var",)), ("Macros", ("macro",)),
]
CLASSES = {"keyword": "k", "attribute": "nd", "number": "mi", "string": "s", "typeIdentifier": "nc", "identifier": "nf",
           "genericParameter": "nc", "internalParam": "n", "externalParam": "n"}
FIELD = re.compile(r"^(\s*)- (Parameter [\w`]+|Parameters|Returns|Throws|Complexity|Note|Important|Warning|Precondition|SeeAlso):", re.MULTILINE)


def page_of(symbol):
    """The page that a declaration stands on."""
    # Two types whose names differ in capitals alone would share a file on some systems.
    name = symbol.group or "functions"
    return f"reference/swift/{symbol.module}/{name}.md"


def declaration(symbol, pages):
    """The declaration with links to the types in it, as a block of code."""
    here = page_of(symbol)
    parts = []
    for fragment in symbol.fragments:
        text = html.escape(fragment["spelling"], quote=False)
        style = CLASSES.get(fragment["kind"])
        target = pages.get(fragment.get("preciseIdentifier"))
        if target and target is not symbol:
            page = posixpath.relpath(page_of(target), posixpath.dirname(here)).removesuffix(".md") + ".html"
            parts.append(f'<a class="{style or "n"}" href="{page}#{target.label}">{text}</a>')
        else:
            parts.append(f'<span class="{style}">{text}</span>' if style else text)
    code = "".join(parts).replace("\n", "&#10;")
    return f'<div class="highlight-swift notranslate"><div class="highlight"><pre>{code}</pre></div></div>'


def prose(symbol, source):
    """The doc comment as Markdown of the site: DocC's links and fields written out, headings below the declaration's own."""
    if not symbol.comment.strip():
        return ""
    text = FIELD.sub(lambda found: f"{found.group(1)}- **{found.group(2)}:**", symbol.comment)
    outside = {number for number, _ in check_links.lines_outside_code(text)}
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if number in outside:
            line = re.sub(r"^#{1,6}\s+(.*)$", r"**\1**", line)
            # A type's name in angle brackets is no element.
            line = escaped_outside_code(line)
        lines.append(line)
    return source.rewritten("\n".join(lines), page_of(symbol), "", module=symbol.module, scope=symbol.path)


def escaped_outside_code(line):
    """The line with `<` written so that it is one, but in code and in addresses."""
    plain = check_links.CODE.sub(lambda found: "\0" * len(found.group()), line)
    return "".join("&lt;" if plain[index] == "<" and not re.match(r"<(https?:|doc:)", line[index:]) else sign
                   for index, sign in enumerate(line))


def entry(symbol, level, source, pages):
    """A declaration under a heading of its own."""
    name = ".".join(symbol.path) if symbol.is_type else symbol.path[-1]
    parts = [f"({symbol.label})=\n{'#' * level} `{name}`", declaration(symbol, pages), prose(symbol, source)]
    if symbol.conforms:
        parts.append("Conforms to: " + ", ".join(
            f"[`{title}`](#{pages[usr].label})" if usr in pages else f"`{title}`" for title, usr in symbol.conforms
            if title not in ("Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype")))
    return "\n\n".join(part for part in parts if part and part != "Conforms to: ")


def write_type(group, members, source, pages):
    """The page of a type with all that stands in it, or of what an extension adds to another library's."""
    top = next((one for one in members if one.path == [group]), None)
    title = f"`{group}`" if top or not group else f"Extension of `{group}`"
    parts = [entry(top, 1, source, pages)] if top else [f"# {title if group else 'Functions and variables'}"]
    types = sorted((one for one in members if one.is_type and one is not top), key=lambda one: one.location)
    for owner in [None, *types]:
        path = owner.path if owner else ([group] if group else [])
        inside = [one for one in members if not one.is_type and one.path[:-1] == path and one is not top]
        if owner:
            parts.append(entry(owner, 2, source, pages))
        for name, kinds in GROUPS:
            chosen = sorted((one for one in inside if one.kind in kinds), key=lambda one: one.location)
            if chosen and not owner:
                parts.append(f"## {name}")
            parts += [entry(one, 3, source, pages) for one in chosen]
    written = "\n\n".join(parts)
    lost = [one for one in members if f"({one.label})=" not in written]
    if lost:
        raise SystemExit(f"build-docs: no place for {', '.join('.'.join(one.path) + ' (' + one.kind + ')' for one in lost[:5])}: "
                         "its kind is missing in GROUPS of Scripts/documentation/swift_reference.py")
    return written


def write_swift(source, symbols, documents):
    """Pages for all declarations, and one for each module with its overview; gives how many declarations there are."""
    pages = {symbol.usr: symbol for symbol in symbols}
    groups = {}
    for symbol in symbols:
        groups.setdefault((symbol.module, symbol.group), []).append(symbol)
    listed = {}
    for (module, group), members in groups.items():
        page = page_of(members[0])
        text = write_type(group, members, source, pages)
        has_type = any(one.path == [group] for one in members)
        title = group if has_type else f"Extension of {group}" if group else "Functions and variables"
        # Its library's page leads to it: in the navigation hundreds of types would hide the rest.
        source.write(page, f"---\norphan: true\n---\n\n[{module}](index.md)\n\n{text}", title)
        top = next((one for one in members if one.path == [group]), None)
        listed.setdefault(module, []).append((title, page, top))
    overviews = {catalogue_of(path)[0]: path for path in documents
                 if catalogue_of(path) and catalogue_of(path)[0] == catalogue_of(path)[1]}
    for module in sorted({*listed, *overviews}):
        write_module(module, overviews.get(module), listed.get(module, []), source)
    return len(symbols)


def write_module(module, overview, entries, source):
    """A library's page: what its catalogue says, then its types with their first sentences."""
    page = module_page(module)
    text = f"# {module}"
    if overview:
        text = source.rewritten((ROOT / overview).read_text(encoding="utf-8"), page, overview, module=module)
    parts = [f"(module-{slug(module)})=\n{text}"]
    if entries:
        rows = ["| | |", "| --- | --- |"]
        for title, place, top in sorted(entries, key=lambda one: one[0].lower()):
            first = re.split(r"(?<=[.:;])\s", " ".join(top.comment.split("\n\n")[0].split()), maxsplit=1)[0] if top else ""
            first = source.rewritten(escaped_outside_code(first).replace("|", r"\|"), page, "", module=module, scope=top.path if top else ())
            rows.append(f"| [`{title}`]({source.relative(page, place)}) | {first} |")
        parts += ["## Declarations", "\n".join(rows)]
    source.write(page, "\n\n".join(parts), module)
