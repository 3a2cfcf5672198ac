import assert from 'node:assert/strict';
import type { ModelOptions, Reply } from '../support/cachingServer/options.js';
import { block, HOUR_MARK, MARK, MINUTE, numbered, Rig, send, sizes, usage, words } from '../support/cachingServer/rig.js';

/*
 * Each rule of https://platform.claude.com/docs/en/build-with-claude/prompt-caching once. The model caches from 100
 * tokens on. A step is `minute: blocks = usage`, usage in hundreds of tokens (r read, m written for five minutes, h for
 * an hour, f uncached). A block has 100 tokens; `1-3` are three of them, `:m` and `:h` mark the last one.
 */

const MARKS: Readonly<Record<string, object>> = { m: MARK, h: HOUR_MARK };

function blocksOf(text: string): object[] {
  return text.split(' ').flatMap((word) => {
    const [range = '', mark = ''] = word.split(':');
    const [from = '', to] = range.split('-');
    const names = to === undefined ? [from] : Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => String(Number(from) + at));
    return names.map((name, at) => ({ ...block(`${name} `, 100), ...(at === names.length - 1 ? MARKS[mark] : {}) }));
  });
}

function sizesOf(text: string): object {
  const of = (letter: string): number => 100 * Number(new RegExp(`${letter}(\\d+)`, 'u').exec(text)?.[1] ?? 0);
  return sizes({ read: of('r'), written5m: of('m'), written1h: of('h'), fresh: of('f') });
}

const RULES: readonly (readonly [string, ...string[]])[] = [
  ['writes up to the last mark, reads it the next time, and leaves the rest fresh', '0: 1-5:m a = m5 f1', '0: 1-5:m b = r5 f1'],
  ['caches nothing without a mark, and reads nothing though an entry is alive', '0: 1-3:m = m3', '0: 1-3 = f3'],
  ['writes no entry after the mark or before it', '0: 1-5 a:m = m6', '0: 1-5 b:m = m6', '0: 1-5:m c = m5 f1', '0: 1-5:m d = r5 f1'],
  ['reads the longest prefix that is alive, past a change further back', '0: 1 2:m 3:m 4:m = m4', '0: 1 2:m x:m = r2 m1'],
  ['looks back 20 positions, the mark itself included', '0: 1-15:m = m15', '0: 1-34:m = r15 m19'],
  ['finds nothing one position further back', '0: 1-15:m = m15', '0: 1-35:m = m35'],
  ['starts to look again at the mark before', '0: 1-15:m = m15', '0: 1-15:m 16-35:m = r15 m20'],
  ['keeps an entry for five minutes after its last use', '0: 1-2:m = m2', '5: 1-2:m = r2', '10: 1-2:m = r2', '15.1: 1-2:m = m2'],
  ['keeps one of an hour for an hour after its last use', '0: 1:h = h1', '60: 1:h = r1', '120.1: 1:h = h1'],
  ['renews the entries at the marks of a request', '0: 1:m 2-3:m = m3', '4: 1:m 2-3:m = r3', '8: 1:m = r1'],
  ['renews the entry that looking back has found', '0: 1-2:m = m2', '4: 1-4:m = r2 m2', '8: 1-2:m = r2'],
  ['lets a shorter entry without a mark expire', '0: 1:m 2-3:m = m3', '4: 1-3:m = r3', '8: 1:m = m1'],
  ['makes no entry of an hour of a mark that is not billed', '0: 1-2:m = m2', '0: 1:h 2:m = r2', '6: 1:h 2:m = h1 m1'],
  ['bills up to the last mark of an hour for an hour', '0: 1-2:h 3:h 4-5:m 6 = h3 m2 f1'],
  ['bills for an hour only what follows the hit', '0: 1-2:h 3:h 4-5:m 6 = h3 m2 f1', '0: 1-2:h x:h 4-5:m 6 = r2 h1 m2 f1'],
  ['bills nothing for an hour when the hit reaches the mark', '0: 1-2:h 3:h 4-5:m = h3 m2', '0: 1-2:h 3:h x 5:m = r3 m2'],
];

describe('the caching server: marks of the Messages API', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  for (const [name, ...steps] of RULES) {
    it(name, async () => {
      const server = await rig.startSmall({});
      let now = 0;
      for (const step of steps) {
        const [minute = '', blocks = '', expected = ''] = step.split(/: | = /u);
        server.advance(Number(minute) * MINUTE - now);
        now = Number(minute) * MINUTE;
        assert.deepEqual(await usage(server, { messages: [{ role: 'user', content: blocksOf(blocks) }] }), sizesOf(expected), step);
      }
    });
  }

  it('takes tools, then system, then messages, and looks back through all of them', async () => {
    const server = await rig.startSmall({});
    const tool = { name: words('weather', 200), input_schema: { type: 'object' } };
    const written5m = Math.ceil(JSON.stringify(tool).length / 4);
    const body = (text: string, mark: object, markAtEnd: object): object => ({
      messages: [{ role: 'user', content: [{ ...block('hello', 10), ...markAtEnd }] }],
      system: words(text, 100),
      tools: [{ ...tool, ...mark }],
    });
    assert.deepEqual(await usage(server, body('first', MARK, {})), sizes({ written5m, fresh: 110 }));
    assert.deepEqual(await usage(server, body('second', {}, MARK)), sizes({ read: written5m, written5m: 110 }));
  });

  it('takes a text in place of blocks for one block, and two messages of a role for one', async () => {
    const server = await rig.startSmall({});
    const end = { ...block('b', 50), ...MARK };
    const asText = [
      { role: 'user', content: words('a', 150) },
      { role: 'user', content: [end] },
    ];
    await usage(server, { system: words('s', 10), messages: asText });
    const asBlocks = { system: [block('s', 10)], messages: [{ role: 'user', content: [block('a', 150), end] }] };
    assert.deepEqual(await usage(server, asBlocks), sizes({ read: 210 }));
  });

  const minimums: readonly (readonly [ModelOptions, number])[] = [
    [{ id: 'practice' }, 1_024],
    [{ id: 'practice', minimumTokens: 300 }, 300],
    [{ id: 'claude-haiku-4-5-20251001' }, 4_096],
    [{ id: 'claude-opus-4-1' }, 1_024],
    [{ id: 'claude-opus-4-7' }, 2_048],
    [{ id: 'claude-opus-5' }, 512],
  ];
  for (const [model, minimum] of minimums) {
    it(`caches a prefix of ${model.id} from ${String(minimum)} tokens on`, async () => {
      const server = await rig.start({ models: [model] });
      const body = (system: number): object => ({
        model: model.id,
        system: words('s', system),
        messages: [{ role: 'user', content: [{ ...block('u', 96), ...MARK }] }],
      });
      assert.deepEqual(await usage(server, body(minimum - 97)), sizes({ fresh: minimum - 1 }));
      assert.deepEqual(await usage(server, body(minimum - 96)), sizes({ written5m: minimum }));
    });
  }

  /** A question and replies with `together` calls each, with results. The mark is at the end or at the start. */
  function calls(replies: number, together: number, isMarkedAtEnd: boolean): object {
    const rounds = Array.from({ length: replies }, (_, reply) => {
      const ids = Array.from({ length: together }, (_each, index) => `${String(reply)}_${String(index)}`);
      const isLast = (id: string): boolean => isMarkedAtEnd && reply === replies - 1 && id === ids.at(-1);
      return [
        { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })) },
        {
          role: 'user',
          content: ids.map((id) => ({ ...{ type: 'tool_result', tool_use_id: id, content: words(id, 10) }, ...(isLast(id) ? MARK : {}) })),
        },
      ];
    });
    return { messages: [{ role: 'user', content: [{ ...block('question', 100), ...(isMarkedAtEnd ? {} : MARK) }] }, ...rounds.flat()] };
  }

  const runs: readonly (readonly [string, number, number, boolean])[] = [
    ['a run of calls, and one of results, as one position', 1, 15, true],
    ['calls of 9 replies each for itself', 9, 1, true],
    ['calls of 10 replies each for itself', 10, 1, false],
  ];
  for (const [name, replies, together, isRead] of runs) {
    it(`counts ${name}`, async () => {
      const server = await rig.startSmall({});
      await usage(server, calls(replies, together, false));
      // A call `look {}` has 2 tokens, its result 10.
      const read = isRead ? 100 : 0;
      const expected = sizes({ read, written5m: 100 + replies * together * 12 - read });
      assert.deepEqual(await usage(server, calls(replies, together, true)), expected);
    });
  }

  it('has an entry only when the first response begins, and lets it live from the start of the request', async () => {
    const held: ((reply: Reply) => void)[] = [];
    const reply = (): Promise<Reply> | Reply => (server.requests.length < 1 ? new Promise((resolve) => held.push(resolve)) : { parts: [] });
    const server = await rig.start({ models: [{ id: 'practice', minimumTokens: 100 }], reply });
    const first = usage(server, numbered(2, [2]));
    const second = usage(server, numbered(2, [2]));
    while (held.length < 2) {
      await new Promise(setImmediate);
    }
    server.advance(4 * MINUTE);
    for (const release of held) {
      release({ parts: [] });
    }
    assert.deepEqual(await Promise.all([first, second]), [sizes({ written5m: 200 }), sizes({ written5m: 200 })]);
    assert.deepEqual(await usage(server, numbered(1, [])), sizes({ fresh: 100 }));
    server.advance(MINUTE + 1);
    assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ written5m: 200 }));
  });

  it('has no entry of a request that failed', async () => {
    const failure = { status: 529, message: 'Overloaded' };
    const server = await rig.start({
      models: [{ id: 'practice', minimumTokens: 100 }],
      reply: () => (server.requests.length === 0 ? failure : { parts: [] }),
    });
    assert.equal((await send(server, numbered(2, [2]), {})).status, 529);
    assert.deepEqual(await usage(server, numbered(2, [2])), sizes({ written5m: 200 }));
  });
});
