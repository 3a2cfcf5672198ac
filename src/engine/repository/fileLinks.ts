import type { FileLink } from '../record/manifest.js';
import type { ReferenceGraph } from './referenceGraph.js';

/** The links of files by path. */
export type FileLinks = ReadonlyMap<string, FileLink>;

export const NO_LINKS: FileLinks = new Map();

/** The links of all files of a graph, because the preview after each key press needs some of them. */
const KNOWN = new WeakMap<ReferenceGraph, FileLinks>();

/** Returns the links of these files. A file without symbols has none. */
export function fileLinks(graph: ReferenceGraph, paths: ReadonlySet<string>): FileLinks {
  const known = KNOWN.get(graph) ?? allLinks(graph);
  KNOWN.set(graph, known);
  return new Map(
    [...paths].flatMap((path) => {
      const link = known.get(path);
      return link === undefined ? [] : [[path, link] as const];
    }),
  );
}

function allLinks({ paths, definitions, uses }: ReferenceGraph): FileLinks {
  const used = paths.map(() => new Set<number>());
  for (const [at, definition] of uses.definition.entries()) {
    const from = uses.from[at] ?? 0;
    used[from]?.add(definitions[definition]?.file ?? from);
  }
  const users = new Array<number>(paths.length).fill(0);
  const groups = new Groups(paths.length);
  const grouped = new Set<number>();
  for (const [from, files] of used.entries()) {
    files.delete(from);
    for (const to of files) {
      users[to] = (users[to] ?? 0) + 1;
      if (used[to]?.has(from) === true) {
        groups.join(from, to);
        grouped.add(from).add(to);
      }
    }
  }
  const groupOf = (at: number): string | null => (grouped.has(at) ? (paths[groups.first(at)] ?? null) : null);
  return new Map(paths.map((path, at) => [path, { users: users[at] ?? 0, group: groupOf(at) }]));
}

/** Groups of numbers. Each number starts in a group of its own. */
class Groups {
  /** A lower number of the same group, or the number itself if it is the first of its group. */
  readonly #lower: number[];

  constructor(count: number) {
    this.#lower = Array.from({ length: count }, (_, at) => at);
  }

  first(at: number): number {
    let first = at;
    for (let lower = this.#lower[first] ?? first; lower !== first; lower = this.#lower[first] ?? first) {
      first = lower;
    }
    this.#lower[at] = first;
    return first;
  }

  join(a: number, b: number): void {
    const [one, other] = [this.first(a), this.first(b)];
    this.#lower[Math.max(one, other)] = Math.min(one, other);
  }
}
