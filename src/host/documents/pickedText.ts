import { findMessage } from '../../engine/chat/branch.js';
import { messageText } from '../../engine/chat/message.js';
import { chatTitle } from '../../engine/chat/opening.js';
import type { ChatState } from '../../engine/chat/state.js';
import { isCatalogType, itemKey, type RequestContextItem } from '../../engine/context/item.js';
import type { ContextRecord } from '../../engine/request/manifest.js';
import { contextRecordsOf } from '../../engine/request/rebuild.js';

/** So much of a message tells which one it was. */
const MESSAGE_CHARACTERS = 80;

/** What a reply's request did with one rule, reference or skill. */
interface Taken {
  readonly message: string;
  readonly records: readonly ContextRecord[];
}

/** What the replies of a chat held of rules, references and skills, with the scores of what was picked and of near misses, as Markdown. */
export function pickedText(state: ChatState): string {
  const replies = repliesOf(state);
  return [
    `# Picked in ${inTable(chatTitle(state))}`,
    `${replies.length === 1 ? '1 reply' : `${String(replies.length)} replies`} with a record. A near miss had at least half of the score that it needed.`,
    itemTable(replies),
    ...replies.map(replyText),
    '',
  ].join('\n\n');
}

/** The last request of each run that answers a message of the branch. */
function repliesOf(state: ChatState): Taken[] {
  return [...state.runs.values()].flatMap(({ userMessageId, attemptIds }) => {
    const message = userMessageId === null ? null : findMessage(state, userMessageId);
    const attempt = state.attempts.get(attemptIds.at(-1) ?? '');
    const records = attempt === undefined ? null : contextRecordsOf(attempt, state.attempts);
    return message === null || records === null
      ? []
      : [{ message: shortened(messageText(message)), records: records.filter(({ item }) => isCatalogType(item.type)) }];
  });
}

interface ItemSummary {
  readonly item: RequestContextItem;
  held: number;
  picked: number;
  near: number;
  best: number | null;
}

function itemTable(replies: readonly Taken[]): string {
  const items = new Map<string, ItemSummary>();
  for (const { item, leftOut } of replies.flatMap(({ records }) => records)) {
    const known = items.get(itemKey(item)) ?? { item, held: 0, picked: 0, near: 0, best: null };
    const { similarityScore: score } = item;
    known.held += leftOut === null ? 1 : 0;
    known.picked += leftOut === null && item.includeMode === 'agent' ? 1 : 0;
    known.near += leftOut !== null && score !== undefined ? 1 : 0;
    known.best = score === undefined ? known.best : Math.max(score, known.best ?? 0);
    items.set(itemKey(item), known);
  }
  const rows = [...items.values()].map(({ item: { type, name }, held, picked, near, best }) =>
    row([type, inTable(name), String(held), String(picked), String(near), best === null ? '' : best.toFixed(2)]),
  );
  return [
    row(['kind', 'name', 'sent', 'picked', 'near misses', 'best score']),
    row(['---', '---', '---:', '---:', '---:', '---:']),
    ...rows,
  ].join('\n');
}

/** A message with what was picked for it and what nearly was, the best first. */
function replyText({ message, records }: Taken): string {
  const scored = records
    .filter(({ item, leftOut }) => item.similarityScore !== undefined || (leftOut === null && item.includeMode === 'agent'))
    .toSorted((a, b) => (b.item.similarityScore ?? 1) - (a.item.similarityScore ?? 1));
  const lines = scored.map(({ item, leftOut }) => {
    const score = item.similarityScore === undefined ? 'for a file' : item.similarityScore.toFixed(2);
    return `- ${inTable(item.name)}: ${score}${leftOut === null ? ', picked' : ', left out'}`;
  });
  return [`## ${message}`, lines.length === 0 ? 'Nothing was picked.' : lines.join('\n')].join('\n\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function shortened(text: string): string {
  const line = inTable(text.replaceAll(/\s+/g, ' ').trim());
  return line.length > MESSAGE_CHARACTERS ? `${line.slice(0, MESSAGE_CHARACTERS)}…` : line;
}

/** A name or a message cannot end a cell, or begin anything of Markdown. */
function inTable(text: string): string {
  return text.replaceAll(/[|\\`*_[\]<>#]/g, '\\$&');
}
