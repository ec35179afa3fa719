"""The public declarations of the package's libraries, read by the compiler out of modules that are already built."""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import subprocess

from site_source import ROOT, slug


@dataclasses.dataclass
class Symbol:
    """One public declaration."""
    usr: str
    module: str
    kind: str
    path: list
    fragments: list
    comment: str
    # Where it stands in its source, for the order of members.
    location: tuple
    # Its anchor, one in the whole site.
    label: str = ""
    # The page's group: the outermost type, or none for functions and variables of the module.
    group: str = ""
    conforms: list = dataclasses.field(default_factory=list)

    @property
    def is_type(self):
        return self.kind in ("struct", "class", "enum", "protocol", "actor")


def library_modules():
    """Every module that a library of the package hands out, in the manifest's order."""
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    package = json.loads(dump)
    named = [target for product in package["products"] if "library" in product["type"] for target in product["targets"]]
    own = {target["name"] for target in package["targets"]}
    return [name for name in dict.fromkeys(named) if name in own]


def module_maps(build):
    """Folders with the headers of C modules that the package and what it depends on import."""
    folders = [path.parent for path in (ROOT / "Sources").rglob("module.modulemap")]
    folders += [path.parent for path in (build.parent / "checkouts").glob("*/Sources/**/module.modulemap")]
    return [word for folder in folders for word in ("-I", str(folder))]


def extract(build, folder, modules):
    """Writes the symbol graphs of the modules; gives a sentence for each that could not be read."""
    maps = module_maps(build)
    triple = json.loads(subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout)["target"]["triple"]

    def one(module):
        command = ["swift", "symbolgraph-extract", "-module-name", module, "-I", str(build / "Modules"), *maps, "-target", triple,
                   "-output-dir", str(folder), "-minimum-access-level", "public", "-skip-synthesized-members",
                   "-omit-extension-block-symbols"]
        done = subprocess.run(command, capture_output=True, text=True)
        return None if done.returncode == 0 else f"{module}: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else 'no symbol graph'}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [problem for problem in pool.map(one, modules) if problem]


def load(folder, modules):
    """The symbols of the modules' graphs, by module, each with an anchor of its own."""
    found, conforms = {}, {}
    for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        module = path.name.removesuffix(".symbols.json").split("@")[0]
        if module not in modules:
            continue
        graph = json.loads(path.read_text(encoding="utf-8"))
        for record in graph["symbols"]:
            usr = record["identifier"]["precise"]
            # What the compiler or a protocol's extension gives to every type is no declaration of this package.
            if "::SYNTHESIZED::" in usr or "location" not in record:
                continue
            comment = "\n".join(line["text"] for line in record.get("docComment", {}).get("lines", []))
            place = record["location"]
            found.setdefault(usr, Symbol(
                usr, module, record["kind"]["identifier"].removeprefix("swift."), record["pathComponents"],
                record["declarationFragments"], comment,
                (place["uri"], place["position"]["line"], place["position"]["character"])))
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom") and "::SYNTHESIZED::" not in relation["source"]:
                conforms.setdefault(relation["source"], {})[relation.get("targetFallback") or relation["target"]] = relation["target"]
    taken = set()
    for symbol in sorted(found.values(), key=lambda one: (one.module, one.path, one.location)):
        symbol.conforms = sorted(conforms.get(symbol.usr, {}).items())
        symbol.group = symbol.path[0] if len(symbol.path) > 1 or symbol.is_type else ""
        base = label = slug("-".join([symbol.module, *symbol.path]))
        number = 1
        while label in taken:
            number += 1
            label = f"{base}-{number}"
        taken.add(label)
        symbol.label = label
    return list(found.values())


class Resolver:
    """Finds what a DocC link names."""

    def __init__(self, symbols):
        self.by_path = {}
        self.everywhere = {}
        for symbol in symbols:
            whole = "/".join(symbol.path)
            # A function may be named without its arguments.
            for path in {whole, whole.split("(")[0]}:
                self.by_path.setdefault((symbol.module, path), symbol.label)
                self.everywhere.setdefault(path, set()).add(symbol.label)
        self.modules = {symbol.module for symbol in symbols}

    def __call__(self, name, module, scope=()):
        name = name.lstrip("/")
        for path in (name, name.rpartition("-")[0]):
            if not path:
                continue
            first, _, rest = path.partition("/")
            if first in self.modules:
                if not rest:
                    return f"module-{slug(first)}"
                if (first, rest) in self.by_path:
                    return self.by_path[first, rest]
            for length in range(len(scope), -1, -1):
                inner = "/".join([*scope[:length], path])
                if (module, inner) in self.by_path:
                    return self.by_path[module, inner]
            if len(self.everywhere.get(path, ())) == 1:
                return next(iter(self.everywhere[path]))
        return None
