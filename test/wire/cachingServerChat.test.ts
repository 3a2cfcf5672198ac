import assert from 'node:assert/strict';
import type { CachingServer } from '../support/cachingServer/cachingServer.js';
import { eventData, postChat } from '../support/cachingServer/client.js';
import { MARK, MINUTE, Rig, words } from '../support/cachingServer/rig.js';

// Automatic caching as in https://developers.openai.com/api/docs/guides/prompt-caching

const NO_FRAMING = { perRequest: 0, perMessage: 0, perTool: 0 };
const PLAIN = { id: 'practice', framing: NO_FRAMING };

interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens?: number };
}

async function usage(server: CachingServer, body: object): Promise<ChatUsage> {
  const { status, json, text } = await postChat(server.url, { model: 'practice', ...body }, {});
  assert.equal(status, 200, text);
  return (json as { usage: ChatUsage }).usage;
}

async function cached(server: CachingServer, body: object): Promise<number> {
  return (await usage(server, body)).prompt_tokens_details.cached_tokens;
}

async function error(server: CachingServer, body: object, headers: Record<string, string>): Promise<unknown[]> {
  const { status, json } = await postChat(server.url, { model: 'practice', ...body }, headers);
  const told = (json as { error: { message: string; type: string; param: string | null; code: string | null } }).error;
  return [status, told.type, told.code, told.param, told.message];
}

const user = (content: unknown): object => ({ role: 'user', content });
const asked = (text: string): object => ({ messages: [user(text)] });

describe('the caching server: Chat Completions', () => {
  const rig = new Rig();

  afterEach(() => rig.stopAll());

  describe('automatic caching', () => {
    it('tells 2,006 tokens, 1,920 of them cached (the guide’s example), and nothing of writes', async () => {
      const server = await rig.start({ models: [PLAIN], reply: () => ({ parts: [{ type: 'text', text: 'ok' }], outputTokens: 300 }) });
      await usage(server, asked(words('prompt', 2_006)));
      assert.deepEqual(await usage(server, asked(words('prompt', 2_006))), {
        prompt_tokens: 2_006,
        completion_tokens: 300,
        total_tokens: 2_306,
        prompt_tokens_details: { cached_tokens: 1_920 },
        completion_tokens_details: { reasoning_tokens: 0 },
      });
    });

    it('caches from 1,024 tokens on, in steps of 128', async () => {
      for (const [tokens, expected] of [
        [1_023, 0],
        [1_024, 1_024],
        [1_151, 1_024],
        [1_152, 1_152],
        [1_280, 1_280],
      ] as const) {
        const server = await rig.start({ models: [PLAIN] });
        await usage(server, asked(words('p', tokens)));
        assert.equal(await cached(server, asked(words('p', tokens))), expected, `${tokens} tokens`);
      }
    });

    it('matches exact prefixes: up to the first token that differs, also in the middle of a message', async () => {
      const server = await rig.start({ models: [PLAIN] });
      const text = words('p', 2_000);
      await usage(server, asked(text));
      const changedAt = (token: number): object => asked(`${text.slice(0, token * 4)}!${text.slice(token * 4 + 1)}`);
      assert.equal(await cached(server, changedAt(1_500)), 1_408);
      assert.equal(await cached(server, changedAt(1_152)), 1_152);
      assert.equal(await cached(server, changedAt(1_151)), 1_024);
      // "A single character difference in the first 1,024 tokens results in a cache miss."
      assert.equal(await cached(server, changedAt(1_023)), 0);
    });

    const tool = { type: 'function', function: { name: words('tool', 300), parameters: {} } };
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } };
    const long = user(words('long', 1_200));
    const rows: readonly (readonly [string, object, object])[] = [
      ['tools', { tools: [tool], messages: [long] }, { tools: [{ ...tool, strict: true }], messages: [long] }],
      [
        'an image',
        { messages: [user([image]), long] },
        { messages: [user([{ ...image, image_url: { ...image.image_url, url: 'data:image/png;base64,BBBB' } }]), long] },
      ],
      ['the name of an author', { messages: [{ ...long, name: 'ann' }] }, { messages: [{ ...long, name: 'bob' }] }],
      ['the role of a message', { messages: [long] }, { messages: [{ ...long, role: 'system' }] }],
    ];
    for (const [name, before, after] of rows) {
      it(`holds ${name} in the prefix`, async () => {
        const server = await rig.start({ models: [PLAIN] });
        await usage(server, before);
        assert.notEqual(await cached(server, before), 0);
        assert.equal(await cached(server, after), 0);
      });
    }

    it('loses a prefix after 10 minutes without use; a use starts them again', async () => {
      const server = await rig.start({ models: [PLAIN] });
      const body = asked(words('q', 1_100));
      await usage(server, body);
      for (const [wait, expected] of [
        [10 * MINUTE, 1_024],
        [10 * MINUTE, 1_024],
        [10 * MINUTE + 1, 0],
      ] as const) {
        server.advance(wait);
        assert.equal(await cached(server, body), expected);
      }
    });

    it('keeps the part that was used, and loses what lies behind it', async () => {
      const server = await rig.start({ models: [PLAIN] });
      const short = { messages: [user(words('a', 1_024))] };
      const both = { messages: [user(words('a', 1_024)), user(words('b', 1_024))] };
      await usage(server, both);
      server.advance(8 * MINUTE);
      await usage(server, short);
      server.advance(8 * MINUTE);
      assert.equal(await cached(server, both), 1_024);
    });

    it('shares nothing among prompt_cache_keys, models and API keys', async () => {
      const server = await rig.start({ models: [PLAIN, { ...PLAIN, id: 'second' }] });
      const body = { model: 'practice', ...asked(words('q', 1_024)) };
      for (const [change, key] of [
        [{}, 'one'],
        [{ prompt_cache_key: 'k' }, 'one'],
        [{ model: 'second' }, 'one'],
        [{}, 'two'],
        [{ prompt_cache_key: 'k' }, 'one'],
        [{}, 'one'],
      ] as const) {
        await postChat(server.url, { ...body, ...change }, { authorization: `Bearer ${key}` });
      }
      const reads = server.requests.map((request) => request.usage?.read);
      assert.deepEqual(reads, [0, 0, 0, 0, 1_024, 1_024]);
    });

    it('refuses marks, which it does not know', async () => {
      const server = await rig.start({ models: [PLAIN] });
      const param = 'messages[0].content[1].cache_control';
      const content = [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b', ...MARK },
      ];
      assert.deepEqual(await error(server, { messages: [user(content)] }, {}), [
        400,
        'invalid_request_error',
        'unknown_parameter',
        param,
        `Unknown parameter: '${param}'.`,
      ]);
    });
  });

  describe('marks in content parts', () => {
    const MARKED = { ...PLAIN, minimumTokens: 100, chatCache: 'marks' } as const;
    const part = (name: string, tokens: number, mark: object): object => ({ type: 'text', text: words(name, tokens), ...mark });

    it('write and read as on the Messages API; the prompt is told whole, with what was read and written', async () => {
      const server = await rig.start({ models: [MARKED], reply: () => ({ parts: [], outputTokens: 5 }) });
      const body = (question: string): object => ({
        messages: [{ role: 'system', content: [part('s', 200, MARK)] }, user([part(question, 50, {})])],
      });
      const details = { completion_tokens: 5, prompt_tokens: 250, total_tokens: 255, completion_tokens_details: { reasoning_tokens: 0 } };
      assert.deepEqual(await usage(server, body('a')), {
        ...details,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 200 },
      });
      assert.deepEqual(await usage(server, body('b')), {
        ...details,
        prompt_tokens_details: { cached_tokens: 200, cache_write_tokens: 0 },
      });
      server.advance(5 * MINUTE + 1);
      assert.equal(await cached(server, body('c')), 0);
    });

    it('come with the usage of every stream, asked for or not', async () => {
      const server = await rig.start({ models: [MARKED] });
      const body = { model: 'practice', stream: true, messages: [user([part('a', 100, MARK)])] };
      const chunks = eventData((await postChat(server.url, body, {})).text) as { usage: ChatUsage | null }[];
      assert.deepEqual(chunks.at(-1)?.usage?.prompt_tokens_details, { cached_tokens: 0, cache_write_tokens: 100 });
    });
  });

  describe('the rest of the protocol', () => {
    it('refuses more than the context window', async () => {
      const server = await rig.start({ models: [{ ...PLAIN, maxInputTokens: 200 }] });
      const message =
        "This model's maximum context length is 200 tokens. However, your messages resulted in 201 tokens. Please reduce the length of the messages.";
      assert.deepEqual(await error(server, asked(words('a', 201)), {}), [
        400,
        'invalid_request_error',
        'context_length_exceeded',
        'messages',
        message,
      ]);
    });

    it('refuses an unknown model, no messages, and calls without results', async () => {
      const server = await rig.start({});
      assert.deepEqual((await error(server, { ...asked('a'), model: 'gone' }, {})).slice(0, 3), [
        404,
        'invalid_request_error',
        'model_not_found',
      ]);
      assert.deepEqual((await error(server, { messages: [] }, {})).slice(0, 3), [400, 'invalid_request_error', 'empty_array']);
      const call = { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'n', arguments: '{}' } }] };
      const result = { role: 'tool', tool_call_id: 'c1', content: 'r' };
      assert.match(String((await error(server, { messages: [call, user('a')] }, {}))[4]), /did not have response messages: c1$/u);
      assert.match(String((await error(server, { messages: [call] }, {}))[4]), /did not have response messages: c1$/u);
      assert.match(String((await error(server, { messages: [result] }, {}))[4]), /must be a response to a preceeding message/u);
      await usage(server, { messages: [call, result] });
    });

    it('streams usage in a last chunk without choices, when it is asked to', async () => {
      const server = await rig.start({});
      const body = { model: 'practice', stream: true, ...asked('a') };
      const plain = await postChat(server.url, body, {});
      assert.match(plain.text, /\n\ndata: \[DONE\]\n\n$/u);
      assert.ok(eventData(plain.text).every((chunk) => !Object.hasOwn(chunk as object, 'usage')));
      const asked4 = await postChat(server.url, { ...body, stream_options: { include_usage: true } }, {});
      const chunks = eventData(asked4.text) as { usage: ChatUsage | null; choices: unknown[] }[];
      assert.ok(chunks.slice(0, -1).every((chunk) => chunk.usage === null));
      assert.deepEqual([chunks.at(-1)?.choices, chunks.at(-1)?.usage?.prompt_tokens], [[], 8]);
    });
  });
});
