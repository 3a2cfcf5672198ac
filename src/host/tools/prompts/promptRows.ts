import { MOST_MENTIONS, type MentionRow, type Mentions } from '../../../protocol/panel/mentions.js';
import type { McpPrompt } from '../../../tools/mcp/config/mcpEntries.js';
import { startRow } from '../../context/mentions/mentionRows.js';
import { fitOf } from '../../context/mentions/fit.js';
import { compareNaturally } from '../../context/files/naturalOrder.js';
import type { McpServer } from '../../../tools/mcp/mcpServer.js';
import type { ServerList } from '../serverLists.js';

/** What a server offers to the message box. */
export interface ServerPrompts extends ServerList<McpPrompt> {
  readonly server: Pick<McpServer, 'name' | 'status' | 'problem'>;
}

/** Most characters of what a prompt says of itself: more would not be seen in its row. */
const LONGEST_ABOUT = 300;

/** The rank of a fit by single letters: a message may begin with a path or a command, which would fit some prompt so. */
const LETTERS = 4;

/** The prompts that fit a text best, and what is to be known of servers that tell none. */
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

/** The key of a prompt. */
export function promptKey(server: string, prompt: string): string {
  return `prompt:${server}/${prompt}`;
}

function rowOf(server: string, { name, title, description }: McpPrompt, matches: readonly number[]): MentionRow {
  const about = [title, description].filter((part) => part !== null && part !== '').join(': ');
  const key = promptKey(server, name);
  return { key, kind: 'prompt', name: `${server}:${name}`, about: about.slice(0, LONGEST_ABOUT), matches, isIn: false };
}

/** Nothing of a server that answers, nor of one that the user does not type the name of. */
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
