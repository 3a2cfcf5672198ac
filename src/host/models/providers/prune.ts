import * as z from 'zod/mini';

/** The valid part of a value (null when nothing is usable), and one sentence for each problem. */
export interface PruneResult<T> {
  readonly value: T | null;
  readonly problems: readonly string[];
}

type ObjectMembers = Readonly<Record<string, unknown>>;
type MemberPath = readonly (string | number)[];

interface Fault {
  /** The place of the problem. */
  readonly at: MemberPath;
  /** The part to remove: the invalid member, or the list item that contains it. */
  readonly cut: MemberPath;
  readonly text: string;
}

/**
 * Reads `value` by `schema` and keeps its valid parts: one wrong price does not cost the user the whole model. Removes
 * an invalid member; if the member is required, removes its object, too. Removes a list item as a whole. `place` is the
 * name of the value in messages.
 */
export function prune<S extends z.ZodMiniType>(schema: S, value: unknown, place: string): PruneResult<z.infer<S>> {
  const problems: string[] = [];
  const cut = new Set<string>();
  let rest = value;
  for (;;) {
    const result = z.safeParse(schema, rest);
    if (result.success) {
      return { value: result.data, problems };
    }
    const before = new Set(cut);
    const found = new Map(result.error.issues.flatMap(faults).map((fault) => [nameOf(place, fault.cut), fault]));
    // A problem at a removed place means that the member is required. Then its object is removed.
    const isNeeded = (name: string): boolean => before.has(name);
    problems.push(...[...found].filter(([name]) => !isNeeded(name)).map(([, { at, text }]) => `${nameOf(place, at)} ${text}`));
    // Starts with the last list item, because a removal moves the later ones.
    for (const [name, { cut: path }] of [...found].reverse()) {
      const gone = isNeeded(name) ? path.slice(0, -1) : path;
      if (gone.length === 0) {
        return { value: null, problems };
      }
      rest = without(rest, gone);
      cut.add(nameOf(place, gone));
    }
  }
}

/** Example: `loupe.providers[0].prices.longPrompts[1]` */
function nameOf(place: string, path: MemberPath): string {
  return path.reduce<string>((name, key) => (typeof key === 'number' ? `${name}[${String(key)}]` : `${name}.${key}`), place);
}

function faults(issue: z.core.$ZodIssue): Fault[] {
  const at = issue.path as MemberPath;
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => faultAt([...at, key], 'is unknown.')) : [faultAt(at, issue.message)];
}

function faultAt(at: MemberPath, text: string): Fault {
  const item = at.findIndex((key) => typeof key === 'number');
  return { at, cut: item === -1 ? at : at.slice(0, item + 1), text };
}

function without(value: unknown, path: MemberPath): unknown {
  const [key, ...rest] = path;
  if (Array.isArray(value) && typeof key === 'number') {
    return value.toSpliced(key, 1);
  }
  if (key === undefined || typeof value !== 'object' || value === null) {
    return undefined;
  }
  const members = value as ObjectMembers;
  const others = Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  return rest.length === 0 || !Object.hasOwn(members, key) ? others : { ...others, [key]: without(members[key], rest) };
}
