import type { ToolCallView } from '../../../src/protocol/panel/toolCalls.js';

interface CallWords {
  readonly icon: string;
  /** The verb of a call that has ended without an error. */
  readonly done: string;
  /** The verb of a running call. */
  readonly doing: string;
  /** The verb of any other call. */
  readonly plain: string;
}

const OWN: ReadonlyMap<string, CallWords> = new Map([
  ['read_file', { icon: 'file', done: 'read', doing: 'reading', plain: 'read' }],
  ['edit_file', { icon: 'edit', done: 'edited', doing: 'editing', plain: 'edit' }],
  ['search_text', { icon: 'search', done: 'searched', doing: 'searching', plain: 'search' }],
  ['list_files', { icon: 'list-tree', done: 'listed files', doing: 'listing files', plain: 'list files' }],
  ['run_command', { icon: 'terminal', done: 'ran', doing: 'running', plain: 'run' }],
  ['fetch_page', { icon: 'globe', done: 'fetched', doing: 'fetching', plain: 'fetch' }],
]);

type NamedCall = Pick<ToolCallView, 'name' | 'serverName'>;

/** Returns the words for a call of one of Loupe's own tools, otherwise words with the name of the tool. */
function wordsOf({ name, serverName }: NamedCall): CallWords {
  const own = serverName === null ? OWN.get(name) : undefined;
  return own ?? { icon: 'tools', done: `called ${name}`, doing: `calling ${name}`, plain: `call ${name}` };
}

export function callIcon(call: NamedCall): string {
  return wordsOf(call).icon;
}

/** Returns the verb of a call, which its subject follows: `read`, `editing`. */
export function callVerb(call: NamedCall & Pick<ToolCallView, 'status'>): string {
  const words = wordsOf(call);
  return call.status.kind === 'done' ? words.done : call.status.kind === 'running' ? words.doing : words.plain;
}

/** Returns what a turn does with a call: `editing src/heap.ts`. */
export function callInProgress(call: NamedCall & Pick<ToolCallView, 'subject'>): string {
  return `${wordsOf(call).doing} ${call.subject}`.trim();
}
