import type { Pause } from '../ports.js';
import type { FileSymbols } from './symbols.js';

/*
 * Ranks files and definitions by who uses them: PageRank (Page et al. 1999) over a graph of files, with weights as in
 * Aider's repository map: https://github.com/Aider-AI/aider/blob/main/aider/repomap.py
 */

/**
 * Files, their definitions, and who uses which definition. Files, definitions and uses are numbered. The numbers of
 * each use are at the same index of the arrays, because the ranks of a large graph are computed many times.
 */
export interface ReferenceGraph {
  readonly paths: readonly string[];
  /** Each name once per file. */
  readonly definitions: readonly (NamedDefinition & { readonly file: number })[];
  readonly uses: {
    /** The file that uses the definition. */
    readonly from: Int32Array;
    readonly definition: Int32Array;
    /** The share of the rank of `from` that the definition gets. The shares of a file sum to 1. */
    readonly share: Float64Array;
  };
}

interface NamedDefinition {
  readonly name: string;
  /** Whether other files cannot use it. */
  readonly isLocal: boolean;
  /** The class of a member, or null. A member with several classes in its file has the first one. */
  readonly container: string | null;
}

export interface RankedDefinition {
  readonly path: string;
  readonly name: string;
  readonly score: number;
}

/** A name that more files define, such as `run`, does not show which file is meant. */
const MOST_DEFINERS = 5;

/** Factors for the weight of a name. Those for long and private names are from Aider. */
const FACTORS = { long: 10, private: 0.1, otherClass: 0.1, ofTests: 0.1 };

/** Code that supports the project. Its helpers are used a lot, but are rarely what a message is about. */
const TESTS = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures|examples|vendor|third_party)\/|[._-](?:test|spec)\.\w+$/i;

export function isTest(path: string): boolean {
  return TESTS.test(path);
}

const NO_SYMBOLS: FileSymbols = { definitions: [], references: new Map(), words: '' };

/** A name with several words and at least this many characters is probably specific to the project. */
const LONG_NAME = 8;

const SEVERAL_WORDS = /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/;

/** Share of the rank that follows the uses. The rest starts again at the wanted files. Standard value of PageRank. */
const DAMPING = 0.85;

/** The ranks change by less than 1 % after this many iterations, because 0.85 ^ 30 < 0.01. */
const ITERATIONS = 30;

/** Number of files between two pauses: some milliseconds of work. */
const FILES_AT_ONCE = 50;

export async function referenceGraph(symbols: ReadonlyMap<string, FileSymbols>, pause: Pause): Promise<ReferenceGraph> {
  const paths = [...symbols.keys()].sort();
  const definitions: ReferenceGraph['definitions'][number][] = [];
  const places = new Map<string, number[]>();
  for (const [file, path] of paths.entries()) {
    await pauseAt(file, pause);
    for (const definition of namedIn(symbols.get(path))) {
      addPlace(places, definition, definitions.length);
      definitions.push({ file, ...definition });
    }
  }
  const [froms, targets, shares]: [number[], number[], number[]] = [[], [], []];
  for (const [from, path] of paths.entries()) {
    await pauseAt(from, pause);
    const own = usesIn(symbols.get(path) ?? NO_SYMBOLS, { paths, definitions, places });
    const sum = own.reduce((total, { weight }) => total + weight, 0);
    for (const { definition, weight } of own) {
      froms.push(from);
      targets.push(definition);
      shares.push(weight / sum);
    }
  }
  await pause();
  return {
    paths,
    definitions,
    uses: { from: new Int32Array(froms), definition: new Int32Array(targets), share: new Float64Array(shares) },
  };
}

async function pauseAt(file: number, pause: Pause): Promise<void> {
  if (file % FILES_AT_ONCE === 0) {
    await pause();
  }
}

/** Returns the definitions of a file, each name once. A name that other files can use counts before a local one. */
function namedIn(file: FileSymbols | undefined): readonly NamedDefinition[] {
  const found = new Map<string, NamedDefinition>();
  for (const { name, isLocal, container } of file?.definitions ?? []) {
    if (found.get(name)?.isLocal !== false) {
      found.set(name, { name, isLocal, container });
    }
  }
  return [...found.values()];
}

/** Adds the number of a definition to those of its name. Other files cannot use a local one. */
function addPlace(places: Map<string, number[]>, { name, isLocal }: NamedDefinition, at: number): void {
  if (!isLocal) {
    const known = places.get(name) ?? [];
    known.push(at);
    places.set(name, known);
  }
}

interface Defined extends Pick<ReferenceGraph, 'paths' | 'definitions'> {
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** Returns the definitions of other files that a file uses. A file that defines a name itself uses its own. */
function usesIn({ references, definitions: defined }: FileSymbols, { paths, definitions, places }: Defined) {
  const own = new Set(defined.map(({ name }) => name));
  return [...references].flatMap(([name, count]) => {
    const found = places.get(name) ?? [];
    const isUnclear = found.length > MOST_DEFINERS || own.has(name);
    // The square root, so that a frequent name does not outweigh all others.
    const weight = Math.sqrt(count) * nameWeight(name);
    const weightOf = ({ file, container }: ReferenceGraph['definitions'][number]): number =>
      weight * memberWeight(container, references) * (isTest(paths[file] ?? '') ? FACTORS.ofTests : 1);
    return isUnclear
      ? []
      : found.flatMap((at) => definitions.slice(at, at + 1).map((each) => ({ definition: at, weight: weightOf(each) })));
  });
}

/**
 * Returns the weight of a use of a member. Many languages have members with the same names, such as `push`. A file that
 * also uses the name of the class probably means the member of this class.
 */
function memberWeight(container: string | null, references: ReadonlyMap<string, number>): number {
  return container === null || references.has(container) ? 1 : FACTORS.otherClass;
}

function nameWeight(name: string): number {
  return (name.length >= LONG_NAME && SEVERAL_WORDS.test(name) ? FACTORS.long : 1) * (name.startsWith('_') ? FACTORS.private : 1);
}

/**
 * Returns the rank of each file, by its number. The ranks sum to 1. `wanted`: the weights of the files that the chat is
 * about, by path. Without such files, all files have the same weight.
 */
export async function fileRanks(graph: ReferenceGraph, wanted: ReadonlyMap<string, number>, pause: Pause): Promise<Float64Array> {
  const { paths, definitions, uses } = graph;
  const to = uses.definition.map((at) => definitions[at]?.file ?? 0);
  const start = startOf(paths, wanted);
  let ranks = start;
  for (let round = 0; round < ITERATIONS; round += 1) {
    await pause();
    const next = new Float64Array(paths.length);
    let followed = 0;
    for (let use = 0; use < to.length; use += 1) {
      const rank = (ranks[uses.from[use] ?? 0] ?? 0) * (uses.share[use] ?? 0);
      next[to[use] ?? 0] = (next[to[use] ?? 0] ?? 0) + rank;
      followed += rank;
    }
    // Files that use nothing give their rank to the wanted files.
    ranks = next.map((rank, at) => DAMPING * rank + (1 - DAMPING * followed) * (start[at] ?? 0));
  }
  return ranks;
}

function startOf(paths: readonly string[], wanted: ReadonlyMap<string, number>): Float64Array {
  const weights = Float64Array.from(paths, (path) => wanted.get(path) ?? 0);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum === 0 ? weights.fill(1 / Math.max(1, paths.length)) : weights.map((weight) => weight / sum);
}

/**
 * Returns the definitions of all files, the best first. A definition gets a part of the ranks of the files that use it.
 * `DAMPING` leaves the rest of a file's own rank to its definitions: half of it to the most used one, a quarter to the
 * next one and so on. So a wanted file shows its main definitions, even if it has many or no file uses them.
 */
export function rankedDefinitions({ paths, definitions, uses }: ReferenceGraph, ranks: Float64Array): readonly RankedDefinition[] {
  const scores = new Float64Array(definitions.length);
  for (let use = 0; use < uses.from.length; use += 1) {
    const at = uses.definition[use] ?? 0;
    scores[at] = (scores[at] ?? 0) + DAMPING * (ranks[uses.from[use] ?? 0] ?? 0) * (uses.share[use] ?? 0);
  }
  const own = ranks.map((rank) => (1 - DAMPING) * rank);
  for (const at of byScore(definitions, scores)) {
    const { file } = definitions[at] ?? { file: 0 };
    own[file] = (own[file] ?? 0) / 2;
    scores[at] = (scores[at] ?? 0) + (own[file] ?? 0);
  }
  return Array.from(byScore(definitions, scores), (at) => {
    const { file, name } = definitions[at] ?? { file: 0, name: '' };
    return { path: paths[file] ?? '', name, score: scores[at] ?? 0 };
  });
}

/** Returns the numbers of the definitions, the best first. Of equal scores, local definitions are last. */
function byScore(definitions: ReferenceGraph['definitions'], scores: Float64Array): Int32Array {
  const locals = Uint8Array.from(definitions, ({ isLocal }) => Number(isLocal));
  return Int32Array.from(definitions, (_, at) => at).sort((a, b) => {
    const difference = (scores[b] ?? 0) - (scores[a] ?? 0);
    return difference === 0 ? (locals[a] ?? 0) - (locals[b] ?? 0) : difference;
  });
}
