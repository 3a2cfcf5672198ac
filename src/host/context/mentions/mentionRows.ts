import type { Catalog } from '../../../engine/context/catalogItem.js';
import { itemKey } from '../../../engine/record/item.js';
import { MOST_MENTIONS, type MentionRow } from '../../../protocol/panel/toWebview.js';
import { compareNaturally, hasBinaryExtension } from '../files/fileNames.js';
import { fitOf } from './fit.js';
import type { ListedServer, MentionedResource } from './mentionedResources.js';

/** The candidates for a mention. Paths are workspace paths. */
export interface MentionSources {
  /** Files in editors. The file of the active editor is first. */
  readonly open: readonly string[];
  /** All workspace files that were found, in any order. */
  readonly files: readonly string[];
  readonly catalog: Catalog;
  /** Resources of MCP servers, in the order of the servers. */
  readonly resources: readonly MentionedResource[];
  /** The servers that can have resources, running or not. */
  readonly servers: readonly ListedServer[];
  readonly held: ReadonlySet<string>;
}

interface MentionCandidate extends Omit<MentionRow, 'matches' | 'tokens' | 'problem'> {
  /** Text that Loupe also searches: usually the path of a file. */
  readonly path: string;
}

/** Advantage in rank of an open file over another file with an equal fit. */
const OPEN = 0.5;
/** Added to the rank of closed files, resources and servers while no text is typed. They then come later. */
const REST = 1;
/** The same for tools, which come last: a chat can have dozens of tools, and offers most of them without a mention. */
const LAST = 2;

const KINDS = ['file', 'rule', 'reference', 'skill', 'tool', 'page', 'server', 'serverLog'] as const;

/** Maximum number of characters of a resource's description. A row has no more space. */
const LONGEST_ABOUT = 300;

/** Returns a row that fetches a web page, if the text is an address. */
export function pageRow(text: string, held: ReadonlySet<string>): readonly MentionRow[] {
  if (!/^https?:\/\/[^/]*\w/i.test(text)) {
    return [];
  }
  const key = itemKey({ type: 'page', name: text });
  const about = 'Fetch this page and add it to the chat';
  return [{ key, kind: 'page', name: text, about, matches: [], isIn: held.has(key), tokens: null, problem: null }];
}

/** Returns the best rows, grouped by kind. Without text: open files, rules, references, skills, others, then tools. */
export function mentionRows(text: string, { open, files, catalog, resources, servers, held }: MentionSources): MentionRow[] {
  const items = [...catalog].filter(([, { offBy, problem }]) => offBy === null && problem === null);
  // Lists a file that is a rule only among the rules.
  const known = new Set([...open, ...items.map(([, { source }]) => source)]);
  const shown = open.filter((path) => items.every(([, { source }]) => source !== path));
  const others = files.filter((path) => !known.has(path) && !hasBinaryExtension(path));
  const candidates = [
    ...[...shown, ...others].map((path) => fileCandidate(path, held)),
    ...items.map(([key, { type, name, description, source }]) => ({
      ...{ key, kind: type, name, about: description, isIn: held.has(key), path: source },
    })),
    ...resources.map((resource) => resourceCandidate(resource, held)),
    ...servers.flatMap((server) => serverRows(server, 'resources').map((row) => ({ ...row, path: row.name }))),
  ];
  const searched = text.toLowerCase().normalize('NFC');
  const found = candidates.flatMap((candidate, at) => {
    const fit = fitOf(searched, candidate);
    const isOther = at >= shown.length && at < shown.length + others.length;
    const isRest = isOther || at >= shown.length + others.length + items.length;
    const later = text !== '' ? 0 : candidate.kind === 'tool' ? LAST : isRest ? REST : 0;
    return fit === null ? [] : [{ candidate, fit, rank: fit.rank - (at < shown.length ? OPEN : 0) + later }];
  });
  found.sort((a, b) => (a.rank === b.rank ? byName(a.candidate, b.candidate) : a.rank - b.rank));
  const best = found.slice(0, MOST_MENTIONS);
  return KINDS.flatMap((kind) => best.filter(({ candidate }) => candidate.kind === kind)).map(
    ({ candidate: { path: _path, ...candidate }, fit }) => ({
      ...candidate,
      matches: fit.matches,
      tokens: null,
      problem: null,
    }),
  );
}

function fileCandidate(path: string, held: ReadonlySet<string>): MentionCandidate {
  const key = itemKey({ type: 'file', name: path });
  const shown = path.normalize('NFC');
  const cut = shown.lastIndexOf('/') + 1;
  return { key, kind: 'file', name: shown.slice(cut), about: shown.slice(0, Math.max(0, cut - 1)), isIn: held.has(key), path: shown };
}

function resourceCandidate({ item, title, description }: MentionedResource, held: ReadonlySet<string>): MentionCandidate {
  const key = itemKey(item);
  const about = `${item.serverName}: ${description === '' ? item.name : description}`.slice(0, LONGEST_ABOUT);
  return { key, kind: 'reference', name: title, about, isIn: held.has(key), path: item.name };
}

function byName(a: MentionCandidate, b: MentionCandidate): number {
  return a.name.length === b.name.length ? compareNaturally(`${a.name}/${a.about}`, `${b.name}/${b.about}`) : a.name.length - b.name.length;
}

/** Returns rows for a server that does not run: to start it or to sign in, and after a failure to read its log. */
export function serverRows({ name, status, signInState }: ListedServer, listed: 'prompts' | 'resources'): readonly MentionRow[] {
  const row = (kind: 'server' | 'serverLog', about: string): MentionRow => ({
    key: name,
    kind,
    name,
    about,
    matches: [],
    isIn: false,
    tokens: null,
    problem: null,
  });
  switch (status) {
    case 'stopped':
      return [row('server', `not running. Start the server to see its ${listed}`)];
    case 'failed':
      return [
        row('server', signInState === 'wanted' ? `sign in to see its ${listed}` : `failed. Start the server again to see its ${listed}`),
        row('serverLog', 'show why the server does not run'),
      ];
    default:
      return [];
  }
}
