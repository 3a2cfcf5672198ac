import { type Atoms, atomsOf, isSpaceless, isWord } from './atoms.js';

/* Finds the names of many items in a text in one pass: whole paths, addresses and words only. */

/** A node of the tree of all names. An edge is an atom. */
interface NameNode {
  readonly next: Map<string, NameNode>;
  /** Keys of the items whose name ends here. */
  readonly keys: string[];
}

export interface NameTree {
  readonly names: NameNode;
  readonly addresses: NameNode;
}

/** An occurrence of a name: the atoms `from` to before `to`. */
export interface FoundName {
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Whether the name is an address such as `https://example.com/a`. */
  readonly isAddress: boolean;
}

/** Prefixes of a path that do not change the file: of the workspace folder, and of the files of a diff. */
const SAME_FILE = ['./', '--- a/', '+++ b/'].map((prefix) => atomsOf(prefix).atoms);

/** Characters that join a name with a word before or after the name to a longer name. */
const JOINING = new Set(['.', '/', '-', '+', '&', '%', '~']);

/** Characters that join a name only with a word directly before them: `me@a.ts`, but not `@a.ts`. */
const JOINING_AFTER_WORD = new Set(['@', '#', '$']);

/** Characters that continue an address, in addition to `JOINING`. */
const IN_ADDRESS = new Set(['?', '=', ':', '@', '$', '!', ',', ';', '*', "'"]);

/** Matches a character that ends an address in a text. */
const AFTER_ADDRESS = /^[\s<>"`)\]}|。，、；：！？）】」』]/;

const QUOTATION_MARKS = new Set(['`', '"', '“', '”', '„', '«', '»', '‹', '›', '「', '」', '『', '』']);

/** Matches a name that prose can contain by chance: words without a mark such as `.`, `/`, `-` or `_`. */
const PLAIN = /^[\p{L}\p{M}\p{N}\s]+$/u;

const ADDRESS = /^[A-Za-z][\w+.-]*:\/\//;

export function nameTree(names: Iterable<readonly [name: string, key: string]>): NameTree {
  const tree: NameTree = { names: newNode(), addresses: newNode() };
  for (const [name, key] of names) {
    const isAddress = ADDRESS.test(name);
    let node = isAddress ? tree.addresses : tree.names;
    for (const atom of atomsOf(isAddress ? withoutEnd(name) : name).atoms) {
      const next = node.next.get(atom) ?? newNode();
      node.next.set(atom, next);
      node = next;
    }
    node.keys.push(key);
  }
  return tree;
}

function newNode(): NameNode {
  return { next: new Map(), keys: [] };
}

/** Returns an address without its fragment and the slash at its end, which do not change the page. */
function withoutEnd(address: string): string {
  return address.replace(/#.*$/s, '').replace(/\/+$/, '');
}

/**
 * Returns the names in a text. Of names that begin at one place, returns the longest. A plain word is a name only in
 * quotation marks or as the whole text.
 */
export function namesIn(source: Atoms, tree: NameTree): readonly FoundName[] {
  const found: FoundName[] = [];
  const { atoms } = source;
  for (let at = 0; at < atoms.length; ) {
    const addressEnd = endOfAddress(atoms, at);
    const isAddress = addressEnd !== null;
    const name = isAddress
      ? longest(atoms, at, tree.addresses, (to) => endsAddress(atoms, to))
      : longest(atoms, at, tree.names, (to) => startsName(atoms, at) && endsName(atoms, to) && isMarked(source, at, to));
    if (name !== null) {
      found.push({ ...name, isAddress });
    }
    at = addressEnd ?? name?.to ?? at + 1;
  }
  return found;
}

type Match = Omit<FoundName, 'isAddress'>;

function longest(atoms: Atoms['atoms'], from: number, root: NameNode, isWhole: (to: number) => boolean): Match | null {
  let best: Match | null = null;
  let node = root.next.get(atoms[from] ?? '');
  for (let to = from + 1; node !== undefined; to += 1) {
    if (node.keys.length > 0 && isWhole(to)) {
      best = { keys: node.keys, from, to };
    }
    node = node.next.get(atoms[to] ?? '');
  }
  return best;
}

/** Returns the end of the address that begins at an atom. Null if no address begins there. */
function endOfAddress(atoms: Atoms['atoms'], at: number): number | null {
  if (atoms[at + 1] !== ':' || atoms[at + 2] !== '/' || atoms[at + 3] !== '/' || !isWord(atoms[at])) {
    return null;
  }
  let end = at + 4;
  while (end < atoms.length && !AFTER_ADDRESS.test(atoms[end] ?? '') && !isSpaceless(atoms[end] ?? '')) {
    end += 1;
  }
  return end;
}

/** Whether no further part of an address follows. A fragment or a slash at the end does not change the page. */
function endsAddress(atoms: Atoms['atoms'], to: number): boolean {
  const at = atoms[to] === '/' ? to + 1 : to;
  const [next, after] = [atoms[at], atoms[at + 1]];
  if (next === undefined || next === '#') {
    return true;
  }
  if (isWord(next)) {
    return at === to && endsName(atoms, to);
  }
  return !((JOINING.has(next) || IN_ADDRESS.has(next)) && (isWord(after) || after === '/'));
}

/** Whether no part of a longer name comes before this atom. */
function startsName(atoms: Atoms['atoms'], from: number): boolean {
  let at = from;
  for (let prefix = prefixBefore(atoms, at); prefix > 0; prefix = prefixBefore(atoms, at)) {
    at -= prefix;
  }
  const [before, first] = [atoms[at - 1], atoms[at]];
  if (before === undefined) {
    return true;
  }
  if (isWord(before)) {
    return isWord(first) && isSpaceless(before) !== isSpaceless(first);
  }
  return !JOINING.has(before) && !(JOINING_AFTER_WORD.has(before) && isWord(atoms[at - 2]));
}

/** Returns the number of atoms of the prefix in `SAME_FILE` before an atom. 0 without such a prefix. */
function prefixBefore(atoms: Atoms['atoms'], at: number): number {
  return SAME_FILE.find((each) => each.every((atom, index) => atoms[at - each.length + index] === atom))?.length ?? 0;
}

/** Whether no part of a longer name follows before this atom. */
function endsName(atoms: Atoms['atoms'], to: number): boolean {
  const [last, next] = [atoms[to - 1], atoms[to]];
  if (isWord(next)) {
    return isWord(last) && !isSpaceless(last) && isSpaceless(next);
  }
  return next !== '~' && !(JOINING.has(next ?? '') && isWord(atoms[to + 1]));
}

/** Whether a name is certainly a name here: not a plain word, in quotation marks, or the whole text. */
function isMarked({ text, atoms, starts }: Atoms, from: number, to: number): boolean {
  const isWhole = from === 0 && to === atoms.length;
  const isQuoted = QUOTATION_MARKS.has(atoms[from - 1] ?? '') && QUOTATION_MARKS.has(atoms[to] ?? '');
  return isWhole || isQuoted || !PLAIN.test(text.slice(starts[from], starts[to]));
}
