import { contentText, toolCallsOf, type SentMessage } from '../chat/message/message.js';
import type { ToolResultContent } from '../model/part.js';
import type { ResultTexts } from '../request/resultText.js';
import type { TokenCounter } from '../ports.js';

export type SummaryStyle = 'plain' | 'terse';

const WHAT_TO_DO: Readonly<Record<SummaryStyle, string>> = {
  plain:
    'Summarize the conversation so far for an assistant. Keep key facts, constraints, decisions, action items, and unresolved ' +
    'questions. Be concise. Do not invent details.',
  terse:
    'Write a MINIMAL digest of the conversation so far, with which an assistant can CONTINUE it at a later date. Only language models ' +
    'will see it: use ANY AND ALL ABBREVIATIONS to keep it as CONCISE as possible, while PRESERVING IMPORTANT DETAILS: key facts, ' +
    'constraints, decisions, action items, and unresolved questions. Do not invent details.',
};

const EXACT = 'Keep file paths, names, numbers, and error texts exactly as they are.';
const HOW = `${EXACT} Answer with the summary alone, and call no tools.`;

/** Number of characters quoted from the beginning of a message, so that the model recognizes the message. */
const QUOTED = 60;

export interface SummaryOrder {
  readonly style: SummaryStyle;
  readonly tokens: number;
}

/** Returns the instruction at the end of a summary request. `staying`: text of the first message to keep, or null. */
export function summaryInstruction({ style, tokens }: SummaryOrder, staying: string | null): string {
  const limit = `Use at most ${String(tokens)} tokens.`;
  const quoted = staying?.replaceAll(/\s+/g, ' ').trim().slice(0, QUOTED) ?? '';
  const rest = staying === null ? '' : ` Leave out everything from the message on that begins "${quoted}": it stays as it is.`;
  return `${WHAT_TO_DO[style]} ${HOW} ${limit}${rest}`;
}

/** Returns the whole request for a summary of a serialized conversation, or of a part of it. */
export function serializedRequest(
  order: SummaryOrder,
  { earlier, text }: { readonly earlier: string | null; readonly text: string },
): string {
  const before = earlier === null ? '' : `Previous summary: ${earlier}\n\n`;
  return `${summaryInstruction(order, null)}\n\n${before}${text}`;
}

/** Returns the request to shorten a user message, or a part of it. `soFar`: the shortened text of the earlier parts. */
export function shorteningRequest(tokens: number, { soFar, text }: { readonly soFar: string | null; readonly text: string }): string {
  const before = soFar === null ? '' : `What became of the message up to here: ${soFar}\n\nThe message goes on:\n\n`;
  return (
    'Shorten the message below, which a user wrote to an assistant and which is too long to be sent. Keep each task, question, ' +
    `constraint and decision in the user's own words; shorten what is quoted or pasted. ${EXACT} Do not answer the message, and call ` +
    `no tools: write the shortened message alone, from its beginning on, in at most ${String(tokens)} tokens.\n\n${before}${text}`
  );
}

/**
 * Returns a conversation as lines of `User:`, `Assistant:` and `Tool result (name):`. An image becomes "(image)", and
 * reasoning is skipped. `results` holds the tool texts stored as blobs; the preview replaces a missing text.
 */
export function serialized(messages: readonly SentMessage[], results: ResultTexts): readonly string[] {
  return messages.flatMap((message): string[] => {
    switch (message.role) {
      case 'user':
        return [`User: ${message.parts.map((part) => (part.type === 'text' ? part.text : '(image)')).join('\n')}`];
      case 'assistant': {
        const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : part.type === 'image' ? ['(image)'] : []));
        const calls = toolCallsOf(message).map(({ name, rawArgs }) => `(calls ${name} with ${rawArgs})`);
        return texts.length + calls.length === 0 ? [] : [`Assistant: ${[...texts, ...calls].join('\n')}`];
      }
      case 'tool-results':
        return message.parts.map(
          ({ name, content }) => `Tool result (${name}): ${content.map((each) => resultText(each, results)).join('\n')}`,
        );
    }
  });
}

/** Groups the lines into pieces of at most `tokens` tokens by `counter`, apart from rounding. Splits longer lines. */
export function chunks(lines: readonly string[], tokens: number, counter: TokenCounter): readonly string[] {
  const found: string[] = [];
  let open = '';
  let used = 0;
  for (const line of lines.flatMap((each) => divided(each, tokens, counter))) {
    const size = counter.count(`${line}\n`);
    if (open !== '' && used + size > tokens) {
      found.push(open);
      [open, used] = ['', 0];
    }
    open = open === '' ? line : `${open}\n${line}`;
    used += size;
  }
  return open === '' ? found : [...found, open];
}

/** Halves a text until each part fits. One character always fits. */
function divided(text: string, tokens: number, counter: TokenCounter): readonly string[] {
  if (text.length <= 1 || counter.count(`${text}\n`) <= tokens) {
    return [text];
  }
  const middle = Math.ceil(text.length / 2);
  // Does not cut inside a surrogate pair.
  const at = /[\uD800-\uDBFF]/.test(text.charAt(middle - 1)) && middle < text.length - 1 ? middle + 1 : middle;
  return at >= text.length ? [text] : [text.slice(0, at), text.slice(at)].flatMap((half) => divided(half, tokens, counter));
}

function resultText(content: ToolResultContent, results: ResultTexts): string {
  return (content.type === 'blob' ? results.get(content.blob) : undefined) ?? contentText(content);
}
