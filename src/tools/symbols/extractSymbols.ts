import type { Node, QueryCapture, QueryMatch } from 'web-tree-sitter';
import { stemmer } from 'stemmer';
import { fileWords } from '../../engine/repository/fileWords.js';
import { SIGNATURE_LENGTH, type FileSymbols, type SymbolDefinition, type SymbolKind } from '../../engine/repository/symbols.js';

/** To increase with each change of the code that changes symbols or words. Loupe then ignores stored ones. */
export const EXTRACTION_VERSION = 4;

const KINDS: Readonly<Record<SymbolKind, true>> = {
  class: true,
  interface: true,
  type: true,
  enum: true,
  function: true,
  method: true,
  constant: true,
  module: true,
};

/** Definitions with these members: a function in them is a method. `scope` is an `impl` of Rust. */
const METHOD_HOLDERS: ReadonlySet<Found['kind']> = new Set(['class', 'interface', 'enum', 'scope']);

/** Decorators, annotations and attributes before a definition. A signature omits them. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['decorator', 'annotation', 'marker_annotation', 'attribute_list']);

/** A definition or a scope in the syntax tree. Offsets are in UTF-16 code units. */
interface Found {
  readonly kind: SymbolKind | 'scope';
  readonly name: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly signature: string;
  /** From the definition itself, such as the receiver of a Go method. Null if the position decides. */
  readonly container: string | null;
  readonly isExported: boolean;
}

/**
 * Returns the symbols of a file. `matches` are those of the language's query (`queries.ts`) in the file's syntax tree.
 * Omits definitions inside functions, because other files cannot use them.
 */
export function extractSymbols(matches: readonly QueryMatch[], source: string): FileSymbols {
  const { found, names, uses, exported } = sorted(matches, source);
  const references = new Map<string, number>();
  for (const { startIndex, endIndex } of uses) {
    // The name of a type in its definition looks like a use of the type.
    if (!names.has(startIndex)) {
      const name = source.slice(startIndex, endIndex);
      references.set(name, (references.get(name) ?? 0) + 1);
    }
  }
  return { definitions: withLocals(placed(found), found, exported), references, words: fileWords(source, stemmer) };
}

interface SortedMatches {
  readonly found: readonly Found[];
  /** Offsets of the names of definitions. */
  readonly names: ReadonlySet<number>;
  readonly uses: Iterable<Node>;
  /** Names in export lists of JavaScript. Null if the file is no module: other files can then use all its names. */
  readonly exported: ReadonlySet<string> | null;
}

function sorted(matches: readonly QueryMatch[], source: string): SortedMatches {
  const definitions = new Map<number, QueryMatch>();
  const uses = new Map<number, Node>();
  const exported = new Set<string>();
  let isModule = false;
  for (const match of matches) {
    if (captured(match.captures, 'export') !== null) {
      const own = captured(match.captures, 'exported');
      isModule = true;
      exported.add(own === null ? '' : textOf(own, source));
      continue;
    }
    const use = captured(match.captures, 'ref');
    const name = captured(match.captures, 'name');
    if (use !== null) {
      // Several patterns can match the same use.
      uses.set(use.startIndex, use);
    } else if (name !== null && (definitions.get(name.startIndex)?.patternIndex ?? Infinity) > match.patternIndex) {
      definitions.set(name.startIndex, match);
    }
  }
  const found = [...definitions.values()].flatMap((match) => foundIn(match, source));
  const names = new Set(
    [...definitions].flatMap(([start, { captures }]) => (captures.some(({ name }) => name === 'scope') ? [] : [start])),
  );
  return { found, names, uses: uses.values(), exported: isModule ? exported : null };
}

function captured(captures: readonly QueryCapture[], name: string): Node | null {
  return captures.find((capture) => capture.name === name)?.node ?? null;
}

function foundIn({ captures }: QueryMatch, source: string): Found[] {
  const definition = captures.find(({ name }) => isKind(name));
  const nameNode = captured(captures, 'name');
  if (definition === undefined || nameNode === null || !isKind(definition.name)) {
    return [];
  }
  const { node } = definition;
  const name = textOf(nameNode, source);
  const span = { start: beginOf(node), end: captured(captures, 'body')?.startIndex ?? node.endIndex };
  const keyword = captured(captures, 'keyword');
  const head = keyword === null ? '' : `${textOf(keyword, source)} `;
  const container = captured(captures, 'container');
  const found: Found = {
    kind: definition.name,
    name: name.replace(/^(['"])(.*)\1$/, '$2'),
    line: nameNode.startPosition.row + 1,
    start: node.startIndex,
    end: node.endIndex,
    signature: signatureOf(head, source, definition.name === 'constant' ? withoutValue(span, nameNode, source) : span),
    container: container === null ? null : textOf(container, source),
    isExported: node.parent?.type === 'export_statement',
  };
  // Go discards what has the name `_`.
  return name === '_' ? [] : [found];
}

function isKind(name: string): name is Found['kind'] {
  return name === 'scope' || Object.hasOwn(KINDS, name);
}

function textOf({ startIndex, endIndex }: Node, source: string): string {
  return source.slice(startIndex, endIndex);
}

/** Returns the offset after the annotations of a definition. In Java, they are among the modifiers. */
function beginOf(node: Node): number {
  let child = node.firstChild;
  while (child !== null && (ANNOTATIONS.has(child.type) || child.type === 'modifiers')) {
    if (child.type === 'modifiers') {
      const modifier = child.children.find(({ type }) => !ANNOTATIONS.has(type));
      return modifier?.startIndex ?? child.nextSibling?.startIndex ?? node.startIndex;
    }
    child = child.nextSibling;
  }
  return child?.startIndex ?? node.startIndex;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the part of a constant without its value and without other constants. A value may be a password or a key. */
function withoutValue({ start, end }: Span, { startIndex, endIndex, parent }: Node, source: string): Span {
  const isFirst = !source.slice(start, startIndex).includes('=');
  const sign = source.indexOf('=', endIndex);
  const last = parent?.type === 'preproc_def' ? endIndex : sign === -1 ? end : Math.min(sign, end);
  return { start: isFirst ? start : startIndex, end: last };
}

/** A default value of a parameter may be a password or a key. Rust has single quotes without an end. */
const LONG_TEXT = /(["`])(?:\\.|(?!\1).){16,}?(?:\1|$)|'(?:\\.|[^'\\\s()<>]){16,}'/g;

/** A signature needs no more characters of the source, also with much white space. */
const MOST_READ = 8 * SIGNATURE_LENGTH;

function signatureOf(head: string, source: string, { start, end }: Span): string {
  const line = (head + source.slice(start, Math.min(end, start + MOST_READ)))
    .replace(/\s+/g, ' ')
    .replace(LONG_TEXT, '"…"')
    .replace(/([([]) | (?=[)\]])/g, '$1')
    .replace(/,(?=[)\]])/g, '')
    .replace(/ ?(?:\{|=>|=|:|;) ?$/, '')
    .trim();
  return line.length <= SIGNATURE_LENGTH ? line : `${wholeCharacters(line, SIGNATURE_LENGTH - 1)}…`;
}

/** Returns the begin of a text, without half of a surrogate pair at its end. */
function wholeCharacters(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Adds the containers, and removes definitions inside functions. A loop, because syntax trees can be deep. */
function placed(all: readonly Found[]): SymbolDefinition[] {
  const definitions: SymbolDefinition[] = [];
  const around: Found[] = [];
  for (const found of all.toSorted((a, b) => (a.start === b.start ? b.end - a.end : a.start - b.start))) {
    while ((around.at(-1)?.end ?? Infinity) <= found.start) {
      around.pop();
    }
    if (found.kind !== 'scope' && !around.some(({ kind }) => kind === 'function' || kind === 'method')) {
      const outer = around.findLast((one) => canContain(one, found)) ?? null;
      const { name, line, signature } = found;
      definitions.push({
        name,
        isLocal: false,
        kind: kindIn(found, outer, found.kind),
        line,
        signature,
        container: found.container ?? outer?.name ?? null,
      });
    }
    around.push(found);
  }
  return definitions.sort((a, b) => a.line - b.line);
}

/** Marks what a module does not export, with its members. `exported`: null for a file that is no module. */
function withLocals(
  definitions: readonly SymbolDefinition[],
  found: readonly Found[],
  exported: ReadonlySet<string> | null,
): readonly SymbolDefinition[] {
  if (exported === null) {
    return definitions;
  }
  const visible = new Set([...exported, ...found.filter(({ isExported }) => isExported).map(({ name }) => name)]);
  return definitions.map((definition) => ({ ...definition, isLocal: !visible.has(definition.container ?? definition.name) }));
}

function kindIn({ container }: Found, outer: Found | null, kind: SymbolKind): SymbolKind {
  const isMember = container !== null || (outer !== null && METHOD_HOLDERS.has(outer.kind));
  return kind === 'function' && isMember ? 'method' : kind;
}

/** A constant or type contains only the methods of its object. One statement can have several definitions. */
function canContain(outer: Found, inner: Found): boolean {
  const isValue = outer.kind === 'constant' || outer.kind === 'type';
  return (!isValue || inner.kind === 'method') && (outer.start !== inner.start || outer.end !== inner.end);
}
