import assert from 'node:assert/strict';
import type { InspectedBlock } from '../../../../src/protocol/inspector/inspector.js';
import { blockRuns, runNumber } from '../../../../webview/inspector/blockRuns.js';
import { jsonPieces } from '../../../../webview/inspector/blockDetail.js';

const block = (kind: InspectedBlock['kind'], change: Partial<InspectedBlock>): InspectedBlock => ({
  ...{ name: kind, kind, server: null, message: null, tier: 'L0', breakpoint: null, tokens: 10, price: 0.1, problem: null },
  ...{ cache: { read: 10, written: 0, fresh: 0 }, why: kind === 'message' ? 'history' : 'always' },
  ...change,
});
const said = (message: string): InspectedBlock => block('message', { message });

describe('The blocks of a request', () => {
  const runs = (blocks: readonly InspectedBlock[], brokenAt: number | null): string[] =>
    blockRuns(blocks, brokenAt).map((run) => `${runNumber(run)} ${run.name} ${String(run.tokens)}`);
  const BLOCKS = [
    block('tool', { server: 'git' }),
    block('tool', { server: 'files' }),
    block('system', {}),
    ...['a', 'b', 'b', 'c'].map(said),
    block('message', { why: 'you', name: 'You: Why?' }),
  ];

  it('fold where tools or messages follow each other, and number what they fold', () => {
    assert.deepEqual(runs(BLOCKS, null), ['1-2 2 tools, 2 servers 20', '3 system 10', '4-7 3 messages 40', '8 You: Why? 10']);
  });

  it('fold on neither side over the place where the cache broke', () => {
    assert.deepEqual(runs(BLOCKS, 4), ['1-2 2 tools, 2 servers 20', '3 system 10', '4 message 10', '5-7 2 messages 30', '8 You: Why? 10']);
  });

  it('fold only with the same cache state, so that the state of a run is that of its blocks', () => {
    const written = { cache: { read: 0, written: 10, fresh: 0 } };
    const history = [...['a', 'b', 'c'].map(said), ...['d', 'e', 'f'].map((message) => block('message', { message, ...written }))];
    assert.deepEqual(runs(history, null), ['1-3 3 messages 30', '4-6 3 messages 30']);
  });

  it('fold a long history in several runs, each of whole messages, and all tools in one', () => {
    const history = Array.from({ length: 1_000 }, (_, at) => said(`message ${String(Math.floor(at / 3))}`));
    assert.deepEqual(runs(history, null), [
      '1-252 84 messages 2520',
      '253-504 84 messages 2520',
      '505-756 84 messages 2520',
      '757-1,000 82 messages 2440',
    ]);
    const tools = Array.from({ length: 300 }, () => block('tool', { server: 'git' }));
    assert.deepEqual(runs(tools, null), ['1-300 300 tools 3000']);
  });

  it('have a sum only where each of them is known', () => {
    const sumsOf = (each: InspectedBlock): unknown =>
      blockRuns([each, each, { ...each, price: null }], null).map(({ tokens, cache, price }) => [tokens, cache, price]);
    assert.deepEqual(sumsOf(said('a')), [[30, { read: 30, written: 0, fresh: 0 }, null]]);
    assert.deepEqual(sumsOf(block('message', { cache: null })), [[30, null, null]]);
  });
});

describe('A line of JSON', () => {
  it('is told apart in names, strings and the rest, also where it is cut', () => {
    const kinds = (line: string): string[] => jsonPieces(line).map(({ text, kind }) => `${kind}:${text}`);
    assert.deepEqual(kinds('  "a\\"b": "c:\\n", 1'), ['plain:  ', 'name:"a\\"b"', 'plain:: ', 'string:"c:\\n"', 'plain:, 1']);
    assert.deepEqual(kinds('"text":"cut he'), ['name:"text"', 'plain::', 'string:"cut he']);
  });
});
