import assert from 'node:assert/strict';
import { block, HOUR_MARK, MARK, numbered, refusal, Rig, send, sizes, usage } from '../support/cachingServer/rig.js';

// Rules of https://platform.claude.com/docs/en/build-with-claude/prompt-caching

describe('the caching server: the Messages API', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  describe('what is refused', () => {
    const user = (...content: object[]): object => ({ messages: [{ role: 'user', content }] });
    const assistant = (...content: object[]): object => ({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content },
      ],
    });
    const call = { type: 'tool_use', id: 'c1', name: 'n', input: {} };
    const rows: readonly (readonly [string, object, string])[] = [
      ['a fifth mark', numbered(5, [1, 2, 3, 4, 5]), 'A maximum of 4 blocks with cache_control may be provided. Found 5.'],
      [
        'an hour behind five minutes',
        { system: [{ ...block('s', 1), ...MARK }], ...user(block('a', 1), { ...block('b', 1), ...HOUR_MARK }) },
        "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. " +
          'Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
      ],
      [
        'a mark at an empty text',
        user({ type: 'text', text: '', ...MARK }),
        'messages.0.content.0.text: cache_control cannot be set for empty text blocks',
      ],
      ['an empty text', user({ type: 'text', text: '' }), 'messages: text content blocks must be non-empty'],
      [
        'a mark at thinking',
        assistant({ type: 'thinking', thinking: 't', signature: 's', ...MARK }),
        'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
      ],
      [
        'a call without its result directly behind',
        {
          messages: [
            { role: 'assistant', content: [call] },
            { role: 'user', content: [block('first', 1), { type: 'tool_result', tool_use_id: 'c1' }] },
          ],
        },
        'messages.0: `tool_use` ids were found without `tool_result` blocks immediately after: c1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      ],
      [
        'a result without its call',
        user({ type: 'tool_result', tool_use_id: 'c9' }),
        'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: c9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      ],
    ];
    for (const [name, body, message] of rows) {
      it(name, async () => {
        const server = await rig.start({});
        assert.equal(await refusal(server, body), message);
      });
    }

    it('a mark inside a tool result', async () => {
      const server = await rig.start({});
      const result = { type: 'tool_result', tool_use_id: 'c1', content: [{ ...block('r', 1), ...MARK }] };
      const messages = [
        { role: 'assistant', content: [call] },
        { role: 'user', content: [result] },
      ];
      assert.match(await refusal(server, { messages }), /^messages\.1\.content\.0\.content\.0\.cache_control/u);
    });

    it('four marks, hours before minutes, are none of this', async () => {
      const server = await rig.startSmall({});
      const content = [HOUR_MARK, HOUR_MARK, MARK, MARK].map((mark, index) => ({ ...block(`${index}`, 100), ...mark }));
      assert.deepEqual(await usage(server, user(...content)), sizes({ written1h: 200, written5m: 200 }));
    });

    it('more than the context window', async () => {
      const server = await rig.start({ models: [{ id: 'practice', maxInputTokens: 200 }] });
      assert.equal(await refusal(server, user(block('a', 201))), 'prompt is too long: 201 tokens > 200 maximum');
      assert.deepEqual(await usage(server, user(block('a', 200))), sizes({ fresh: 200 }));
    });

    it('a missing and a wrong key', async () => {
      const server = await rig.start({ key: 'the-key' });
      for (const [headers, message] of [
        [{}, 'x-api-key header is required'],
        [{ 'x-api-key': 'other' }, 'invalid x-api-key'],
      ] as const) {
        const { status, json } = await send(server, user(block('a', 1)), headers);
        assert.equal(status, 401);
        assert.deepEqual((json as { error: unknown }).error, { type: 'authentication_error', message });
      }
      assert.equal((await send(server, user(block('a', 1)), { 'x-api-key': 'the-key' })).status, 200);
    });
  });
});
