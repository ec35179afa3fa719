// Prints as JSON what the web client promises to other people's pages: the declarations of its type file, with their comments, and
// the elements that its modules define. Read with the TypeScript compiler, so that what is written there is what is understood.
//
// usage: node web.mjs TYPES.d.ts MODULE.js…

import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';

// The compiler is a file beside the folder of `tsc`, wherever that was installed.
const tsc = realpathSync(execFileSync('sh', ['-c', 'command -v tsc'], { encoding: 'utf8' }).trim());
const ts = createRequire(tsc)('../lib/typescript.js');

/** The sentences of the comment before a node; `withTags` also what stands behind `@returns` and the like. */
function commentOf(node, source, withTags = true) {
  const parts = [];
  for (const comment of node.jsDoc?.slice(-1) ?? []) {
    if (comment.comment) parts.push(ts.getTextOfJSDocComment(comment.comment).trim());
    for (const tag of withTags ? comment.tags ?? [] : []) {
      const text = ts.getTextOfJSDocComment(tag.comment)?.trim();
      const type = tag.typeExpression ? tag.typeExpression.getText(source) : '';
      if (text || tag.tagName.text !== 'type') parts.push(`@${tag.tagName.text} ${[type, tag.name?.text, text].filter(Boolean).join(' ')}`.trim());
    }
  }
  return parts.join('\n\n');
}

/** A node's own text without comments and with single blanks. */
function signatureOf(node, source) {
  const printer = ts.createPrinter({ removeComments: true });
  return printer.printNode(ts.EmitHint.Unspecified, node, source).replace(/\s+/g, ' ').replace(/;$/, '').trim();
}

const KINDS = new Map([
  [ts.SyntaxKind.InterfaceDeclaration, 'interface'], [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
  [ts.SyntaxKind.FunctionDeclaration, 'function'], [ts.SyntaxKind.ClassDeclaration, 'class'],
  [ts.SyntaxKind.EnumDeclaration, 'enum'], [ts.SyntaxKind.VariableStatement, 'constant'],
]);

function declarationsOf(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  for (const node of source.statements) {
    const kind = KINDS.get(node.kind);
    const isExported = node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    if (!kind || !isExported) continue;
    const names = node.declarationList ? node.declarationList.declarations.map((one) => one.name.getText(source)) : [node.name.text];
    for (const name of names) {
      found.push({
        name, kind, comment: commentOf(node, source), text: node.getText(source),
        members: (node.members ?? []).map((member) => ({
          name: member.name?.getText(source) ?? signatureOf(member, source), signature: signatureOf(member, source), comment: commentOf(member, source),
        })),
      });
    }
  }
  return found;
}

/** What a class says of its events in its comment: `@fires name what it means`. */
function eventsSaid(node) {
  const tags = (node.jsDoc?.at(-1)?.tags ?? []).filter((tag) => tag.tagName.text === 'fires');
  return tags.map((tag) => (ts.getTextOfJSDocComment(tag.comment) ?? '').trim().split(/\s+/)).map(([name, ...words]) => [name, words.join(' ')]);
}

/** The value of a property of an object that stands in the source, where it is a plain text. */
function propertyOf(node, name) {
  const found = node && ts.isObjectLiteralExpression(node) ? node.properties.find((one) => one.name?.text === name) : null;
  return found && ts.isPropertyAssignment(found) && ts.isStringLiteralLike(found.initializer) ? found.initializer.text : null;
}

/** How pages style the view: parts and slots that its modules make, and custom properties that its styles read, with what they are without. */
function lookOf(paths) {
  const [parts, slots, properties] = [new Set(), new Set(), new Map()];
  const text = (node) => (node && ts.isStringLiteralLike(node) ? node.text : null);
  for (const path of paths) {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    const visit = (node) => {
      const part = propertyOf(node, 'part');
      if (part) parts.add(part);
      if (ts.isCallExpression(node)) {
        const called = node.expression.getText(source), [first, second] = node.arguments;
        if (/\.setAttribute$/.test(called) && text(first) === 'part' && text(second)) parts.add(text(second));
        if (text(first) === 'slot' && propertyOf(second, 'name')) slots.add(propertyOf(second, 'name'));
        if (called === 'slot' && text(first)) slots.add(text(first));
      }
      if (ts.isStringLiteralLike(node)) {
        for (const [, name, usual] of node.text.matchAll(/var\((--sightline-[\w-]+)(?:,\s*((?:[^()]|\([^()]*\))*))?\)/g)) {
          properties.set(name, (properties.get(name) ?? new Set()).add(usual?.trim() ?? ''));
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return {
    parts: [...parts].sort(), slots: [...slots].sort(),
    properties: [...properties].map(([name, usual]) => ({ name, usual: [...usual].filter(Boolean) })).sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** What the modules define as elements, with the attributes that their classes look at and the events that they send. */
function elementsOf(paths) {
  const classes = new Map();
  const defined = [];
  const text = (node) => (node && ts.isStringLiteralLike(node) ? node.text : null);
  for (const path of paths) {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
    const visit = (node, owner) => {
      if (ts.isClassDeclaration(node) && node.name) {
        owner = { attributes: new Set(), events: new Map(eventsSaid(node)), comment: commentOf(node, source, false), base: node.heritageClauses?.[0]?.types[0].expression.getText(source) };
        classes.set(node.name.text, owner);
      }
      if (owner && ts.isPropertyDeclaration(node) && node.name.getText(source) === 'observedAttributes' && node.initializer && ts.isArrayLiteralExpression(node.initializer)) {
        for (const one of node.initializer.elements) if (text(one)) owner.attributes.add(one.text);
      }
      if (ts.isCallExpression(node)) {
        const called = node.expression.getText(source);
        if (owner && /^this\.(get|has)Attribute$/.test(called) && text(node.arguments[0])) owner.attributes.add(node.arguments[0].text);
        if (/(^|\.)define$/.test(called) && text(node.arguments[0])?.includes('-') && node.arguments[1]) defined.push({ name: node.arguments[0].text, type: node.arguments[1].getText(source) });
      }
      if (owner && ts.isNewExpression(node) && node.expression.getText(source) === 'CustomEvent' && text(node.arguments?.[0]) && !owner.events.has(node.arguments[0].text)) {
        owner.events.set(node.arguments[0].text, '');
      }
      ts.forEachChild(node, (child) => visit(child, owner));
    };
    visit(source, null);
  }
  return defined.map(({ name, type }) => {
    const attributes = new Set();
    const events = new Map();
    let comment = '';
    for (let one = classes.get(type); one; one = classes.get(one.base)) {
      one.attributes.forEach((attribute) => attributes.add(attribute));
      for (const [event, words] of one.events) if (!events.get(event)) events.set(event, words);
      comment ||= one.comment;
    }
    return { name, comment, attributes: [...attributes], events: [...events].map(([event, words]) => ({ name: event, words })), look: name === 'sightline-view' ? lookOf(paths) : null };
  });
}

const [types, ...modules] = process.argv.slice(2);
console.log(JSON.stringify({ declarations: declarationsOf(types), elements: elementsOf(modules) }));
