import { assertNever } from '../../engine/assertNever.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { EntryView, PartView, ToolResultsEntry } from '../../protocol/view.js';
import { chatTitle } from '../chat/summary.js';
import { EntryViews } from './entries.js';

/** A chat as Markdown, as far as it was read. */
export function chatText(state: ChatState): string {
  // The text names no models.
  const { entries, earlier } = new EntryViews(() => '').derive(state, Number.MAX_SAFE_INTEGER);
  return conversationText(chatTitle(state), entries, earlier);
}

/**
 * A conversation as Markdown, to be pasted somewhere safe: everything that is on show, also text that was never
 * answered and replies that broke off. `earlier` is how many messages before it are not among the entries.
 */
export function conversationText(title: string, entries: readonly EntryView[], earlier: number): string {
  const messages = earlier === 1 ? '1 earlier message is' : `${earlier.toLocaleString('en-US')} earlier messages are`;
  const missing = earlier === 0 ? [] : [`(${messages} not in this copy.)`];
  return [`# ${title}`, ...missing, ...entries.flatMap(entryText)].join('\n\n') + '\n';
}

function entryText(entry: EntryView): string[] {
  switch (entry.kind) {
    case 'user':
      return [`## You${entry.unsent ? ' (not answered)' : ''}`, entry.text];
    case 'assistant':
      return [`## Assistant${entry.status === 'done' ? '' : ` (${entry.status})`}`, ...entry.parts.map(partText)];
    case 'toolResults':
      return entry.results.flatMap(({ name, text, cut }) => [`## Result of ${name}`, text, ...cutNote(cut)]);
    case 'accounting':
    case 'retry':
    case 'runNote':
      return [];
    default:
      return assertNever(entry);
  }
}

function cutNote(cut: ToolResultsEntry['results'][number]['cut']): string[] {
  return cut === null
    ? []
    : [`(The first ${cut.characters.toLocaleString('en-US')} characters of ${cut.bytes.toLocaleString('en-US')} bytes.)`];
}

function partText(part: PartView): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return part.text.replace(/^/gm, '> ');
    case 'toolCall':
      return `Called ${part.name} with ${part.args}`;
    default:
      return assertNever(part);
  }
}
