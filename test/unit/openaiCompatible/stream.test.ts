import assert from 'node:assert/strict';
import { figureValue } from '../../../src/engine/model/usage.js';
import { ToolCallDeltas } from '../../../src/providers/openaiCompatible/toolCallDeltas.js';
import { column } from '../../support/columns.js';
import { MODEL, deltas, endOf, events, fixture, modelWith, partsOf, summary } from './support.js';

const THINKING = modelWith({ reasoningReplay: 'always' });

/** The finished calls of a stream with these items of `tool_calls`, one chunk each. */
async function calls(...items: readonly object[]): Promise<string[]> {
  return summary(await partsOf(deltas('tool_calls', ...items.map((item) => ({ tool_calls: [item] }))), MODEL));
}

describe('the reader of Chat Completions streams', () => {
  it('gives text as it comes, then the usage of the last chunk, then the end', async () => {
    const rawUsage = {
      prompt_tokens: 1200,
      completion_tokens: 9,
      total_tokens: 1209,
      prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    };
    const usage = {
      promptTokens: { value: 176, source: 'reported' },
      cacheReadInputTokens: { value: 1024, source: 'reported' },
      cacheCreationInputTokens: { value: 0, source: 'reported' },
      cacheCreation: null,
      completionTokens: { value: 9, source: 'reported' },
    };
    assert.deepEqual(await partsOf(fixture('text'), MODEL), [
      { type: 'text', index: 0, text: 'Grüße' },
      { type: 'text', index: 0, text: ', 世界 🙂' },
      { type: 'usage', usage, rawUsage },
      { type: 'end', stopReason: 'end', usage, rawUsage, responseId: 'chatcmpl-1' },
    ]);
  });

  it('has the tier that the server names beside the usage, or in it', async () => {
    const tierOf = async (chunk: object, used: object): Promise<string | undefined> => {
      const usage = { prompt_tokens: 10, completion_tokens: 2, ...used };
      const choices = [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }];
      const parts = await partsOf(events({ ...chunk, choices }, { choices: [], usage }), MODEL);
      return endOf(parts)?.usage?.serviceTier;
    };
    assert.equal(await tierOf({ service_tier: 'flex' }, {}), 'flex');
    assert.equal(await tierOf({ service_tier: 'default' }, {}), undefined);
    assert.equal(await tierOf({}, { service_tier: 'priority', speed: 'fast' }), 'priority + fast');
    assert.equal(await tierOf({}, {}), undefined);
  });

  it('takes the pieces of parallel calls apart by their index', async () => {
    const parts = await partsOf(fixture('parallelToolCalls'), MODEL);
    assert.deepEqual(parts, [
      { type: 'toolCall', index: 0, id: 'call_a', name: 'read' },
      { type: 'toolCallArgs', index: 0, text: '{"path":' },
      { type: 'toolCall', index: 1, id: 'call_b', name: 'list' },
      { type: 'toolCallArgs', index: 1, text: '{' },
      { type: 'toolCallArgs', index: 0, text: '"a.ts"}' },
      { type: 'toolCallArgs', index: 1, text: '}' },
      { type: 'end', stopReason: 'toolCalls', usage: null, rawUsage: null, responseId: 'chatcmpl-2' },
    ]);
  });

  it('numbers reasoning, text and calls in the order in which they appear', async () => {
    const parts = await partsOf(fixture('reasoningThenTool'), MODEL);
    assert.deepEqual(summary(parts), ['reasoning: The file first. [reasoning_content]', 'text: I look.', 'call_00 read({})']);
    assert.equal(endOf(parts)?.stopReason, 'toolCalls');
    assert.equal(figureValue(endOf(parts)?.usage?.cacheReadInputTokens ?? null), 64);
  });

  it('reads through the comments and members of a gateway', async () => {
    const parts = await partsOf(fixture('gateway'), THINKING);
    assert.deepEqual(summary(parts), [
      'reasoning: Hm. [reasoning_details:{"text":"text","item":{"type":"reasoning.text","index":0}}]',
      'text: Yes.',
    ]);
    const { usage, stopReason, responseId } = endOf(parts) ?? {};
    assert.equal(stopReason, 'end');
    assert.equal(responseId, 'gen-4');
    assert.equal(figureValue(usage?.promptTokens ?? null), 54);
    assert.equal(figureValue(usage?.cacheCreationInputTokens ?? null), 100);
  });

  it('reads CRLF lines and a stream without its last blank line', async () => {
    const text = fixture('text').toString();
    const expected = await partsOf(text, MODEL);
    assert.deepEqual(await partsOf(text.replaceAll('\n', '\r\n'), MODEL), expected);
    assert.deepEqual(await partsOf(text.replace(/\s*data: \[DONE\]\s*$/, ''), MODEL), expected);
  });
});

describe('reasoning in a stream', () => {
  it('is signed with the name of its member once something follows, when the model takes it back', async () => {
    const parts = await partsOf(fixture('reasoningThenTool'), THINKING);
    assert.equal(summary(parts)[0], 'reasoning: The file first. [reasoning_content]');
    const signed = parts.findIndex(({ type }) => type === 'reasoningSigned');
    assert.equal(parts[signed + 1]?.type, 'text');
  });

  it('is signed before a call, and at the end of the reply', async () => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };
    const before = await partsOf(deltas('tool_calls', { reasoning: 'Hm' }, call), THINKING);
    assert.deepEqual(column(before, 'type'), ['reasoning', 'reasoningSigned', 'toolCall', 'toolCallArgs', 'end']);
    const last = await partsOf(deltas('stop', { reasoning: 'Hm' }), THINKING);
    assert.deepEqual(column(last, 'type'), ['reasoning', 'reasoningSigned', 'end']);
  });

  it('goes back with a call that came behind it, also when the reply is then cut or stopped', async () => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };
    for (const reason of ['tool_calls', 'length', null]) {
      const whole = await partsOf(deltas(reason, { reasoning_content: 'Hm' }, call), MODEL);
      assert.deepEqual(summary(whole), ['reasoning: Hm [reasoning_content]', 'a f({})'], String(reason));
      const empty = await partsOf(deltas(reason, { reasoning_content: '' }, call), MODEL);
      assert.deepEqual(summary(empty), ['a f({})', '? [reasoning_content]'], String(reason));
    }
  });

  it('is not signed when the output limit cut it, nor when the stream broke off', async () => {
    assert.deepEqual(summary(await partsOf(deltas('length', { reasoning: 'Hm' }), THINKING)), ['reasoning: Hm']);
    assert.deepEqual(summary(await partsOf(deltas(null, { reasoning: 'Hm' }), THINKING)), ['reasoning: Hm']);
  });

  it('is not signed for a model that does not take it back', async () => {
    const parts = await partsOf(deltas('stop', { reasoning_content: 'Hm' }, { content: 'Yes' }), MODEL);
    assert.deepEqual(summary(parts), ['reasoning: Hm', 'text: Yes']);
  });

  it('is taken once when a server sends it twice in one chunk', async () => {
    const parts = await partsOf(deltas('stop', { reasoning_content: 'Hm', reasoning: 'Hm' }), THINKING);
    assert.deepEqual(summary(parts), ['reasoning: Hm [reasoning_content]']);
  });

  it('begins a new part behind text', async () => {
    const parts = await partsOf(deltas('stop', { reasoning: 'a' }, { content: 'b' }, { reasoning: 'c' }), THINKING);
    assert.deepEqual(summary(parts), ['reasoning: a [reasoning]', 'text: b', 'reasoning: c [reasoning]']);
  });
});

describe('reasoning in tags', () => {
  const tagged = (...contents: readonly string[]): Promise<string[]> =>
    partsOf(deltas('stop', ...contents.map((content) => ({ content }))), MODEL).then(summary);

  it('is taken out at the begin of a content, however it is cut', async () => {
    const text = ' <think>Hm <b> </thin</think>\n\nYes';
    const expected = ['reasoning: Hm <b> </thin', 'text: \n\nYes'];
    assert.deepEqual(await tagged(text), expected);
    assert.deepEqual(await tagged(...text.split('')), expected);
    for (let at = 1; at < text.length; at += 1) {
      assert.deepEqual(await tagged(text.slice(0, at), text.slice(at)), expected, `cut at ${at}`);
    }
  });

  it('is text where it does not begin the content, and what only looks like a tag is text, too', async () => {
    for (const text of ['So <think>a</think>', '<thinker>', '<', '  <thi', '<b>bold</b>', '</think>']) {
      assert.deepEqual(await tagged(text), [`text: ${text}`]);
      assert.deepEqual(await tagged(...text.split('')), [`text: ${text}`]);
    }
  });

  it('is all that came when the tag is never closed, and nothing of it is lost', async () => {
    assert.deepEqual(await tagged('<think>Hm', ' so </th'), ['reasoning: Hm so </th']);
    const broken = await partsOf(deltas(null, { content: '<think>Hm</t' }), MODEL);
    assert.deepEqual(summary(broken), ['reasoning: Hm</t']);
  });

  it('ends before a call', async () => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };
    const parts = await partsOf(deltas('tool_calls', { content: '<think>Hm' }, call), MODEL);
    assert.deepEqual(summary(parts), ['reasoning: Hm [tag:{"tag":"think"}]', 'a f({})']);
  });
});

describe('tool calls of servers that do not keep to the protocol', () => {
  const call = (name: string, args: unknown, more: object): object => ({ ...more, function: { name, arguments: args } });

  it('are apart when all have the index 0 but ids of their own', async () => {
    const parts = await partsOf(fixture('sameIndex'), MODEL);
    assert.deepEqual(summary(parts), ['call_x1 write({"path":"a"})', 'call_x2 write({"path":"b"})']);
    assert.equal(endOf(parts)?.stopReason, 'toolCalls');
  });

  it('are apart without index and id, with arguments as an object or none, and get unique ids', async () => {
    const parts = await partsOf(fixture('noIndex'), MODEL);
    assert.deepEqual(summary(parts), ['call read({"path":"a"})', 'call_2 read({"path":"b"})', 'call_3 list()']);
    assert.equal(endOf(parts)?.responseId, null);
  });

  it('are apart when whole calls come with the same index, the same name and no id', async () => {
    const items = ['{"a":1}', '{"a":2}'].map((args) => call('f', args, { index: 0 }));
    assert.deepEqual(await calls(...items), ['call f({"a":1})', 'call_2 f({"a":2})']);
  });

  it('are apart without any arguments, by another id, or when each comes whole', async () => {
    const ids = ['x', 'y'].map((id) => call('f', '', { index: 0, id }));
    assert.deepEqual(await calls(...ids), ['x f()', 'y f()']);
    const whole = [1, 2].map(() => call('f', '', {}));
    assert.deepEqual(await calls(...whole), ['call f()', 'call_2 f()']);
  });

  it('are one when the name comes in pieces of one number, until the arguments begin', async () => {
    const pieces = [
      call('read_', '', { index: 0, id: 'x' }),
      call('fi', '', { index: 0 }),
      call('le', '{"a"', { index: 0 }),
      call('', ':1}', { index: 0 }),
    ];
    assert.deepEqual(await calls(...pieces), ['x read_file({"a":1})']);
    const soFar = ['re', 'read', 'read'].map((name) => call(name, '', { index: 1 }));
    assert.deepEqual(await calls(...soFar, call('', '{}', { index: 1 })), ['call read({})']);
    const others = [call('look', '{"a":1}', { index: 0 }), call('read', '{}', { index: 0 })];
    assert.deepEqual(await calls(...others), ['call look({"a":1})', 'call_2 read({})']);
  });

  it('are apart when an id comes twice', async () => {
    const items = ['{"a":1}', '{"a":2}'].map((args, index) => call('f', args, { index, id: 'same' }));
    assert.deepEqual(await calls(...items), ['same f({"a":1})', 'same_2 f({"a":2})']);
    const bare = ['{"a":1}', '{"a":2}'].map((args) => call('f', args, { id: 'same' }));
    assert.deepEqual(await calls(...bare), ['same f({"a":1})', 'same_2 f({"a":2})']);
  });

  it('are one when every piece repeats id and name', async () => {
    const pieces = ['{"a"', ':{}', '}', ''].map((args) => call('f', args, { index: 0, id: 'x' }));
    assert.deepEqual(await calls(...pieces), ['x f({"a":{}})']);
  });

  it('are one when every piece has an id of its own but no name, as some servers make them up', async () => {
    const pieces = [call('f', '{"a"', { index: 0, id: 'x' }), { index: 0, id: 'y', function: { arguments: ':1}' } }];
    assert.deepEqual(await calls(...pieces), ['x f({"a":1})']);
    const next = { index: 0, id: 'z', function: { arguments: '{"b":2}' } };
    assert.deepEqual(await calls(...pieces, next), ['x f({"a":1})', 'z ({"b":2})'], 'but nothing continues whole arguments');
  });

  it('take time in proportion to their length, however small the pieces', function () {
    // Copying all arguments for each piece would take about twenty seconds.
    this.timeout(5_000);
    let parts = 0;
    const taken = new ToolCallDeltas(() => (parts += 1));
    taken.take(call('f', '', { index: 0, id: 'x' }));
    const pieces = Array.from({ length: 100_000 }, () => taken.take({ index: 0, function: { arguments: 'abcde' } }));
    assert.deepEqual(
      new Set(pieces.map((piece) => JSON.stringify(piece))),
      new Set(['[{"type":"toolCallArgs","index":1,"text":"abcde"}]']),
    );
  });

  it('are one when pieces without an index follow their call', async () => {
    const pieces = [{ id: 'x', function: { name: 'f', arguments: '{' } }, { function: { arguments: '}' } }];
    assert.deepEqual(await calls(...pieces), ['x f({})']);
  });

  it('wait for a name that comes later', async () => {
    const pieces = [{ index: 0, id: 'x' }, { index: 0, function: { arguments: '{' } }, call('f', '}', { index: 0 })];
    assert.deepEqual(await calls(...pieces), ['x f({})']);
    const bare = [{ id: 'x' }, { function: { name: 'f', arguments: '{}' } }];
    assert.deepEqual(await calls(...bare), ['x f({})']);
  });

  it('are told without a name when none ever comes', async () => {
    const parts = await partsOf(deltas('tool_calls', { tool_calls: [{ index: 0, function: { arguments: '{}' } }] }), MODEL);
    assert.deepEqual(parts.slice(0, 2), [
      { type: 'toolCall', index: 0, id: 'call', name: '' },
      { type: 'toolCallArgs', index: 0, text: '{}' },
    ]);
  });

  it('are one when each piece has all arguments so far, or the last one the whole call again', async () => {
    const growing = ['{"a"', '{"a":1', '{"a":1}', '{"a":1}'].map((args) => ({ index: 0, function: { arguments: args } }));
    assert.deepEqual(await calls(call('f', '', { index: 0, id: 'x' }), ...growing), ['x f({"a":1})']);
    const again = call('f', '{"a":1}', { index: 0, id: 'x' });
    assert.deepEqual(await calls(again, again), ['x f({"a":1})']);
    assert.deepEqual(await calls(again, { index: 0, function: { arguments: '{"a":1}' } }), ['x f({"a":1})']);
  });

  it('have members of one name within each other', async () => {
    const pieces = ['{"a":', '{"a":1}', '}'].map((args) => ({ index: 0, function: { arguments: args } }));
    assert.deepEqual(await calls(call('f', '', { index: 0, id: 'x' }), ...pieces), ['x f({"a":{"a":1}})']);
    assert.deepEqual(await calls(call('f', '{"a":', { index: 0, id: 'x' }), { index: 0, function: { arguments: '{"a":1}}' } }), [
      'x f({"a":{"a":1}})',
    ]);
  });

  it('keep away from an id that is made up', async () => {
    const items = [call('f', '{}', { index: 0 }), call('g', '{}', { index: 1, id: 'call' })];
    assert.deepEqual(await calls(...items), ['call f({})', 'call_2 g({})']);
  });

  it('may come in the older form of a single call', async () => {
    const older = [{ function_call: { name: 'f', arguments: '{' } }, { function_call: { arguments: '}' } }];
    const parts = await partsOf(deltas('function_call', ...older), MODEL);
    assert.deepEqual(summary(parts), ['call f({})']);
    assert.equal(endOf(parts)?.stopReason, 'toolCalls');
  });

  it('do not break up text whose pieces come between theirs', async () => {
    const first = { content: 'I ', tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '{' } }] };
    const parts = await partsOf(
      deltas('stop', first, { content: 'a' }, { tool_calls: [{ index: 0, function: { arguments: '}' } }] }, { content: 'b' }),
      MODEL,
    );
    assert.deepEqual(summary(parts), ['text: I ', 'x f({})', 'text: ab']);
  });
});

describe('the end of a stream', () => {
  it('is none without a finish reason, not even behind [DONE]; the usage is kept', async () => {
    const parts = await partsOf(fixture('noFinish'), MODEL);
    assert.deepEqual(column(parts, 'type'), ['text', 'usage']);
    assert.equal(endOf(await partsOf(deltas(null, { content: 'a' }), MODEL)), null);
    assert.equal(endOf(await partsOf(events({ choices: [{ index: 0, delta: {}, finish_reason: '' }] }), MODEL)), null);
  });

  it('gives the reason in our terms', async () => {
    const expected = {
      ...{ stop: 'end', eos: 'end', STOP: 'end', end_turn: 'end', tool_calls: 'end', function_call: 'end' },
      ...{ length: 'length', model_length: 'length', MAX_TOKENS: 'length', max_tokens: 'length' },
      ...{ content_filter: 'refused', SAFETY: 'refused', abort: 'other', weather: 'other', constructor: 'other' },
    };
    for (const [reason, stopReason] of Object.entries(expected)) {
      const end = endOf(await partsOf(deltas(reason, { content: 'a' }), MODEL));
      assert.deepEqual([end?.stopReason, end?.finishReason], [stopReason, stopReason === 'other' ? reason : undefined]);
    }
  });

  it('keeps a figure that a later report has as 0, or not at all', async () => {
    const chunk = (usage: object): object => ({ choices: [], usage });
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const real = { prompt_tokens: 5, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } };
    const zeros = { prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } };
    const end = endOf(await partsOf(events(chunk(zeros), chunk(real), finish, chunk(zeros), chunk({ total_tokens: 8 })), MODEL));
    assert.deepEqual(end?.rawUsage, { ...real, total_tokens: 8 });
  });

  it('is a refusal when the model refused, and its words are text', async () => {
    const parts = await partsOf(fixture('refusal'), MODEL);
    assert.deepEqual(summary(parts), ['text: I cannot help with that.']);
    assert.equal(endOf(parts)?.stopReason, 'refused');
  });

  it('has no usage when there was none, and keeps nonsense as it came', async () => {
    const bare = endOf(await partsOf(deltas('stop', { content: 'a' }), MODEL));
    assert.deepEqual([bare?.usage, bare?.rawUsage], [null, null]);
    const nonsense = { prompt_tokens: 'many' };
    const parts = await partsOf(events({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: nonsense }), MODEL);
    assert.deepEqual(parts, [{ type: 'end', stopReason: 'end', usage: null, rawUsage: nonsense, responseId: null }]);
  });

  it('has the usage that stands in the choice', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 2 };
    const end = endOf(await partsOf(events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }), MODEL));
    assert.deepEqual([end?.rawUsage, figureValue(end?.usage?.completionTokens ?? null)], [usage, 2]);
  });

  it('has the latest usage of several', async () => {
    const chunk = (tokens: number): object => ({ choices: [], usage: { prompt_tokens: 5, completion_tokens: tokens } });
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
    const end = endOf(await partsOf(events(chunk(1), chunk(2), finish, chunk(3)), MODEL));
    assert.equal(figureValue(end?.usage?.completionTokens ?? null), 3);
    // Each covers the whole reply, so they are not added up, and the last one can be smaller.
    for (const last of [3, 1]) {
      const twice = endOf(await partsOf(events(chunk(3), finish, chunk(last)), MODEL));
      assert.equal(figureValue(twice?.usage?.completionTokens ?? null), last);
    }
  });
});

describe('chunks that say something else', () => {
  it('count for nothing, be it other choices or values of a wrong kind', async () => {
    const chunks = [
      { choices: [{ index: 1, delta: { content: 'other' }, finish_reason: 'stop' }] },
      { choices: [{ index: 0, delta: { content: 5, reasoning: {}, tool_calls: 'none', refusal: null } }] },
      { choices: [null, 'x'], usage: 7 },
      { choices: {} },
      { choices: [{ index: 0, delta: null, finish_reason: 3 }] },
    ];
    assert.deepEqual(await partsOf(events(...chunks), MODEL), []);
    assert.deepEqual(await partsOf('data: null\n\ndata: 5\n\ndata: []\n\n', MODEL), []);
  });

  it('may give the content as a list of parts', async () => {
    const parts = await partsOf(
      deltas('stop', {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
      MODEL,
    );
    assert.deepEqual(summary(parts), ['text: ab']);
  });
});
