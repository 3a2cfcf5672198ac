import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findLocalServers, lmStudioModel, ollamaModel } from '../../../src/providers/local/findLocalServers.js';
import { LOCAL_ADDRESSES, type LocalAddresses, type LocalModel, windowWarning } from '../../../src/providers/local/localAddresses.js';
import { column, columns } from '../../support/columns.js';
import { rejection } from '../../support/rejection.js';

/** A server that answers these paths with JSON, with invalid JSON, or never (null). */
async function serve(
  answers: Readonly<Record<string, (body: string) => unknown>>,
): Promise<{ readonly server: Server; readonly address: string }> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const answer = answers[`${request.method ?? ''} ${request.url ?? ''}`];
      const value = answer?.(body);
      if (value === null) {
        return;
      }
      response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(typeof value === 'string' ? value : JSON.stringify(value ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

// Shortened from the documentation of Ollama (docs/api.md).
const TAGS = {
  models: [
    { name: 'llama3.2:latest', model: 'llama3.2:latest', size: 2_019_393_189, details: { family: 'llama' } },
    { name: 'nomic-embed-text:latest' },
  ],
};
const SHOW = {
  parameters: 'stop                           "<|start_header_id|>"\nstop                           "<|eot_id|>"',
  details: { family: 'llama' },
  model_info: {
    'general.architecture': 'llama',
    'general.parameter_count': 3_212_749_888,
    'llama.context_length': 131_072,
    'llama.embedding_length': 3_072,
  },
  capabilities: ['completion', 'tools'],
};
const PS = {
  models: [
    { name: 'llama3.2:latest', size: 3_000_000_000, size_vram: 3_000_000_000, context_length: 4_096, expires_at: '2026-06-04T14:38:31Z' },
  ],
};
// From the documentation of LM Studio (REST API v0), with one loaded model.
const MODELS_V0 = {
  object: 'list',
  data: [
    { id: 'qwen2-vl-7b-instruct', object: 'model', type: 'vlm', arch: 'qwen2_vl', state: 'not-loaded', max_context_length: 32_768 },
    {
      id: 'meta-llama-3.1-8b-instruct',
      object: 'model',
      type: 'llm',
      arch: 'llama',
      state: 'loaded',
      max_context_length: 131_072,
      loaded_context_length: 8_192,
    },
    {
      id: 'text-embedding-nomic-embed-text-v1.5',
      object: 'model',
      type: 'embeddings',
      arch: 'nomic-bert',
      state: 'not-loaded',
      max_context_length: 2_048,
    },
  ],
};

const LLAMA = 'llama3.2:latest';
const model = (show: object, ps: object): LocalModel => {
  const found = ollamaModel(LLAMA, { ...SHOW, ...show }, ps);
  assert.ok(found);
  return found;
};
const window = ({ realWindow, isCertain }: LocalModel): unknown => [realWindow, isCertain];

describe('a model of Ollama', () => {
  it('has the window it runs with, not the one it claims', () => {
    assert.deepEqual(model({}, PS), { id: LLAMA, claimedWindow: 131_072, realWindow: 4_096, isCertain: true, images: false, tools: true });
  });

  it('has the window of its own file, whatever it ran with before', () => {
    assert.deepEqual(window(model({ parameters: 'num_ctx                        16384\nstop "x"' }, PS)), [16_384, true]);
  });

  it('that does not run is taken to get the smallest default', () => {
    assert.deepEqual(window(model({}, { models: [] })), [4_096, false]);
    assert.deepEqual(window(model({}, { models: [{ ...PS.models[0], name: 'other' }] })), [4_096, false]);
  });

  it('never has more than it was made for', () => {
    const small = { model_info: { 'general.architecture': 'llama', 'llama.context_length': 2_048 } };
    assert.deepEqual(window(model(small, { models: [] })), [2_048, false]);
    assert.deepEqual(window(model({ ...small, parameters: 'num_ctx 16384' }, PS)), [2_048, true]);
  });

  it('that runs in the cloud has its whole window', () => {
    assert.deepEqual(window(model({ remote_host: 'https://ollama.com:443' }, { models: [] })), [131_072, true]);
  });

  it('is left out when it cannot chat', () => {
    assert.equal(ollamaModel('nomic-embed-text', { ...SHOW, capabilities: ['embedding'] }, PS), null);
  });

  it('tells nothing when the server tells nothing', () => {
    for (const nonsense of [
      null,
      7,
      {},
      { model_info: 'x', parameters: 7, capabilities: {} },
      { model_info: { 'general.architecture': 'llama', 'llama.context_length': -1 } },
    ]) {
      assert.deepEqual(ollamaModel('x', nonsense, nonsense), {
        id: 'x',
        claimedWindow: null,
        realWindow: 4_096,
        isCertain: false,
        images: null,
        tools: null,
      });
    }
  });
});

describe('a model of LM Studio', () => {
  it('has the window it is loaded with, or the default one it will be', () => {
    assert.deepEqual(MODELS_V0.data.map(lmStudioModel), [
      { id: 'qwen2-vl-7b-instruct', claimedWindow: 32_768, realWindow: 4_096, isCertain: false, images: true, tools: null },
      { id: 'meta-llama-3.1-8b-instruct', claimedWindow: 131_072, realWindow: 8_192, isCertain: true, images: false, tools: null },
      null,
    ]);
    assert.equal(lmStudioModel({ id: 'x', type: 'llm', capabilities: ['tool_use'] })?.tools, true);
    assert.equal(lmStudioModel('nonsense'), null);
  });
});

describe('the warning of a small window', () => {
  it('says what is claimed, what is real, and how to raise it', () => {
    const llama = { id: 'llama3.2', claimedWindow: 131_072, realWindow: 4_096, isCertain: true, images: null, tools: null };
    assert.equal(
      windowWarning('ollama', llama),
      'llama3.2 supports 131,072 tokens, but Ollama runs it with 4,096. Loupe uses 4,096. Raise this limit with OLLAMA_CONTEXT_LENGTH or num_ctx.',
    );
    assert.equal(
      windowWarning('lm-studio', { ...llama, isCertain: false }),
      'llama3.2 supports 131,072 tokens, but LM Studio probably runs it with 4,096, its default. Loupe uses 4,096. Raise this limit in LM Studio, with the context length of the loaded model.',
    );
    assert.equal(windowWarning('ollama', { ...llama, realWindow: 131_072 }), null);
    assert.equal(windowWarning('ollama', { ...llama, claimedWindow: null }), null);
  });
});

describe('looking for servers on this computer', () => {
  const servers: Server[] = [];
  const start = async (answers: Parameters<typeof serve>[0]): Promise<string> => {
    const { server, address } = await serve(answers);
    servers.push(server);
    return address;
  };
  const never = new AbortController().signal;

  // Node loads its HTTP client at the first request. On a busy computer, this takes longer than a server may.
  before(async () => {
    await fetch(await start({}));
  });

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function nobody(): Promise<string> {
    const { server, address } = await serve({});
    await new Promise((resolve) => server.close(resolve));
    return address;
  }

  it('finds both, asks each in its own way, and names their OpenAI-compatible addresses', async () => {
    const asked: unknown[] = [];
    const ollama = await start({
      'GET /api/tags': () => TAGS,
      'GET /api/ps': () => PS,
      'POST /api/show': (body) => {
        const request = JSON.parse(body) as { readonly model: string };
        asked.push(request);
        return request.model === LLAMA ? SHOW : { ...SHOW, capabilities: ['embedding'] };
      },
    });
    const addresses: LocalAddresses = { ollama, 'lm-studio': await start({ 'GET /api/v0/models': () => MODELS_V0 }) };
    const { servers: found, missing } = await findLocalServers(addresses, never);
    assert.deepEqual(missing, []);
    assert.deepEqual(
      found.map(({ kind, label, baseUrl, models }) => [kind, label, baseUrl, models.map(({ id, realWindow }) => [id, realWindow])]),
      [
        ['ollama', 'Ollama', `${ollama}/v1`, [[LLAMA, 4_096]]],
        [
          'lm-studio',
          'LM Studio',
          `${addresses['lm-studio']}/v1`,
          [
            ['qwen2-vl-7b-instruct', 4_096],
            ['meta-llama-3.1-8b-instruct', 8_192],
          ],
        ],
      ],
    );
    assert.deepEqual(asked, [{ model: LLAMA }, { model: 'nomic-embed-text:latest' }]);
  });

  it('says of each that is not there why: nobody answers, or something else does', async () => {
    const ollama = await nobody();
    const other = await start({});
    const { servers: found, missing } = await findLocalServers({ ollama, 'lm-studio': other }, never);
    assert.deepEqual(found, []);
    assert.deepEqual(column(missing, 'kind'), ['network', 'protocol']);
    assert.match(missing[0]?.message ?? '', /^No server answers at 127\.0\.0\.1:\d+\./);
    assert.match(missing[1]?.message ?? '', /^LM Studio found nothing at this address \(HTTP 404\)\./);
    const html = await start({ 'GET /api/v0/models': () => '<html>' });
    assert.match(
      (await findLocalServers({ ollama, 'lm-studio': html }, never)).missing[1]?.message ?? '',
      /^LM Studio sent a web page instead of an answer\./,
    );
  });

  it('does not take a server for one of them that answers everything with JSON', async () => {
    for (const answer of [{}, [], 7, { error: 'Unexpected endpoint or method. (GET /api/v0/models)' }]) {
      const any = await start({ 'GET /api/tags': () => answer, 'GET /api/ps': () => answer, 'GET /api/v0/models': () => answer });
      const { servers: found, missing } = await findLocalServers({ ollama: any, 'lm-studio': any }, never);
      assert.deepEqual([found, missing.map(({ kind }) => kind)], [[], ['protocol', 'protocol']], JSON.stringify(answer));
    }
    const none = await start({ 'GET /api/tags': () => ({ models: null }), 'GET /api/ps': () => ({ models: null }) });
    assert.deepEqual((await findLocalServers({ ollama: none, 'lm-studio': await nobody() }, never)).servers[0]?.models, []);
  });

  it('finds the other models when one cannot be described, and all when the server does not tell what runs', async () => {
    const ollama = await start({
      'GET /api/tags': () => TAGS,
      'POST /api/show': (body) => ((JSON.parse(body) as { readonly model: string }).model === LLAMA ? SHOW : undefined),
    });
    const { servers: found } = await findLocalServers({ ollama, 'lm-studio': await nobody() }, never);
    assert.deepEqual(columns(found[0]?.models, 'id', 'claimedWindow', 'tools'), [
      [LLAMA, 131_072, true],
      ['nomic-embed-text:latest', null, null],
    ]);
  });

  it('ends at once when it is cancelled', async () => {
    const silent = await start({ 'GET /api/v0/models': () => null, 'GET /api/tags': () => null, 'GET /api/ps': () => null });
    const controller = new AbortController();
    const looking = rejection(findLocalServers({ ollama: silent, 'lm-studio': silent }, controller.signal));
    controller.abort();
    assert.equal((await looking).kind, 'cancelled');
  });

  it('does not wait long for one that takes the connection and says nothing', async function waits() {
    this.timeout(10_000);
    const silent = await start({ 'GET /api/v0/models': () => null });
    const { missing } = await findLocalServers({ ollama: await nobody(), 'lm-studio': silent }, never);
    assert.match(missing[1]?.message ?? '', /did not answer within 3 seconds\.$/);
    assert.equal(missing[1]?.kind, 'timeout');
  });

  it('looks at the ports that both have by default', () => {
    assert.deepEqual(LOCAL_ADDRESSES, { ollama: 'http://127.0.0.1:11434', 'lm-studio': 'http://127.0.0.1:1234' });
  });
});
