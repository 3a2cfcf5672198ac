import { MOST_MENTIONS, type MentionRow, type Mentions } from '../../../protocol/panel/mentions.js';
import type { McpPrompt } from '../../../tools/mcp/config/mcpEntries.js';
import { startRow } from '../../context/mentions/mentionRows.js';
import { fitOf } from '../../context/mentions/fit.js';
import { compareNaturally } from '../../context/files/naturalOrder.js';
import type { McpServer } from '../../../tools/mcp/mcpServer.js';
import type { ServerList } from '../serverLists.js';

export interface ServerPrompts extends ServerList<McpPrompt> {
  readonly server: Pick<McpServer, 'name' | 'status' | 'problem'>;
}

/** Most characters of a prompt's description. The row shows no more. */
const LONGEST_ABOUT = 300;

/** The rank of scattered letters. A message that begins with a path or command would match some prompt that way. */
const LETTERS = 4;

/** Returns the prompts that match a text best, and notes about servers without prompts so far. */
export function promptRows(text: string, offered: readonly ServerPrompts[]): Pick<Mentions, 'rows' | 'notes'> {
  const found = offered.flatMap(({ server: { name: server }, items }) =>
    items.flatMap((prompt) => {
      const name = `${server}:${prompt.name}`;
      const fit = fitOf(text.toLowerCase(), { name, path: prompt.title ?? '' });
      return fit === null || fit.rank === LETTERS ? [] : [{ fit, row: rowOf(server, prompt, fit.matches) }];
    }),
  );
  found.sort((a, b) => (a.fit.rank === b.fit.rank ? compareNaturally(a.row.name, b.row.name) : a.fit.rank - b.fit.rank));
  const prompts = found.slice(0, MOST_MENTIONS).map(({ row }) => row);
  const rows = [...prompts, ...offered.flatMap(({ server }) => startRow(server, 'prompts'))].slice(0, MOST_MENTIONS);
  return { rows, notes: offered.flatMap((server) => noteOf(text, server)) };
}

export function promptKey(server: string, prompt: string): string {
  return `prompt:${server}/${prompt}`;
}

function rowOf(server: string, { name, title, description }: McpPrompt, matches: readonly number[]): MentionRow {
  const about = [title, description].filter((part) => part !== null && part !== '').join(': ');
  const key = promptKey(server, name);
  return { key, kind: 'prompt', name: `${server}:${name}`, about: about.slice(0, LONGEST_ABOUT), matches, isIn: false };
}

/** Returns a note about missing prompts when the user types the server's name. */
function noteOf(
  text: string,
  { server: { name: server, status, problem: failed }, items, isReading, problem }: ServerPrompts,
): readonly string[] {
  if (!server.toLowerCase().includes(text.toLowerCase())) {
    return [];
  }
  if (status === 'starting') {
    return [`Starting ${server}…`];
  }
  if (failed !== null) {
    return [`${server}: ${failed}`];
  }
  if (problem !== null) {
    return [problem];
  }
  return isReading && items.length === 0 ? [`Asking ${server} for its prompts…`] : [];
}
