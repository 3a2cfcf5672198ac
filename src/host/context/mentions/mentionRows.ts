import type { Catalog } from '../../../engine/context/catalogItem.js';
import type { ToolServer } from '../../../engine/tools/tool.js';
import { itemKey } from '../../../engine/record/item.js';
import { MOST_MENTIONS, type MentionRow } from '../../../protocol/panel/mentions.js';
import { hasBinaryExtension } from '../files/binaryExtensions.js';
import { compareNaturally } from '../files/naturalOrder.js';
import { fitOf } from './fit.js';
import type { MentionedResource } from './mentionedResources.js';

/** What may be mentioned. Paths are within the workspace. */
export interface Mentionable {
  /** Files in editors, the active one first. */
  readonly open: readonly string[];
  /** All files found, in any order. */
  readonly files: readonly string[];
  readonly catalog: Catalog;
  /** In the order of their servers. */
  readonly resources: readonly MentionedResource[];
  /** What may have resources, whether it runs or not. */
  readonly servers: readonly Pick<ToolServer, 'name' | 'status'>[];
  /** The keys of what is in the chat. */
  readonly held: ReadonlySet<string>;
}

interface Candidate extends Omit<MentionRow, 'matches'> {
  /** That of its file. */
  readonly path: string;
}

/** Of two that fit alike, the file that is open comes first. */
const OPEN = 0.5;
/** Without a text all fit alike: files that are not open, and resources, fill what rules, references and skills leave. */
const REST = 1;

const KINDS = ['file', 'rule', 'reference', 'skill', 'tool', 'server'] as const;

/** Most characters of what a server says of a resource: more would not be seen in its row. */
const LONGEST_ABOUT = 300;

/** What fits a text best, by kinds. Without a text: what is open, then rules, references and skills, then other files. */
export function mentionRows(text: string, { open, files, catalog, resources, servers, held }: Mentionable): MentionRow[] {
  const items = [...catalog].filter(([, { isEnabled, problem }]) => isEnabled && problem === null);
  // A file that is a rule has its row among the rules.
  const known = new Set([...open, ...items.map(([, { source }]) => source)]);
  const shown = open.filter((path) => items.every(([, { source }]) => source !== path));
  const others = files.filter((path) => !known.has(path) && !hasBinaryExtension(path));
  const candidates = [
    ...[...shown, ...others].map((path) => fileCandidate(path, held)),
    ...items.map(([key, { type, name, description, source }]) => ({
      ...{ key, kind: type, name, about: description, isIn: held.has(key), path: source },
    })),
    ...resources.map((resource) => resourceCandidate(resource, held)),
    ...servers.flatMap((server) => startRow(server, 'resources').map((row) => ({ ...row, path: row.name }))),
  ];
  const found = candidates.flatMap((candidate, at) => {
    const fit = fitOf(text.toLowerCase(), candidate);
    const isOther = at >= shown.length && at < shown.length + others.length;
    const isRest = text === '' && (isOther || at >= shown.length + others.length + items.length);
    return fit === null ? [] : [{ candidate, fit, rank: fit.rank - (at < shown.length ? OPEN : 0) + (isRest ? REST : 0) }];
  });
  found.sort((a, b) => (a.rank === b.rank ? byName(a.candidate, b.candidate) : a.rank - b.rank));
  const best = found.slice(0, MOST_MENTIONS);
  return KINDS.flatMap((kind) => best.filter(({ candidate }) => candidate.kind === kind)).map(
    ({ candidate: { path: _path, ...candidate }, fit }) => ({
      ...candidate,
      matches: fit.matches,
    }),
  );
}

function fileCandidate(path: string, held: ReadonlySet<string>): Candidate {
  const cut = path.lastIndexOf('/') + 1;
  const key = itemKey({ type: 'file', name: path });
  return { key, kind: 'file', name: path.slice(cut), about: path.slice(0, Math.max(0, cut - 1)), isIn: held.has(key), path };
}

function resourceCandidate({ item, title, description }: MentionedResource, held: ReadonlySet<string>): Candidate {
  const key = itemKey(item);
  const about = `${item.serverName}: ${description === '' ? item.name : description}`.slice(0, LONGEST_ABOUT);
  return { key, kind: 'reference', name: title, about, isIn: held.has(key), path: item.name };
}

function byName(a: Candidate, b: Candidate): number {
  return a.name.length === b.name.length ? compareNaturally(`${a.name}/${a.about}`, `${b.name}/${b.about}`) : a.name.length - b.name.length;
}

/** The row that starts a server, so that what it lists is known; none for one that runs or starts. */
export function startRow({ name, status }: Pick<ToolServer, 'name' | 'status'>, listed: 'prompts' | 'resources'): readonly MentionRow[] {
  return status === 'stopped' || status === 'failed'
    ? [{ key: name, kind: 'server', name, about: `does not run. Start it to see its ${listed}`, matches: [], isIn: false }]
    : [];
}
