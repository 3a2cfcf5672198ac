import * as z from 'zod/mini';

/** The valid rest of a value, null for none, and one sentence for each invalid place. */
export interface Pruned<T> {
  readonly value: T | null;
  readonly problems: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/**
 * Reads `value` by `schema`. An invalid member is cut out and named; when a required member is cut, its object is
 * cut, too. The rest is read: one wrong price does not cost the user the model. `place` is the name of the value in
 * messages. Only objects are cut: a fault inside a list cuts the whole list.
 */
export function prune<S extends z.ZodMiniType>(schema: S, value: unknown, place: string): Pruned<z.infer<S>> {
  const problems: string[] = [];
  const cut = new Set<string>();
  let rest = value;
  for (;;) {
    const result = z.safeParse(schema, rest);
    if (result.success) {
      return { value: result.data, problems };
    }
    const before = new Set(cut);
    const found = new Map(result.error.issues.flatMap(faults).map((fault) => [nameOf(place, fault.path), fault]));
    for (const [name, { path, text }] of found) {
      // A fault at a place that was already cut: the member is required, so its object goes, too.
      const isNeeded = before.has(name);
      if (!isNeeded) {
        problems.push(`${name} ${text}`);
      }
      const gone = isNeeded ? path.slice(0, -1) : path;
      if (gone.length === 0) {
        return { value: null, problems };
      }
      rest = without(rest, gone);
      cut.add(nameOf(place, gone));
    }
  }
}

/** `loupe.providers[0].prices` */
function nameOf(place: string, path: Path): string {
  return [place, ...path].join('.');
}

function faults(issue: z.core.$ZodIssue): { readonly path: Path; readonly text: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const path = objectPath(issue.path);
    return issue.keys.map((key) => ({ path: [...path, key], text: 'is unknown.' }));
  }
  return [{ path: objectPath(issue.path), text: issue.message }];
}

/** The start of a path, up to the first list. */
function objectPath(path: readonly PropertyKey[]): Path {
  const list = path.findIndex((key) => typeof key !== 'string');
  return (list === -1 ? path : path.slice(0, list)) as Path;
}

function without(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) {
    return undefined;
  }
  const members = value as Members;
  const others = Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  return rest.length === 0 || !Object.hasOwn(members, key) ? others : { ...others, [key]: without(members[key], rest) };
}
