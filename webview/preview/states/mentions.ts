import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { MentionMark, MentionRow, Mentions } from '../../../src/protocol/panel/toWebview.js';
import type { PreviewState } from '../state.js';
import { shownAfter } from './parts.js';

const row = (kind: MentionRow['kind'], name: string, about: string, change: Partial<MentionRow>): MentionRow => ({
  ...{ key: name, kind, name, about, matches: [], isIn: false, tokens: null, problem: null },
  ...change,
});

const ROWS: Readonly<Record<MentionMark, readonly MentionRow[]>> = {
  '/': [
    row('command', 'summarize', 'Replace older messages, after a preview', {}),
    row('command', 'new', 'New chat, with the text after /new', {}),
    row('command', 'model', 'Choose the model, or search: /model son', {}),
    row('command', 'usage', 'Tokens and cost of this chat', {}),
    row('command', 'export', 'Write this chat to a file', { problem: 'This chat has no messages yet.' }),
    row('command', 'clear', 'New chat with these settings and files', {}),
    row('command', 'fork', 'Copy this chat into a new chat', {}),
    row('prompt', 'review', '[pr] · Reads a change · .claude/commands/review.md', { tokens: 1_234 }),
    row('prompt', 'docs:release-notes', 'Writes the notes of a release', {}),
    row('server', 'tides', 'not running. Start the server to see its prompts', {}),
  ],
  '@': [
    row('file', 'predict.ts', 'src', { tokens: 1_204, isIn: true }),
    row('file', 'predict.test.ts', 'test', { tokens: 12_480 }),
    row('file', 'predictions-of-all-stations.csv', 'data/stations/2024', {}),
    row('rule', 'Prediction style', 'How predictions are written', { tokens: 214, isIn: true }),
    row('skill', 'tide-report', 'Writes a report of the predictions of one week', { tokens: 3_100 }),
    row('tool', 'predict', 'Predicts the height of the water', {}),
  ],
};

/** Returns the host's suggestions for a text: after `@` all, after `/` those whose name begins with its first word. */
export function foundMentions({ mark, text }: Extract<ToHost, { readonly type: 'findMentions' }>): Mentions {
  const [word = ''] = text.split(' ', 1);
  const rows = ROWS[mark].filter(({ name }) => mark === '@' || name.startsWith(word));
  return { type: 'mentions', mark, text, rows, notes: mark === '/' ? ['Asking gauges for its prompts…'] : [] };
}

/** The lists above the message box. */
export const MENTIONS: readonly PreviewState[] = [
  shownAfter('Commands', [], [{ write: '/' }], {}),
  shownAfter('Mentions', [], [{ write: 'See @predict' }], {}),
];
