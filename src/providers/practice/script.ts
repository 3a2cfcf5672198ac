import { capitalized } from '../../engine/capitalized.js';
import { assertNever } from '../../engine/assertNever.js';
import { type LoupeError, failure } from '../../engine/errors.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { ReplyStreamPart, StopReason } from '../../engine/model/model.js';
import { type PracticeCommand, currentCommand, newestText, userText } from './commands.js';
import { type SeenRequest, conclude, describeRequest, help } from './describe.js';
import { inlineCode } from './markdown.js';
import type { PRACTICE_FAILURES } from '../../engine/failures/practice.js';
import type { PracticeMessage, PracticeRequest } from './wire.js';

/* Replies to Loupe's requests for a summary, a title or a topic change, made of the user's words or fixed texts. */

/** The first words of requests for a summary, a title and a topic change. */
const SUMMARY_REQUEST = /^(?:Summarize the conversation so far|Write a MINIMAL digest)/;
const TITLE_REQUEST = 'Write a title for the conversation below';
const TOPIC_REQUEST = 'Below are messages of a conversation';

/** Maximum number of messages that a summary names, and of characters per message. Names the latest messages. */
const MOST_NAMED = 20;
const NAMED_CHARACTERS = 80;

const TITLE_WORDS = 8;

/** Matches a line of the user in a conversation that is sent as one text. */
const SAID = /^User: (.+)$/gm;

/** Returns the reply to a request for a summary, a topic change or a title. Null for other requests. */
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
  return capitalized(words);
}

function summary(texts: readonly string[]): string {
  const named = texts.slice(-MOST_NAMED).map((text) => `- ${text.replaceAll(/\s+/g, ' ').trim().slice(0, NAMED_CHARACTERS)}`);
  return `The practice model cannot summarize. You wrote:\n${named.join('\n')}`;
}

function textsOf(message: PracticeMessage): string[] {
  const text = userText(message);
  return text === undefined ? [] : [text];
}

function saidIn(text: string): string[] {
  return [...text.matchAll(SAID)].map((match) => match[1] ?? '');
}

/** Pause before each chunk, in ms. Results in about 150 words a second, like fast hosted models. */
const CHUNK_PAUSE_MS = 20;
const CHUNK_WORDS = 3;

/** Duration of a `/slow` reply in ms, long enough to stop the reply, hide the panel or reload the window. */
const SLOW_REPLY_MS = 20_000;

/** Number of code points in a chunk of tool arguments. Small chunks split even short arguments, inside of words. */
const ARGS_CHUNK_CHARACTERS = 12;

/** Example code for trying out the actions of a code block: copy, insert at the cursor, new file, apply to a file. */
const FUNCTION = 'export function gaugeHeight(tide: number, swell: number): number {\n  return tide + swell / 2;\n}';
const CODE = `\`\`\`ts\n${FUNCTION}\n\`\`\`\n\nThe same for a file:\n\n\`\`\`ts src/gaugeHeight.ts\n${FUNCTION}\n\`\`\``;

export interface ScriptStep {
  readonly delayMs: number;
  readonly part: ReplyStreamPart;
}

/** The practice model's reply to a request, complete before the first byte is sent. */
export type Script =
  | { readonly type: 'fail'; readonly error: LoupeError }
  /** A reply. `end` is null for a reply that breaks off without a finish reason. */
  | {
      readonly type: 'reply';
      readonly steps: readonly ScriptStep[];
      readonly end: { readonly stopReason: StopReason; readonly outputTokens: number } | null;
    };

export interface ScriptInput extends SeenRequest {
  /** Output limit in tokens: the limit of the request or the model, whichever is smaller. */
  readonly maxOutputTokens: number;
  readonly counter: TokenCounter;
  /** Number of earlier failures of this request because of `/error`. */
  readonly failures: number;
  readonly callId: string;
}

export function writeScript(input: ScriptInput): Script {
  const ofItself = housekeepingAnswer(input.request, newestText(input.request));
  if (ofItself !== null) {
    return reply(input, textParts(ofItself), 'end');
  }
  const command = currentCommand(input.request);
  switch (command?.type) {
    case undefined:
      return reply(input, textParts(answer(input)), 'end');
    case 'tool':
      return reply(input, toolParts(command, input.callId), 'toolCalls');
    case 'error':
      return fail(input, command);
    case 'slow':
      return slowed(reply(input, textParts(describeRequest(input)), 'end'));
    case 'long':
      return reply(input, textParts(longText(Math.min(command.words, input.maxOutputTokens))), 'end');
    case 'code':
      return reply(input, textParts(CODE), 'end');
    case 'unclear':
      return reply(input, textParts(`I cannot read ${inlineCode(command.line)}. ${help()}`), 'end');
    default:
      return assertNever(command);
  }
}

/** Returns the reply to a message without a command: about the newest tool results, otherwise about the request. */
function answer(input: ScriptInput): string {
  const last = input.request.messages.at(-1);
  return last?.role === 'tool' ? conclude(last.content) : describeRequest(input);
}

function fail(input: ScriptInput, { what, waitSeconds, times }: Extract<PracticeCommand, { type: 'error' }>): Script {
  if (times !== null && input.failures >= times) {
    return reply(input, textParts(describeRequest(input)), 'end');
  }
  if (what === 'cut') {
    const parts = textParts(describeRequest(input));
    return { type: 'reply', steps: paced(parts.slice(0, Math.ceil(parts.length / 2)), CHUNK_PAUSE_MS), end: null };
  }
  const error =
    what === 'overflow'
      ? failure('practice.playedTooLong', { what: 'overflow' }, { inputLimit: input.maxInputTokens })
      : playedFailure(what, waitSeconds);
  return error === null ? reply(input, textParts(`I don't know the error ${inlineCode(what)}. ${help()}`), 'end') : { type: 'fail', error };
}

function reply(input: ScriptInput, parts: readonly ReplyStreamPart[], stopReason: StopReason): Script {
  const { fitting, outputTokens } = fit(parts, input);
  const complete = fitting.length === parts.length;
  return {
    type: 'reply',
    steps: paced(fitting, CHUNK_PAUSE_MS),
    end: { stopReason: complete ? stopReason : 'length', outputTokens },
  };
}

function slowed(script: Script): Script {
  return script.type === 'fail'
    ? script
    : { ...script, steps: script.steps.map(({ part }) => ({ part, delayMs: Math.ceil(SLOW_REPLY_MS / script.steps.length) })) };
}

function toolParts({ name, rawArgs }: Extract<PracticeCommand, { type: 'tool' }>, id: string): ReplyStreamPart[] {
  const characters = Array.from(rawArgs);
  const chunks: string[] = [];
  for (let at = 0; at < characters.length; at += ARGS_CHUNK_CHARACTERS) {
    chunks.push(characters.slice(at, at + ARGS_CHUNK_CHARACTERS).join(''));
  }
  return [
    ...textParts(`I call ${inlineCode(name)}.`),
    { type: 'toolCall', index: 1, id, name },
    ...chunks.map((text): ReplyStreamPart => ({ type: 'toolCallArgs', index: 1, text })),
  ];
}

function textParts(text: string): ReplyStreamPart[] {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const parts: ReplyStreamPart[] = [];
  for (let at = 0; at < words.length; at += CHUNK_WORDS) {
    parts.push({ type: 'text', index: 0, text: words.slice(at, at + CHUNK_WORDS).join('') });
  }
  return parts;
}

const LOREM = 'practice text that says nothing and goes on for as long as it was asked to'.split(' ');
const SENTENCE_WORDS = 12;
const PARAGRAPH_WORDS = 60;

/** Returns a text of about `count` words, in sentences and paragraphs. */
function longText(count: number): string {
  const words = Array.from({ length: count }, (_, index) => {
    const word = LOREM[index % LOREM.length] ?? '';
    const start = index % SENTENCE_WORDS === 0 ? capitalized(word) : word;
    return index === count - 1 || (index + 1) % SENTENCE_WORDS === 0 ? `${start}.` : start;
  });
  const paragraphs: string[] = [];
  for (let at = 0; at < words.length; at += PARAGRAPH_WORDS) {
    paragraphs.push(words.slice(at, at + PARAGRAPH_WORDS).join(' '));
  }
  return paragraphs.length === 0 ? 'Zero words.' : paragraphs.join('\n\n');
}

/** Returns the parts of the reply that fit the output limit, and their tokens. */
function fit(
  parts: readonly ReplyStreamPart[],
  { maxOutputTokens, counter }: ScriptInput,
): { readonly fitting: readonly ReplyStreamPart[]; readonly outputTokens: number } {
  let fitting = parts;
  let outputTokens = countOutput(fitting, counter);
  while (outputTokens > maxOutputTokens) {
    const share = Math.floor((fitting.length * maxOutputTokens) / outputTokens);
    fitting = fitting.slice(0, Math.min(share, fitting.length - 1));
    outputTokens = countOutput(fitting, counter);
  }
  return { fitting, outputTokens };
}

/** Counts the output tokens: the text, and names and arguments of tool calls. */
function countOutput(parts: readonly ReplyStreamPart[], counter: TokenCounter): number {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const call = parts.find((part) => part.type === 'toolCall');
  const args = parts.flatMap((part) => (part.type === 'toolCallArgs' ? [part.text] : [])).join('');
  return counter.count(text) + (call === undefined ? 0 : counter.count(`${call.name}\n${args}`));
}

function paced(parts: readonly ReplyStreamPart[], delayMs: number): ScriptStep[] {
  return parts.map((part) => ({ delayMs, part }));
}

/** Failures for `/error`, as real providers send them. `cut` is missing, because `cut` breaks off a reply. */
const PLAYED = {
  '401': 'practice.badKey',
  '429': 'practice.rateLimit',
  '500': 'practice.serverFailed',
  '503': 'practice.serverFailed',
} as const satisfies Readonly<Record<string, keyof typeof PRACTICE_FAILURES>>;

const SECOND_MS = 1_000;

/** Returns the error for `/error {what}`, with its wait. Null for an unknown `what`. */
function playedFailure(what: string, waitSeconds: number | null): LoupeError | null {
  if (!isPlayed(what)) {
    return null;
  }
  const retryAfterMs = waitSeconds === null ? null : waitSeconds * SECOND_MS;
  return failure(PLAYED[what], { what }, { cause: new Error(`/error ${what}`), retryAfterMs });
}

function isPlayed(what: string): what is keyof typeof PLAYED {
  return Object.hasOwn(PLAYED, what);
}
