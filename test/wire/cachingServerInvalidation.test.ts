import assert from 'node:assert/strict';
import { post } from '../support/cachingServer/client.js';
import { block, MARK, numbered, Rig, send, usage, words } from '../support/cachingServer/rig.js';

// Rules of https://platform.claude.com/docs/en/build-with-claude/prompt-caching

describe('the caching server', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  describe('what invalidates the cache', () => {
    const tool = { name: words('tool', 100), input_schema: { type: 'object' } };
    const other = { ...tool, description: 'another' };
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const size = (counted: object): number => Math.ceil(JSON.stringify(counted).length / 4);

    /** A mark at the end of each level: 100 tokens of system, 100 of messages. New content follows. */
    const base = (changes: object, tail: object[]): object => ({
      tools: [{ ...tool, ...MARK }],
      system: [{ ...block('system', 100), ...MARK }],
      messages: [{ role: 'user', content: [{ ...block('user', 100), ...MARK }, block('tail', 1), ...tail] }],
      ...changes,
    });

    async function readAfter(before: object, after: object): Promise<unknown> {
      const server = await rig.startSmall({});
      await usage(server, before);
      return ((await usage(server, after)) as { cache_read_input_tokens: number }).cache_read_input_tokens;
    }

    const TOOLS = size(tool);
    const SYSTEM = TOOLS + 100;
    const MESSAGES = TOOLS + 200;
    const plain = base({}, []);
    const thinking = { thinking: { type: 'enabled', budget_tokens: 1_024 } };

    const rows: readonly (readonly [string, object, object, number])[] = [
      ['nothing changed: all is valid', plain, plain, MESSAGES],
      ['tool definitions: everything', plain, base({ tools: [{ ...other, ...MARK }] }, []), 0],
      ['system: system and messages', plain, base({ system: [{ ...block('other', 100), ...MARK }] }, []), TOOLS],
      ['tool choice: messages', plain, base({ tool_choice: { type: 'any' } }, []), SYSTEM],
      ['tool choice spelled out as it is by default: nothing', plain, base({ tool_choice: { type: 'auto' } }, []), MESSAGES],
      ['a first image anywhere: messages', plain, base({}, [image]), SYSTEM],
      ['one more image: nothing, there were some', base({}, [image]), base({}, [image, image]), MESSAGES],
      ['the last image removed: messages', base({}, [image]), plain, SYSTEM],
      ['thinking turned on: messages', plain, base(thinking, []), SYSTEM],
      [
        'thinking with another budget: messages',
        base(thinking, []),
        base({ thinking: { ...thinking.thinking, budget_tokens: 2_048 } }, []),
        SYSTEM,
      ],
      ['effort: messages', plain, base({ output_config: { effort: 'low' } }, []), SYSTEM],
      ['effort set to the default: nothing', plain, base({ output_config: { effort: 'high' } }, []), MESSAGES],
      ['the length of the reply: nothing', plain, base({ max_tokens: 7, temperature: 0.5 }, []), MESSAGES],
    ];
    for (const [name, before, after, read] of rows) {
      it(name, async () => {
        assert.equal(await readAfter(before, after), read);
      });
    }

    it('another order of keys in the input of a call: from the call on', async () => {
      const round = (input: string): string =>
        `{"model":"practice","max_tokens":9,"messages":[{"role":"user","content":${JSON.stringify([{ ...block('q', 100), ...MARK }])}},` +
        `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"n","input":${input}}]},` +
        `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"ok","cache_control":{"type":"ephemeral"}}]}]}`;
      const server = await rig.startSmall({});
      const headers = { 'anthropic-version': '2023-06-01' };
      for (const input of ['{"2":0,"1":0}', '{ "2": 0, "1": 0 }', '{"1":0,"2":0}']) {
        await post(`${server.url}/v1/messages`, round(input), headers);
      }
      const reads = server.requests.map((request) => request.usage?.read);
      assert.deepEqual(reads, [0, 105, 100]);
    });

    it('another model, another key: nothing is shared', async () => {
      const server = await rig.start({
        models: [
          { id: 'practice', minimumTokens: 100 },
          { id: 'second', minimumTokens: 100 },
        ],
        key: ['one', 'two'],
      });
      for (const [model, key] of [
        ['practice', 'one'],
        ['second', 'one'],
        ['practice', 'two'],
        ['practice', 'one'],
      ] as const) {
        await send(server, { ...numbered(2, [2]), model }, { 'x-api-key': key });
      }
      const reads = server.requests.map((request) => request.usage?.read);
      assert.deepEqual(reads, [0, 0, 0, 200]);
    });
  });
});
