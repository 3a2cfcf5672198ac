import assert from 'node:assert/strict';
import { block, HOUR_MARK, MARK, numbered, refusal, Rig, sizes, usage, words } from '../support/cachingServer/rig.js';

// Each rule as https://platform.claude.com/docs/en/build-with-claude/prompt-caching has it.

describe('the caching server: marks of the Messages API', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  describe('breakpoints', () => {
    it('writes what is before the last mark, reads it the next time, and leaves what is behind it fresh', async () => {
      const server = await rig.start({});
      // The documentation's "Large context caching example".
      const agreement = (question: string): object => ({
        system: [block('You analyze legal documents. ', 20), { ...block('The agreement: ', 50_000), ...MARK }],
        messages: [{ role: 'user', content: words(question, 50) }],
      });
      assert.deepEqual(await usage(server, agreement('What are the key terms?')), sizes({ written5m: 50_020, fresh: 50 }));
      assert.deepEqual(await usage(server, agreement('Who signs it?')), sizes({ read: 50_020, fresh: 50 }));
    });

    it('tells 100,000 tokens read and 50 fresh ("Understanding the token breakdown")', async () => {
      const server = await rig.start({});
      const body = { system: [{ ...block('cached ', 100_000), ...MARK }], messages: [{ role: 'user', content: words('you ', 50) }] };
      await usage(server, body);
      assert.deepEqual(await usage(server, body), sizes({ read: 100_000, fresh: 50 }));
    });

    it('caches nothing without a mark, and reads nothing though an entry is alive', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(3, [3]));
      assert.deepEqual(await usage(server, numbered(3, [])), sizes({ fresh: 300 }));
    });

    it('takes tools, then system, then messages', async () => {
      const server = await rig.startSmall({});
      const tool = { name: words('weather', 200), input_schema: { type: 'object' }, ...MARK };
      const toolTokens = Math.ceil(JSON.stringify({ name: words('weather', 200), input_schema: { type: 'object' } }).length / 4);
      const body = (system: string): object => ({
        messages: [{ role: 'user', content: words('hello', 10) }],
        system: words(system, 100),
        tools: [tool],
      });
      assert.deepEqual(await usage(server, body('first')), sizes({ written5m: toolTokens, fresh: 110 }));
      assert.deepEqual(await usage(server, body('second')), sizes({ read: toolTokens, fresh: 110 }));
    });

    it('takes a text in place of blocks for one block, and two messages of a role for one', async () => {
      const server = await rig.startSmall({});
      const asText = [
        { role: 'user', content: words('a', 150) },
        { role: 'user', content: [{ ...block('b', 50), ...MARK }] },
      ];
      const asBlocks = [{ role: 'user', content: [block('a', 150), { ...block('b', 50), ...MARK }] }];
      await usage(server, { system: words('s', 10), messages: asText });
      assert.deepEqual(await usage(server, { system: [block('s', 10)], messages: asBlocks }), sizes({ read: 210 }));
    });

    it('writes no entry behind the mark or before it: a changed block at the mark is a miss ("Common mistake")', async () => {
      const server = await rig.startSmall({});
      const request = (timestamp: string, marked: number): object => {
        const content = [1, 2, 3, 4, 5].map((number) => block(`block ${number}`, 100)).concat(block(timestamp, 100));
        return { messages: [{ role: 'user', content: content.map((one, index) => (index === marked - 1 ? { ...one, ...MARK } : one)) }] };
      };
      assert.deepEqual(await usage(server, request('10:00', 6)), sizes({ written5m: 600 }));
      assert.deepEqual(await usage(server, request('10:01', 6)), sizes({ written5m: 600 }));
      assert.deepEqual(await usage(server, request('10:02', 5)), sizes({ written5m: 500, fresh: 100 }));
      assert.deepEqual(await usage(server, request('10:03', 5)), sizes({ read: 500, fresh: 100 }));
    });

    it('reads the longest prefix that is alive, past a change further back', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(4, [2, 3, 4]));
      const changed = {
        messages: [
          { role: 'user', content: [block('block 1 ', 100), { ...block('block 2 ', 100), ...MARK }, { ...block('other', 100), ...MARK }] },
        ],
      };
      assert.deepEqual(await usage(server, changed), sizes({ read: 200, written5m: 100 }));
    });

    it('reads the thinking that was replayed with a call as input', async () => {
      const server = await rig.startSmall({});
      const conversation = (thinking: string): object => ({
        messages: [
          { role: 'user', content: words('weather?', 100) },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: words(thinking, 40), signature: 'signed' },
              { type: 'tool_use', id: 'call', name: 'wttr', input: {} },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call', content: words('rain', 30), ...MARK }] },
        ],
      });
      // 100 + 40 + `wttr {}` + 30
      assert.deepEqual(await usage(server, conversation('hm')), sizes({ written5m: 172 }));
      assert.deepEqual(await usage(server, conversation('hm')), sizes({ read: 172 }));
      assert.deepEqual(await usage(server, conversation('ah')), sizes({ written5m: 172 }));
    });
  });

  describe('the minimum', () => {
    it('leaves a prefix of fewer than 1,024 tokens uncached, without an error', async () => {
      const server = await rig.start({});
      const body = (tokens: number): object => ({
        system: [{ ...block('s', tokens), ...MARK }],
        messages: [{ role: 'user', content: words('u', 10) }],
      });
      await usage(server, body(1_023));
      assert.deepEqual(await usage(server, body(1_023)), sizes({ fresh: 1_033 }));
      assert.deepEqual(await usage(server, body(1_024)), sizes({ written5m: 1_024, fresh: 10 }));
    });

    it('counts the whole prefix, and is the model’s own', async () => {
      const models = [{ id: 'practice', minimumTokens: 4_096 }];
      const server = await rig.start({ models });
      const body = (system: number): object => ({
        system: words('s', system),
        messages: [{ role: 'user', content: [{ ...block('u', 96), ...MARK }] }],
      });
      assert.deepEqual(await usage(server, body(3_999)), sizes({ fresh: 4_095 }));
      assert.deepEqual(await usage(server, body(4_000)), sizes({ written5m: 4_096 }));
    });
  });

  describe('the look-back', () => {
    it('finds an entry in a growing conversation, and none that is one position outside the window', async () => {
      const server = await rig.startSmall({});
      assert.deepEqual(await usage(server, numbered(10, [10])), sizes({ written5m: 1_000 }));
      assert.deepEqual(await usage(server, numbered(15, [15])), sizes({ read: 1_000, written5m: 500 }));
      // "The system checks 20 positions (blocks 35 through 16) and finds nothing."
      assert.deepEqual(await usage(server, numbered(35, [35])), sizes({ written5m: 3_500 }));
    });

    it('starts again at a second mark, "which finds the turn-2 entry"', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(15, [15]));
      assert.deepEqual(await usage(server, numbered(35, [15, 35])), sizes({ read: 1_500, written5m: 2_000 }));
    });

    it('counts the mark itself as the first of 20 positions', async () => {
      const server = await rig.startSmall({});
      await usage(server, numbered(15, [15]));
      assert.deepEqual(await usage(server, numbered(34, [34])), sizes({ read: 1_500, written5m: 1_900 }));
    });

    /** A round of calls that were made at once, and then all their results, after a question that is marked at first. */
    function parallelCalls(count: number, isMarkedAtEnd: boolean): object {
      const ids = Array.from({ length: count }, (_, index) => `call_${index}`);
      const results = ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: words(id, 10) }));
      const answers = results.map((result, index) => (isMarkedAtEnd && index === count - 1 ? { ...result, ...MARK } : result));
      return {
        messages: [
          { role: 'user', content: [{ ...block('question', 100), ...(isMarkedAtEnd ? {} : MARK) }] },
          { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'look', input: {} })) },
          { role: 'user', content: answers },
        ],
      };
    }

    it('counts a run of calls as one position, and a run of results', async () => {
      const server = await rig.startSmall({});
      await usage(server, parallelCalls(15, false));
      // 15 calls `look {}` of 2 tokens, 15 results of 10.
      assert.deepEqual(await usage(server, parallelCalls(15, true)), sizes({ read: 100, written5m: 180 }));
    });

    it('counts each of them where the platform does', async () => {
      const server = await rig.startSmall({ toolRunsShareAPosition: false });
      await usage(server, parallelCalls(15, false));
      assert.deepEqual(await usage(server, parallelCalls(15, true)), sizes({ written5m: 280 }));
    });

    it('counts calls that were made one after the other each for itself', async () => {
      const rounds = (count: number, marked: boolean): object => ({
        messages: [
          { role: 'user', content: [{ ...block('question', 100), ...(marked ? {} : MARK) }] },
          ...Array.from({ length: count }, (_, index) => [
            { role: 'assistant', content: [{ type: 'tool_use', id: `c${index}`, name: 'look', input: {} }] },
            {
              role: 'user',
              content: [
                { type: 'tool_result', tool_use_id: `c${index}`, content: words('r', 10), ...(marked && index === count - 1 ? MARK : {}) },
              ],
            },
          ]).flat(),
        ],
      });
      for (const [count, read] of [
        [9, 100],
        [10, 0],
      ] as const) {
        const server = await rig.startSmall({});
        await usage(server, rounds(count, false));
        assert.deepEqual(await usage(server, rounds(count, true)), sizes({ read, written5m: 100 + count * 12 - read }));
      }
    });

    it('goes from the messages back into the system prompt and the tools', async () => {
      const server = await rig.startSmall({});
      const body = (isSystemMarked: boolean): object => ({
        system: [{ ...block('s', 100), ...(isSystemMarked ? MARK : {}) }],
        messages: [{ role: 'user', content: [{ ...block('u', 10), ...(isSystemMarked ? {} : MARK) }] }],
      });
      await usage(server, body(true));
      assert.deepEqual(await usage(server, body(false)), sizes({ read: 100, written5m: 10 }));
    });
  });

  describe('automatic caching', () => {
    it('marks the last block that can be cached, and moves on with the conversation', async () => {
      const server = await rig.startSmall({});
      const messages = ['user', 'assistant', 'user', 'assistant', 'user'].map((role, index) => ({ role, content: words(`${index}`, 100) }));
      const turn = (count: number): object => ({ ...MARK, system: words('s', 100), messages: messages.slice(0, count) });
      assert.deepEqual(await usage(server, turn(1)), sizes({ written5m: 200 }));
      assert.deepEqual(await usage(server, turn(3)), sizes({ read: 200, written5m: 200 }));
      assert.deepEqual(await usage(server, turn(5)), sizes({ read: 400, written5m: 200 }));
    });

    it('does nothing when the last block has a mark of the same ttl, and is refused with another', async () => {
      const server = await rig.startSmall({});
      assert.deepEqual(await usage(server, { ...MARK, ...numbered(3, [3]) }), sizes({ written5m: 300 }));
      assert.match(await refusal(server, { ...HOUR_MARK, ...numbered(3, [3]) }), /^cache_control: /u);
    });

    it('goes back over thinking, which cannot be marked', async () => {
      const server = await rig.startSmall({});
      const thinking = { type: 'thinking', thinking: words('t', 30), signature: 's' };
      const messages = [
        { role: 'user', content: words('q', 100) },
        { role: 'assistant', content: [block('a', 50), thinking] },
      ];
      assert.deepEqual(await usage(server, { ...MARK, messages }), sizes({ written5m: 150, fresh: 30 }));
    });

    it('does nothing either when the last block has the fourth mark', async () => {
      const server = await rig.startSmall({});
      assert.deepEqual(await usage(server, { ...MARK, ...numbered(5, [1, 2, 3, 5]) }), sizes({ written5m: 500 }));
    });

    it('uses one of the four marks', async () => {
      const server = await rig.startSmall({});
      assert.deepEqual(await usage(server, { ...MARK, ...numbered(5, [1, 2, 3]) }), sizes({ written5m: 500 }));
      assert.match(await refusal(server, { ...MARK, ...numbered(5, [1, 2, 3, 4]) }), /maximum of 4 blocks/u);
    });
  });
});
