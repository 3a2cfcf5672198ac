import type { Pause } from '../ports.js';
import { fileRanks, rankedDefinitions, type RankedDefinition, type ReferenceGraph } from './referenceGraph.js';
import type { FileSymbols, SymbolDefinition } from './symbols.js';

/** The definitions of one folder as text. Subfolders are separate, so that a changed file changes one text. */
export interface FolderMap {
  /** Relative to the workspace, with a slash at the end. `./` for the files outside all folders. */
  readonly folder: string;
  readonly text: string;
}

/** Which definitions the map has. Stays the same while a few files change, so that the map changes little. */
export interface MapPlan {
  /** The names of the chosen definitions by path, the best file first. */
  readonly chosen: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface MapWishes {
  /** The weights of the files that the chat is about, by path. */
  readonly wanted: ReadonlyMap<string, number>;
  /** Paths of files that the request contains anyway. The map omits them. */
  readonly held: ReadonlySet<string>;
  /** Folders that the map omits, with a slash at the end. */
  readonly without: readonly string[];
  /** Maximum number of tokens of the map. */
  readonly most: number;
}

/** A definition has at least this many tokens: spaces, a keyword and a name. */
const LEAST_TOKENS = 4;

/** Chooses the best definitions that have room. `count` returns the tokens of a text. */
export async function planMap(
  graph: ReferenceGraph,
  symbols: ReadonlyMap<string, FileSymbols>,
  { wanted, held, without, most }: MapWishes,
  { count, pause }: { readonly count: (text: string) => number; readonly pause: Pause },
): Promise<MapPlan> {
  const ranks = withMatches(await fileRanks(graph, wanted, pause), graph, wanted);
  const ranked = rankedDefinitions(graph, ranks).filter(
    ({ path }) => !held.has(path) && !without.some((folder) => path.startsWith(folder)),
  );
  await pause();
  const order = graph.paths
    .map((path, at) => ({ path, rank: ranks[at] ?? 0 }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ path }) => path);
  // The number of definitions with room lies from `fits` to before `tooMany`.
  let [fits, tooMany] = [0, Math.min(ranked.length, Math.floor(most / LEAST_TOKENS)) + 1];
  while (tooMany - fits > 1) {
    await pause();
    const middle = Math.floor((fits + tooMany) / 2);
    const folders = mapOf(planOf(ranked.slice(0, middle), order), symbols);
    const tokens = folders.reduce((sum, { text }) => sum + count(`${text}\n\n`), 0);
    [fits, tooMany] = tokens <= most ? [middle, tooMany] : [fits, middle];
  }
  return planOf(ranked.slice(0, fits), order);
}

/** Adds the matches of the files with the message. The ranks sum to 1, so the best match is the best file. */
function withMatches(ranks: Float64Array, { paths }: ReferenceGraph, wanted: ReadonlyMap<string, number>): Float64Array {
  const best = Math.max(0, ...wanted.values());
  // The square makes weaker matches matter less than the users of a good match.
  return best === 0 ? ranks : ranks.map((rank, at) => rank + ((wanted.get(paths[at] ?? '') ?? 0) / best) ** 2);
}

function planOf(ranked: readonly RankedDefinition[], order: readonly string[]): MapPlan {
  const chosen = new Map<string, Set<string>>();
  for (const { path, name } of ranked) {
    const names = chosen.get(path) ?? new Set();
    names.add(name);
    chosen.set(path, names);
  }
  return { chosen: new Map(order.flatMap((path) => (chosen.has(path) ? [[path, chosen.get(path) ?? new Set()]] : []))) };
}

/** Returns the texts of the planned definitions that still exist, by folder. The folder of the best file is first. */
export function mapOf({ chosen }: MapPlan, symbols: ReadonlyMap<string, FileSymbols>): readonly FolderMap[] {
  const folders = new Map<string, string[]>();
  for (const [path, names] of chosen) {
    const lines = fileLines(symbols.get(path)?.definitions ?? [], names);
    if (lines.length > 0) {
      const slash = path.lastIndexOf('/') + 1;
      const folder = slash === 0 ? './' : path.slice(0, slash);
      const known = folders.get(folder) ?? [folder];
      known.push(`  ${path.slice(slash)}`, ...lines);
      folders.set(folder, known);
    }
  }
  return [...folders].map(([folder, lines]) => ({ folder, text: lines.join('\n') }));
}

/** Returns a line for each chosen definition, in the order of the file. Members are below their class. */
function fileLines(definitions: readonly SymbolDefinition[], names: ReadonlySet<string>): string[] {
  const containers = new Set(definitions.filter(({ name }) => names.has(name)).map(({ container }) => container));
  return definitions
    .filter(({ name }) => names.has(name) || containers.has(name))
    .map((definition) => `    ${definition.container === null ? '' : '  '}${shownSignature(definition)}`);
}

/** Maximum number of characters of a type with its members. Of a longer type, the map has only the name. */
const MOST_OF_VALUE = 80;

function shownSignature({ kind, signature }: SymbolDefinition): string {
  const value = signature.indexOf(' = ');
  const isLong = kind === 'type' && value !== -1 && signature.length > MOST_OF_VALUE;
  return isLong ? signature.slice(0, value) : signature;
}
