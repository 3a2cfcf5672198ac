import type { PracticeMessage, PracticeRequest } from './wire.js';

/*
 * Answers to what Loupe asks for itself. The practice model cannot think: it says so, and does what can be done without.
 */

/** How the requests for a summary begin, the one that asks where the topic changes, and the one for a title. */
const SUMMARY_REQUEST = /^(?:Summarize the conversation so far|Write a MINIMAL digest)/;
const TITLE_REQUEST = 'Write a title for the conversation below';
const TOPIC_REQUEST = 'Below are messages of a conversation';

/** Messages that are named in a summary, the latest, and the characters of each. */
const MOST_NAMED = 20;
const NAMED_CHARACTERS = 80;

/** As many as a title has at most. */
const TITLE_WORDS = 8;

/** A conversation that is sent as text. */
const SAID = /^User: (.+)$/gm;

/** The answer to the newest text of a request; null when that is no request of Loupe for itself. */
export function housekeepingAnswer({ messages }: PracticeRequest, newest: string): string | null {
  if (newest.startsWith(TOPIC_REQUEST)) {
    return JSON.stringify({ boundary_index: null, boundary_reason: 'I cannot tell topics apart.', confidence: 0, summary: '' });
  }
  if (newest.startsWith(TITLE_REQUEST)) {
    return title(saidIn(newest)[0] ?? '');
  }
  return SUMMARY_REQUEST.test(newest) ? summary([...messages.slice(0, -1).flatMap(textsOf), ...saidIn(newest)]) : null;
}

/** The first words of what the user said, the first one with a capital. */
function title(said: string): string {
  const words = said.split(/\s+/).slice(0, TITLE_WORDS).join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function summary(texts: readonly string[]): string {
  const named = texts.slice(-MOST_NAMED).map((text) => `- ${text.replaceAll(/\s+/g, ' ').trim().slice(0, NAMED_CHARACTERS)}`);
  return `The practice model cannot summarize. You wrote:\n${named.join('\n')}`;
}

/** The last text of a message of the user: the texts before it are files. */
function textsOf({ role, content }: PracticeMessage): string[] {
  const last = role === 'user' ? content.findLast((part) => part.type === 'text') : undefined;
  return last === undefined ? [] : [last.text];
}

function saidIn(text: string): string[] {
  return [...text.matchAll(SAID)].map((match) => match[1] ?? '');
}
