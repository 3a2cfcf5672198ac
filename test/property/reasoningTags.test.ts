import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyPiece, pieceOf, type GrowingReply } from '../../src/engine/chat/message/reply.js';
import { OPENAI_COMPATIBLE_CAPABILITIES } from '../../src/providers/openaiCompatible/defaults.js';
import { CompletionsReplyReader } from '../../src/providers/openaiCompatible/stream.js';
import { depth } from '../support/depth.mjs';
import { OPEN_MODEL } from '../support/engine/models.js';
import { inRuns } from '../support/forAll.js';

const RUNS = depth({ short: 1_000, deep: 50_000 });
const MODEL = { ...OPEN_MODEL, capabilities: OPENAI_COMPATIBLE_CAPABILITIES };

const content = fc
  .array(
    fc.constantFrom(
      ...['<think>', '</think>', '</think>', '</thinking>', '<thinking>', '</mm:think>', '<', '</', 'think>'],
      ...['\n', '\n', '\n\n', ' ', '\r\n', '\t', '`', '```', '```\n', '\n```\n', '\n~~~~\n', '    ', 'a', 'plan', 'Hello.'],
    ),
    { maxLength: 14 },
  )
  .map((tokens) => tokens.join(''));

type Part = readonly [type: string, text: string];

/** The parts of a reply with this content in pieces, and an optional call. */
function received(pieces: readonly string[], hasCall: boolean): Part[] {
  const reader = new CompletionsReplyReader(MODEL);
  const reply: GrowingReply = [];
  const call = { tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '{}' } }] };
  const choices = [
    ...pieces.map((text) => ({ delta: { content: text } })),
    ...(hasCall ? [{ delta: call }] : []),
    { delta: {}, finish_reason: 'stop' },
  ];
  for (const part of [...choices.flatMap((choice) => reader.take({ choices: [{ index: 0, ...choice }] })), ...reader.end()]) {
    if (part.type !== 'usage' && part.type !== 'begin' && part.type !== 'end' && part.type !== 'image') {
      applyPiece(reply, pieceOf(reply, part));
    }
  }
  return reply.flatMap((part) => (part !== undefined && 'text' in part ? [[part.type, part.text] as const] : []));
}

function expected(whole: string, hasCall: boolean): Part[] {
  const [opening, tag] = /^\s*<(think|thinking|thought|mm:think)>/.exec(whole) ?? [];
  if (opening !== undefined && tag !== undefined) {
    const [reasoning = '', ...after] = whole.slice(opening.length).split(`</${tag}>`);
    return named(['reasoning', reasoning], ['text', after.join(`</${tag}>`)]);
  }
  const [before, first, after] = aroundFirstTag(whole);
  if (!first.startsWith('</') || !endsReasoning(before, after, hasCall)) {
    return named(['text', whole]);
  }
  // White space after the tag is dropped before a call.
  return named(['reasoning', before.trim() === '' ? '' : before], ['text', after.trim() === '' ? '' : after]);
}

/** The text before the first tag, the tag, and the rest. */
function aroundFirstTag(whole: string): readonly [string, string, string] {
  const first = /<\/?(?:think|thinking|thought|mm:think)>/.exec(whole);
  return first === null ? [whole, '', ''] : [whole.slice(0, first.index), first[0], whole.slice(first.index + first[0].length)];
}

function endsReasoning(before: string, after: string, hasCall: boolean): boolean {
  const goesOn = after.trim() === '' ? hasCall : /^[^\S\n]*\n/.test(after);
  return goesOn && !isInFence(before) && !/\S\s*[^\S\n]$/.test(before);
}

function named(...parts: Part[]): Part[] {
  return parts.filter(([, text]) => text !== '');
}

/** Whether a text ends inside a fence, by its whole lines. */
function isInFence(text: string): boolean {
  let fence = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const [, marker = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)/s.exec(line) ?? [];
    if (fence === '') {
      fence = marker.startsWith('`') && info.includes('`') ? '' : marker;
    } else if (marker.startsWith(fence) && info.trim() === '') {
      fence = '';
    }
  }
  return fence !== '';
}

describe('reasoning in tags', () => {
  it('is the same however the content is cut, and as one look at all of it says', () => {
    let moved = 0;
    inRuns(RUNS).forAll(content, fc.boolean(), fc.array(fc.nat(80), { maxLength: 6 }), (whole, hasCall, cuts) => {
      const places = [0, ...cuts.filter((at) => at < whole.length).sort((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((to, index) => whole.slice(places[index], to));
      const parts = expected(whole, hasCall);
      moved += parts[0]?.[0] === 'reasoning' && !whole.trimStart().startsWith('<') ? 1 : 0;
      assert.deepEqual(received([whole], hasCall), parts);
      assert.deepEqual(received(pieces, hasCall), parts);
      assert.deepEqual(received(whole.split(''), hasCall), parts);
    });
    assert.ok(moved > RUNS / 100, `${String(moved)} texts became reasoning`);
  });
});
