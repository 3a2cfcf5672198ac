import assert from 'node:assert/strict';
import type { Endpoint } from '../../src/providers/endpoint.js';
import { OpenAiCompatibleClient } from '../../src/providers/openaiCompatible/openAiCompatibleClient.js';
import { configuredEmbedder } from '../../src/host/models/providers/configuredProviders.js';
import { UNRECORDED } from '../../src/engine/model/httpExchange.js';
import { timeLimit } from '../support/limits.mjs';
import { answer, chunk, chunkedHead, head, json } from '../support/http/answers.js';
import { endpointAt } from '../support/http/endpoints.js';
import { FaultServer, type Step } from '../support/http/faultServer.js';
import { rejection } from '../support/rejection.js';

const never = new AbortController().signal;
const TEXTS = ['Tides', 'Moons'] as const;
const JSON_TYPE = { 'content-type': 'application/json' };

function vectors(...of: readonly (readonly [index: number, embedding: unknown])[]): Step[] {
  return json(200, { object: 'list', data: of.map(([index, embedding]) => ({ object: 'embedding', index, embedding })) });
}

const raw = (body: string): Step[] => answer(200, JSON_TYPE, body);

describe('embeddings over HTTP', () => {
  let server: FaultServer;

  beforeEach(async () => {
    server = await FaultServer.start();
  });
  afterEach(() => server.close());

  async function embed(change: Partial<Endpoint>, signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    const client = new OpenAiCompatibleClient({ ...endpointAt(`${server.url}/v1`), ...change });
    return (await client.embed('small', TEXTS, signal, UNRECORDED)).vectors;
  }

  it('are asked for as numbers, with the key, and come in the order of the texts', async () => {
    server.play(...vectors([1, [0.5, -1e-3]], [0, [1, 2]]));
    assert.deepEqual(await embed({}, never), [
      [1, 2],
      [0.5, -1e-3],
    ]);
    const { request } = await server.next();
    assert.deepEqual([request.method, request.path], ['POST', '/v1/embeddings']);
    assert.deepEqual(JSON.parse(request.body.toString('utf8')), { model: 'small', input: TEXTS, encoding_format: 'float' });
    assert.equal(request.headers.get('authorization'), 'Bearer the-key');
  });

  it('need no index from a server that keeps the order', async () => {
    server.play(...json(200, { data: [{ embedding: [1] }, { embedding: [2] }] }));
    assert.deepEqual(await embed({}, never), [[1], [2]]);
  });

  it('tell their usage in the forms that servers have, and none where they report none', async () => {
    const data = [0, 1].map((index) => ({ object: 'embedding', index, embedding: [1, index] }));
    const usageOf = async (usage: unknown): Promise<unknown> => {
      server.play(...json(200, { object: 'list', data, ...(usage === undefined ? {} : { usage }) }));
      const client = new OpenAiCompatibleClient(endpointAt(`${server.url}/v1`));
      const told = (await client.embed('small', TEXTS, never, UNRECORDED)).usage;
      return told === null ? null : [told.promptTokens?.value, told.completionTokens?.value, told.charged];
    };
    assert.deepEqual(await usageOf({ prompt_tokens: 12, total_tokens: 12 }), [12, 0, undefined]);
    assert.deepEqual(await usageOf({ total_tokens: 7 }), [7, 0, undefined], 'Voyage');
    assert.deepEqual(await usageOf({ prompt_tokens: 12, total_tokens: 12, cost: 0.002, cost_details: {}, is_byok: false }), [12, 0, 0.002]);
    assert.equal(await usageOf({ prompt_tokens: 0, total_tokens: 0 }), null, 'something was sent');
    assert.equal(await usageOf(undefined), null);
  });

  it('never ask the user for a key', async () => {
    const uses: string[] = [];
    server.play(...vectors([0, [1]], [1, [1]]));
    await embed(
      {
        key: (use) => {
          uses.push(use);
          return Promise.resolve(null);
        },
      },
      never,
    );
    assert.deepEqual(uses, ['background']);
  });

  const refused: readonly (readonly [name: string, code: string, words: RegExp, ...Step[]])[] = [
    ['a wrong key', 'http.keyRefused', /key/, ...json(401, { error: { message: 'Wrong key the-key' } })],
    ['a failure of the server', 'http.serverFailed', /500/, ...json(500, { error: { message: 'Out of order' } })],
    ['an error with status 200', 'http.serverFailed', /./, ...json(200, { error: { message: 'Out of order', code: 500 } })],
    ['too few', 'provider.badEmbeddings', /1 for 2 texts/, ...vectors([0, [1]])],
    ['too many', 'provider.badEmbeddings', /3 for 2 texts/, ...vectors([0, [1]], [1, [1]], [2, [1]])],
    ['one twice', 'provider.badEmbeddings', /missing/, ...vectors([0, [1]], [0, [1]])],
    ['one for no text', 'provider.badEmbeddings', /missing|length/, ...vectors([0, [1]], [2, [1]])],
    ['empty ones', 'provider.badEmbeddings', /missing/, ...vectors([0, []], [1, []])],
    ['different lengths', 'provider.badEmbeddings', /length/, ...vectors([0, [1]], [1, [1, 2]])],
    ['null for a number', 'provider.badEmbeddings', /not numbers/, ...vectors([0, [1]], [1, [null]])],
    ['text for numbers', 'provider.badEmbeddings', /missing|length/, ...vectors([0, 'AACAPw=='], [1, 'AACAPw=='])],
    ['infinity', 'provider.badEmbeddings', /not numbers/, ...raw('{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e999]}]}')],
    ['NaN, which is no JSON', 'provider.notJson', /./, ...raw('{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}')],
    ['another answer', 'provider.badEmbeddings', /0 for 2 texts/, ...json(200, { status: 'ok' })],
    ['a redirect', 'provider.redirects', /redirects/, ...answer(302, { location: 'https://example.com/v1' }, '')],
    ['a cut answer', 'provider.brokeOff', /broke off/, chunkedHead(200, JSON_TYPE), chunk('{"data":['), { do: 'cut' }],
  ];
  for (const [name, code, words, ...steps] of refused) {
    it(`fail with a reason in plain words, without the key: ${name}`, async () => {
      server.play(...steps);
      const error = await rejection(embed({}, never));
      assert.equal(error.code, code, error.message);
      assert.match(error.message, words);
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /the-key/);
    });
  }

  it('fail when the server falls silent, before the answer and in its middle', async () => {
    const silenceMs = timeLimit(200);
    server.play({ do: 'hang' });
    assert.equal((await rejection(embed({ silenceMs }, never))).code, 'provider.noAnswer');
    server.play(head(200, JSON_TYPE), { do: 'send', bytes: '{"data":[' }, { do: 'hang' });
    assert.equal((await rejection(embed({ silenceMs }, never))).code, 'provider.silent');
  });

  it('end at once when they are no longer wanted, with the connection', async () => {
    server.play({ do: 'hang' });
    const abort = new AbortController();
    const asked = rejection(embed({}, abort.signal));
    const { closed } = await server.next();
    abort.abort();
    assert.equal((await asked).kind, 'cancelled');
    assert.deepEqual(await closed, { byClient: true });
  });
});

describe('the model for embeddings that the settings name', () => {
  const provider = {
    id: 'house',
    label: 'House',
    baseUrl: 'https://house.example',
    headers: {},
    keyHeader: null,
    silenceSeconds: 1,
    countsTokens: false,
    models: [],
  };
  const key = (): Promise<null> => Promise.resolve(null);

  it('says what is missing when its provider is not set up, or cannot have any', async () => {
    const unknown = configuredEmbedder({ provider: 'ollama', model: 'small' }, [], key);
    const missing = await rejection(unknown.embed(TEXTS, never, UNRECORDED));
    assert.deepEqual([missing.code, unknown.ref], ['embeddings.unknownProvider', { provider: 'ollama', model: 'small' }]);
    assert.match(missing.message, /names the provider ollama, which is not in loupe\.providers/);
    const other = configuredEmbedder({ provider: 'house', model: 'small' }, [{ ...provider, protocol: 'anthropic' }], key);
    assert.equal((await rejection(other.embed(TEXTS, never, UNRECORDED))).code, 'embeddings.otherProtocol');
  });

  it('is another one at another address', () => {
    const at = (baseUrl: string): string =>
      configuredEmbedder({ provider: 'house', model: 'small' }, [{ ...provider, baseUrl, protocol: 'openai-compatible' }], key).id;
    assert.notEqual(at('https://a.example'), at('https://b.example'));
  });
});
