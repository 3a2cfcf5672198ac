import assert from 'node:assert/strict';
import { CallArguments } from '../../../src/providers/callArguments.js';
import { MODEL, deltas, endOf, partsOf, summary } from './support.js';

const call = (name: string, args: unknown, more: object): object => ({ ...more, function: { name, arguments: args } });
const piece = (args: unknown): object => ({ index: 0, function: { arguments: args } });

async function calls(...items: readonly object[]): Promise<string[]> {
  return summary(await partsOf(deltas('tool_calls', ...items.map((item) => ({ tool_calls: [item] }))), MODEL));
}

describe('arguments of which an empty object came first', () => {
  const REAL = '{"path":"src"}';

  it('are what follows it, in however many pieces both come', async () => {
    for (const empty of [['{}'], ['{', '}'], ['{ ', ' }'], ['{}', ' '], ['{}', '{}']]) {
      for (const real of [[REAL], REAL.split(''), [`\n${REAL}`], ['{"path":', '"src"}']]) {
        const [first = '', ...others] = [...empty, ...real];
        const pieces = [call('read', first, { index: 0, id: 'x' }), ...others.map(piece)];
        const [said = ''] = await calls(...pieces);
        const args: unknown = JSON.parse(/^x read\((.*)\)$/s.exec(said)?.[1] ?? 'null');
        assert.deepEqual(args, { path: 'src' }, JSON.stringify([empty, real]));
      }
    }
  });

  it('are what follows it where it comes as an object, in the same piece, with the name or with an id of its own', async () => {
    const want = [`x read(${REAL})`];
    const first = { index: 0, id: 'x' };
    assert.deepEqual(await calls(call('read', {}, first), piece(REAL)), want);
    assert.deepEqual(await calls(call('read', {}, first), piece({ path: 'src' })), want);
    assert.deepEqual(await calls(call('read', `{}${REAL}`, first)), want);
    assert.deepEqual(await calls(call('read', '{}', first), call('read', REAL, first)), want);
    assert.deepEqual(await calls(call('read', '{}', first), { index: 0, id: 'y', function: { arguments: REAL } }), want);
    assert.deepEqual(await calls(call('read', '{}', { id: 'x' }), { function: { arguments: REAL } }), want);
  });

  it('are the empty object where nothing follows, also in a reply that is cut', async () => {
    for (const finish of ['tool_calls', 'length', null]) {
      const parts = await partsOf(
        deltas(finish, { tool_calls: [call('list', '{', { index: 0, id: 'x' })] }, { tool_calls: [piece('}')] }),
        MODEL,
      );
      assert.deepEqual(summary(parts), ['x list({})']);
    }
  });

  it('are apart from those of another call', async () => {
    const parallel = [call('list', '{}', { index: 0, id: 'x' }), call('read', REAL, { index: 1, id: 'y' })];
    assert.deepEqual(await calls(...parallel), ['x list({})', `y read(${REAL})`]);
    const sameIndex = [call('list', '{}', { index: 0, id: 'x' }), call('list', REAL, { index: 0, id: 'y' })];
    assert.deepEqual(await calls(...sameIndex), ['x list({})', `y list(${REAL})`]);
  });
});

describe('a second object in the arguments', () => {
  it('is another call of the same tool', async () => {
    const first = call('find', '{"path":"a"}', { index: 0, id: 'x' });
    assert.deepEqual(await calls(first, piece('{"path":"docs"}')), ['x find({"path":"a"})', 'call find({"path":"docs"})']);
    assert.deepEqual(await calls(first, piece('{"path"'), piece(':"docs"}'), piece('')), [
      'x find({"path":"a"})',
      'call find({"path":"docs"})',
    ]);
    const whole = call('find', '{"day":1} {"day":{"no":2}}{"day":"}{"}', { index: 0, id: 'x' });
    assert.deepEqual(await calls(whole), ['x find({"day":1})', 'call find({"day":{"no":2}})', 'call_2 find({"day":"}{"})']);
    const byId = ['{"a":1}', '{"a"', ':2}'].map((args) => call(args === '{"a":1}' ? 'f' : '', args, { id: 'x' }));
    assert.deepEqual(await calls(...byId), ['x f({"a":1})', 'call f({"a":2})']);
  });

  it('is marked, in each of its pieces that name it, and a call of its own is not', async () => {
    const marked = async (...items: readonly object[]): Promise<unknown> => {
      const parts = await partsOf(deltas('tool_calls', ...items.map((item) => ({ tool_calls: [item] }))), MODEL);
      return parts.flatMap((part) => (part.type === 'toolCall' ? [[part.id, part.isSplitOff === true]] : []));
    };
    const first = call('find', '{"day":1}', { index: 0, id: 'x' });
    assert.deepEqual(await marked(call('find', '{"day":1}{"day":2}', { index: 0, id: 'x' })), [
      ['x', false],
      ['call', true],
    ]);
    assert.deepEqual(await marked(first, piece('{"day"'), piece(':2}'), call('find', '{"day":3}', { index: 1, id: 'y' })), [
      ['x', false],
      ['call', true],
      ['y', false],
    ]);
    assert.deepEqual(await marked(first, piece('{}'), piece('{"day":1}')), [['x', false]]);
  });

  it('is none where it says nothing, or the same', async () => {
    const first = call('find', '{"path":"a"}', { index: 0, id: 'x' });
    const want = ['x find({"path":"a"})'];
    assert.deepEqual(await calls(first, piece('{}')), want);
    assert.deepEqual(await calls(first, piece('\n'), piece('{"path":"a"}')), want);
    assert.deepEqual(await calls(call('find', '{"path":"a"}{"path":"a"}{}', { index: 0, id: 'x' })), want);
  });

  it('stays with the arguments where something else stands between: the model is told', async () => {
    const parts = [call('f', '{"a":1},', { index: 0, id: 'x' }), piece('{"b":2}')];
    assert.deepEqual(await calls(...parts), ['x f({"a":1},{"b":2})']);
  });
});

describe('the arguments of a call', () => {
  it('are looked at once, however small the pieces and however often the object may have ended', () => {
    const looked = new Map<string, number>();
    const args = new CallArguments();
    const piece = (text: string): string => {
      looked.set(text, 0);
      return text;
    };
    assert.equal(args.take(piece('{"a":[')).text, '{"a":[');
    const parse = JSON.parse;
    let parsed = 0;
    JSON.parse = (...given) => {
      parsed += 1;
      return parse(...given) as unknown;
    };
    try {
      for (let at = 0; at < 1_000; at += 1) {
        args.take('{},');
        assert.equal(args.isComplete, false);
      }
    } finally {
      JSON.parse = parse;
    }
    assert.equal(parsed, 0);
    args.take('{}]}');
    assert.ok(args.isComplete);
  });
});

describe('items of tool calls that say nothing', () => {
  const EMPTY: readonly object[] = [
    { function_call: {} },
    { function_call: { name: '', arguments: '' } },
    { function_call: null },
    { tool_calls: [{}] },
    { tool_calls: [null] },
    { tool_calls: [{ index: 0 }] },
    { tool_calls: [{ index: 0, id: '', type: 'function', function: { name: '', arguments: '' } }] },
    { tool_calls: [{ index: 0, id: null, type: null, function: { name: null, arguments: null } }] },
    { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: {} }] },
  ];

  it('are no call beside a text', async () => {
    for (const empty of EMPTY) {
      const both = await partsOf(deltas('stop', { content: 'Hello', ...empty }, { content: ' you', ...empty }), MODEL);
      assert.deepEqual(summary(both), ['text: Hello you'], JSON.stringify(empty));
      assert.equal(endOf(both)?.stopReason, 'end');
      assert.ok(!both.some(({ type }) => type === 'toolCall'));
    }
  });

  it('are no call in a whole message either, whatever reason the server gives', async () => {
    for (const empty of EMPTY) {
      const reply = { choices: [{ message: { content: 'Hello', ...empty }, finish_reason: 'tool_calls' }] };
      const parts = await partsOf(`data: ${JSON.stringify(reply)}\n\n`, MODEL);
      assert.deepEqual(summary(parts), ['text: Hello']);
      assert.equal(endOf(parts)?.stopReason, 'end');
    }
  });

  it('do not break a tag apart', async () => {
    const parts = await partsOf(deltas('stop', { content: '<th', tool_calls: [{}] }, { content: 'ink>Hm</think>Yes' }), MODEL);
    assert.deepEqual(summary(parts), ['reasoning: Hm', 'text: Yes']);
  });

  it('continue a call', async () => {
    const pieces = [call('read', '{"a"', { index: 0, id: 'x' }), {}, piece(':1}'), { index: 0 }];
    assert.deepEqual(await calls(...pieces), ['x read({"a":1})']);
  });
});
