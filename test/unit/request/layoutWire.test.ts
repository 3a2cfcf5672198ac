import assert from 'node:assert/strict';
import type { CacheMode, ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import type { Convert } from '../../../src/engine/model/model.js';
import { convert as toAnthropic } from '../../../src/providers/anthropic/convert.js';
import { convert as toOpenAi } from '../../../src/providers/openaiCompatible/convert.js';
import { assistant, call, result, results, text, user } from '../../support/engine/messages.js';
import { OPEN_MODEL } from '../../support/engine/models.js';
import { RecordedChat, withFiles } from '../../support/engine/requests.js';
import { situationAfter } from '../../support/engine/situations.js';

/*
 * The parts of a request in each cache mode and layout, against expectations made by hand: the second request of a chat
 * whose first turn read a file with a tool, after a change of `a.ts`. A part is its role and first word; its breakpoint
 * follows.
 */

const MINUTE = 60_000;
// Longer than the model's shortest cached prefix of 100 characters.
const SYSTEM = `Brief answers, please. ${'They are read on a phone. '.repeat(6)}`;
const A = Array.from({ length: 30 }, (_, at) => `export const value${String(at)} = ${String(at)};\n`).join('');
const CHANGED = A.replace('value9 =', 'nine =');
const ASKED = user('u1', 'First question.');
const ANSWERED = [
  ASKED,
  assistant('r1', 'Looking.', call('c1', {})),
  results('t1', result('c1', text('Result of the tool.'))),
  assistant('r2', 'Answer one.'),
  user('u2', 'Second question.'),
];

interface Part {
  readonly text?: string;
  readonly content?: unknown;
  readonly cache_control?: { readonly ttl?: string };
}

interface Body {
  readonly system?: readonly Part[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Part[] | null; readonly tool_calls?: unknown }[];
}

const firstWord = (said: string): string => said.replace(/^[#\s]+/, '').split(/\s/)[0] ?? '';

function partText({ text: said, content }: Part): string {
  if (said !== undefined) {
    return firstWord(said);
  }
  return content === undefined ? 'call' : 'result';
}

function shown(role: string, part: Part): string {
  const mark = part.cache_control === undefined ? '' : ` [${part.cache_control.ttl ?? '5m'}]`;
  return `${role}: ${partText(part)}${mark}`;
}

function partsOf(body: string): string[] {
  const { system, messages } = JSON.parse(body) as Body;
  return [
    ...(system ?? []).map((part) => shown('system', part)),
    ...messages.flatMap(({ role, content, tool_calls: calls }) => {
      const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
      return [...parts.map((part) => shown(role, part)), ...(calls === undefined ? [] : [`${role}: call`])];
    }),
  ];
}

function secondRequest(cacheMode: CacheMode, layout: ChatConfig['layout'], convert: Convert): string[] {
  const chat = new RecordedChat();
  const content = { cacheMode, layout: LAYOUTS[layout], systemPrompt: SYSTEM };
  chat.send({ ...content, messages: [ASKED], ...withFiles({ 'a.ts': A, 'b.ts': 'let b;\n' }) });
  const situation = situationAfter(chat, MINUTE);
  const { prompt } = chat.send({ ...content, situation, messages: ANSWERED, ...withFiles({ 'a.ts': CHANGED, 'b.ts': 'let b;\n' }) });
  return partsOf(convert(OPEN_MODEL, prompt, { maxOutputTokens: null, extraBody: {} }, new Map()).body);
}

/** The order of `plain` with these breakpoints. */
function plainOrder(marks: Readonly<Record<string, string>>): string[] {
  return [
    ...['system: You', 'system: Brief'],
    ...['user: Working', 'user: a.ts', 'user: b.ts', 'assistant: Understood.'],
    ...['user: First', 'assistant: Looking.', 'assistant: call', 'user: result', 'assistant: Answer', 'user: Second'],
  ].map((part) => part + (marks[part] ?? ''));
}

/** For an hour: little is written, and a pause would lose much. */
const ADAPTIVE = [
  ...['system: You', 'system: Brief [1h]'],
  ...['user: Working', 'user: a.ts', 'user: b.ts', 'user: First [1h]'],
  ...['assistant: Looking.', 'assistant: call', 'user: result', 'assistant: Answer'],
  ...['user: Working', 'user: a.ts [1h]', 'user: Second [1h]'],
];

const EXPECTED: readonly (readonly [CacheMode, ChatConfig['layout'], readonly string[]])[] = [
  ['all-off', 'adaptive', plainOrder({})],
  ['all-off', 'plain', plainOrder({})],
  ['system', 'adaptive', plainOrder({ 'system: Brief': ' [5m]' })],
  ['cached', 'plain', plainOrder({ 'system: Brief': ' [5m]', 'user: Second': ' [5m]' })],
  // Seven messages: the fourth ends the first 70%, before the turn's results.
  ['cached', 'message-70', plainOrder({ 'system: Brief': ' [5m]', 'assistant: call': ' [5m]' })],
  ['cached', 'adaptive', ADAPTIVE],
];

/** Chat Completions: results are messages, the text before a call is marked, an unmarked system prompt is one text. */
function inOpenAiForm(parts: readonly string[]): string[] {
  const marked = parts.map((part, at) =>
    part === 'assistant: Looking.' && parts[at + 1] === 'assistant: call [5m]' ? `${part} [5m]` : part,
  );
  const joined = marked.filter((part) => part !== 'system: Brief');
  return joined.map((part) => part.replace('user: result', 'tool: Result').replace('call [5m]', 'call'));
}

describe('what reaches a provider', () => {
  for (const [mode, layout, parts] of EXPECTED) {
    // The other modes have the plain order with any layout. The host chooses it.
    const sent = mode === 'cached' ? layout : 'plain';
    it(`in the cache mode ${mode} with the layout ${layout}: Messages`, () => {
      assert.deepEqual(secondRequest(mode, sent, toAnthropic), parts);
    });

    it(`in the cache mode ${mode} with the layout ${layout}: Chat Completions`, () => {
      assert.deepEqual(secondRequest(mode, sent, toOpenAi), inOpenAiForm(parts));
    });
  }
});
