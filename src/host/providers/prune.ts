import * as z from 'zod/mini';

/** What is left of a value, null for nothing, and what is wrong with it, a sentence for each place. */
export interface Pruned<T> {
  readonly value: T | null;
  readonly problems: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/**
 * Reads `value` by `schema`. What does not fit is cut out at its place and named, what had to be there takes its
 * object with it, and the rest is read: one wrong price does not cost the user the model. `place` is how messages
 * call the value. Only objects are cut: a fault below a list cuts the whole list.
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
      // What was cut out before and is needed takes along what holds it.
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
    return issue.keys.map((key) => ({ path: [...path, key], text: 'is not known here.' }));
  }
  return [{ path: objectPath(issue.path), text: issue.message }];
}

/** The path as far as it leads through objects. */
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
