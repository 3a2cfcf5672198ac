import { assertNever } from '../../engine/assertNever.js';
import type { LoupeError } from '../../engine/errors.js';
import type { TokenCounter } from '../../engine/ports.js';
import type { ReplyStreamPart, StopReason } from '../../engine/run/model.js';
import { currentRound, newestText, type Command } from './commands.js';
import { housekeepingAnswer } from './housekeeping.js';
import { conclude, describeRequest, help, type SeenRequest } from './describe.js';
import { playedFailure, playedOverflow } from './playedFailure.js';
import { inlineCode } from './markdown.js';

/**
 * Pause before each chunk of a reply, in ms. With the words per chunk it makes 150 words a second, like fast hosted
 * models: slow enough to see the stream, and fast enough not to wait.
 */
const CHUNK_PAUSE_MS = 20;
const CHUNK_WORDS = 3;

/** Length of a `/slow` reply in ms: long enough to press Stop, hide the panel or reload the window. */
const SLOW_REPLY_MS = 20_000;

/** Code points in a chunk of tool arguments: even short arguments come in several chunks, cut within words. */
const ARGS_CHUNK_CHARACTERS = 12;

export type ContentPart = ReplyStreamPart;

export interface Step {
  /** Pause before the part, in ms. */
  readonly delayMs: number;
  readonly part: ContentPart;
}

/** The practice model's answer to a request, decided before the first byte. */
export type Script =
  | { readonly type: 'fail'; readonly error: LoupeError }
  /** `end` is null for a reply that breaks off without a finish reason. */
  | {
      readonly type: 'reply';
      readonly steps: readonly Step[];
      readonly end: { readonly stopReason: StopReason; readonly outputTokens: number } | null;
    };

export interface ScriptInput extends SeenRequest {
  /** Output limit in tokens: the smaller of the request's and the model's. */
  readonly maxOutputTokens: number;
  readonly counter: TokenCounter;
  /** How often this request has already failed on command. */
  readonly failures: number;
  /** Id of the script's tool call, if it makes one. */
  readonly callId: string;
}

/** The script for a request that passes the wire rules. Pure. */
export function writeScript(input: ScriptInput): Script {
  const ofItself = housekeepingAnswer(input.request, newestText(input.request));
  if (ofItself !== null) {
    return reply(input, textParts(ofItself), 'end');
  }
  const { command, left } = currentRound(input.request);
  switch (command?.type) {
    case undefined:
      return reply(input, textParts(answer(input)), 'end');
    case 'tool':
      return reply(input, toolParts(command, input.callId), 'toolCalls');
    case 'error':
      return fail(input, command, left);
    case 'slow':
      return slowed(reply(input, textParts(describeRequest(input) + leftOver(left)), 'end'));
    case 'long':
      return reply(input, textParts(longText(Math.min(command.words, input.maxOutputTokens)) + leftOver(left)), 'end');
    case 'unclear':
      return reply(input, textParts(`I cannot read ${inlineCode(command.line)}. ${help()}${leftOver(left)}`), 'end');
    default:
      return assertNever(command);
  }
}

/** The answer without a command: about the tool results when they are the newest message, else about the request. */
function answer(input: ScriptInput): string {
  const last = input.request.messages.at(-1);
  return last?.role === 'tool' ? conclude(last.content) : describeRequest(input);
}

function fail(input: ScriptInput, { what, waitSeconds, times }: Extract<Command, { type: 'error' }>, left: number): Script {
  if (times !== null && input.failures >= times) {
    return reply(input, textParts(describeRequest(input) + leftOver(left)), 'end');
  }
  if (what === 'cut') {
    const parts = textParts(describeRequest(input));
    return { type: 'reply', steps: paced(parts.slice(0, Math.ceil(parts.length / 2)), CHUNK_PAUSE_MS), end: null };
  }
  const error = what === 'overflow' ? playedOverflow(input.maxInputTokens) : playedFailure(what, waitSeconds);
  return error === null
    ? reply(input, textParts(`I don't know the error ${inlineCode(what)}. ${help()}${leftOver(left)}`), 'end')
    : { type: 'fail', error };
}

function reply(input: ScriptInput, parts: readonly ContentPart[], stopReason: StopReason): Script {
  const { fitting, outputTokens } = fit(parts, input);
  const complete = fitting.length === parts.length;
  return {
    type: 'reply',
    steps: paced(fitting, CHUNK_PAUSE_MS),
    end: { stopReason: complete ? stopReason : 'length', outputTokens },
  };
}

/** Spreads a reply over `SLOW_REPLY_MS`. */
function slowed(script: Script): Script {
  return script.type === 'fail'
    ? script
    : { ...script, steps: script.steps.map(({ part }) => ({ part, delayMs: Math.ceil(SLOW_REPLY_MS / script.steps.length) })) };
}

/** Tells of the command lines that no round will run, instead of dropping them silently. */
function leftOver(count: number): string {
  return count === 0 ? '' : `\n\nI did not run ${String(count)} more ${count === 1 ? 'command' : 'commands'}: this reply ends my turn.`;
}

function toolParts({ name, rawArgs }: Extract<Command, { type: 'tool' }>, id: string): ContentPart[] {
  const characters = Array.from(rawArgs);
  const chunks: string[] = [];
  for (let at = 0; at < characters.length; at += ARGS_CHUNK_CHARACTERS) {
    chunks.push(characters.slice(at, at + ARGS_CHUNK_CHARACTERS).join(''));
  }
  return [
    ...textParts(`I call ${inlineCode(name)}.`),
    { type: 'toolCall', index: 1, id, name },
    ...chunks.map((text): ContentPart => ({ type: 'toolCallArgs', index: 1, text })),
  ];
}

/** Text in chunks of a few words, which join to the same text. */
function textParts(text: string): ContentPart[] {
  const words = text.match(/\s*\S+\s*/g) ?? [];
  const parts: ContentPart[] = [];
  for (let at = 0; at < words.length; at += CHUNK_WORDS) {
    parts.push({ type: 'text', index: 0, text: words.slice(at, at + CHUNK_WORDS).join('') });
  }
  return parts;
}

const LOREM = 'practice text that says nothing and goes on for as long as it was asked to'.split(' ');
const SENTENCE_WORDS = 12;
const PARAGRAPH_WORDS = 60;

/** About `count` words in sentences and paragraphs. */
function longText(count: number): string {
  const words = Array.from({ length: count }, (_, index) => {
    const word = LOREM[index % LOREM.length] ?? '';
    const start = index % SENTENCE_WORDS === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    return index === count - 1 || (index + 1) % SENTENCE_WORDS === 0 ? `${start}.` : start;
  });
  const paragraphs: string[] = [];
  for (let at = 0; at < words.length; at += PARAGRAPH_WORDS) {
    paragraphs.push(words.slice(at, at + PARAGRAPH_WORDS).join(' '));
  }
  return paragraphs.length === 0 ? 'Zero words.' : paragraphs.join('\n\n');
}

/** The longest beginning of the reply within the output limit, and its tokens. */
function fit(
  parts: readonly ContentPart[],
  { maxOutputTokens, counter }: ScriptInput,
): { readonly fitting: readonly ContentPart[]; readonly outputTokens: number } {
  const whole = countOutput(parts, counter);
  if (whole <= maxOutputTokens) {
    return { fitting: parts, outputTokens: whole };
  }
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countOutput(parts.slice(0, middle), counter) <= maxOutputTokens) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const fitting = parts.slice(0, low);
  return { fitting, outputTokens: countOutput(fitting, counter) };
}

/** Output is counted like input: the text, and the names and arguments of tool calls. */
function countOutput(parts: readonly ContentPart[], counter: TokenCounter): number {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const call = parts.find((part) => part.type === 'toolCall');
  const args = parts.flatMap((part) => (part.type === 'toolCallArgs' ? [part.text] : [])).join('');
  return counter.count(text) + (call === undefined ? 0 : counter.count(`${call.name}\n${args}`));
}

function paced(parts: readonly ContentPart[], delayMs: number): Step[] {
  return parts.map((part) => ({ delayMs, part }));
}
