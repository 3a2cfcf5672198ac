import type { PracticeMessage, PracticeRequest } from './wire.js';

/* Replies to Loupe's own requests. The practice model cannot think. It says so, and does what is possible without. */

/** The first words of requests for a summary, a topic change and a title. */
const SUMMARY_REQUEST = /^(?:Summarize the conversation so far|Write a MINIMAL digest)/;
const TITLE_REQUEST = 'Write a title for the conversation below';
const TOPIC_REQUEST = 'Below are messages of a conversation';

/** Limits for the latest messages in a summary: their number, and the characters of each. */
const MOST_NAMED = 20;
const NAMED_CHARACTERS = 80;

const TITLE_WORDS = 8;

/** A line of a conversation that is sent as text. */
const SAID = /^User: (.+)$/gm;

/** Returns the reply to one of Loupe's own requests, or null for other texts. */
export function housekeepingAnswer({ messages }: PracticeRequest, newest: string): string | null {
  if (newest.startsWith(TOPIC_REQUEST)) {
    return JSON.stringify({ boundary_index: null, boundary_reason: 'I cannot tell topics apart.', confidence: 0, summary: '' });
  }
  if (newest.startsWith(TITLE_REQUEST)) {
    return title(saidIn(newest)[0] ?? '');
  }
  return SUMMARY_REQUEST.test(newest) ? summary([...messages.slice(0, -1).flatMap(textsOf), ...saidIn(newest)]) : null;
}

/** Returns the user's first words, with a capital letter. */
function title(said: string): string {
  const words = said.split(/\s+/).slice(0, TITLE_WORDS).join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function summary(texts: readonly string[]): string {
  const named = texts.slice(-MOST_NAMED).map((text) => `- ${text.replaceAll(/\s+/g, ' ').trim().slice(0, NAMED_CHARACTERS)}`);
  return `The practice model cannot summarize. You wrote:\n${named.join('\n')}`;
}

/** Returns the last text of a user message. Earlier texts are files. */
function textsOf({ role, content }: PracticeMessage): string[] {
  const last = role === 'user' ? content.findLast((part) => part.type === 'text') : undefined;
  return last === undefined ? [] : [last.text];
}

function saidIn(text: string): string[] {
  return [...text.matchAll(SAID)].map((match) => match[1] ?? '');
}
