import { type LoupeError, failure, failureOrCancel } from '../../engine/errors.js';
import { LOCAL_LABELS, type LocalAddresses, type LocalKind, type LocalModel, type LocalServer } from './localAddresses.js';
import { itemsOf, member, tokenLimit } from '../json.js';
import { UNRECORDED } from '../../engine/model/httpExchange.js';
import { request } from '../http/request.js';

/** Maximum wait for a response in ms. A local server usually responds at once, but a slow disk can delay it. */
const ANSWER_MS = 3_000;

interface LocalCandidate {
  readonly kind: LocalKind;
  readonly address: string;
}

/** Gets JSON from a server on this computer. Uses POST when `body` is set. Rejects with a `LoupeError`. */
async function getJson({ kind, address }: LocalCandidate, path: string, body: object | null, signal: AbortSignal): Promise<unknown> {
  const label = LOCAL_LABELS[kind];
  const endpoint = {
    id: kind,
    label,
    baseUrl: address,
    headers: {},
    keyHeader: null,
    silenceMs: ANSWER_MS,
    key: () => Promise.resolve(null),
  };
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    const answer = await request(endpoint, {
      url: `${address}${path}`,
      headers: { accept: 'application/json' },
      keyHeader: 'authorization',
      body: body === null ? null : JSON.stringify(body),
      use: 'background',
      signal: AbortSignal.any([signal, limit]),
      exchanged: UNRECORDED,
    });
    return await answer.json();
  } catch (thrown) {
    if (limit.aborted && !signal.aborted) {
      throw failure('provider.noAnswer', { label, seconds: ANSWER_MS / 1_000 }, { cause: thrown });
    }
    throw thrown;
  }
}

/** Returns the list in a response. Throws `protocol` without a list, because another kind of server uses the port. */
function neededList(answer: unknown, key: string, { kind, address }: LocalCandidate): readonly unknown[] {
  const list = member(answer, key);
  // Some versions of Ollama send null for an empty list.
  if (!Array.isArray(list) && list !== null) {
    throw failure('local.noList', { address, label: LOCAL_LABELS[kind] });
  }
  return itemsOf(list);
}

/*
 * Ollama's own API (docs/api.md, docs/openapi.yaml of ollama/ollama): `GET /api/tags` lists the models, `POST
 * /api/show` describes a model, `GET /api/ps` lists the loaded models. A request through the OpenAI-compatible API
 * cannot set the context length: the model file (`num_ctx`) sets it, otherwise the server's default.
 */

/**
 * Ollama's default context length in tokens with less than 24 GiB of graphics memory (docs/context-length.mdx; more
 * memory: 32k, 256k). Loupe assumes this smallest default, because Ollama silently drops the start of a longer prompt.
 */
const OLLAMA_DEFAULT_WINDOW = 4_096;

/** Returns the models of the server at `address`. Rejects with a `LoupeError` unless Ollama responds. */
async function ollamaModels(address: string, signal: AbortSignal): Promise<LocalModel[]> {
  const server = { kind: 'ollama', address } as const;
  const [tags, running] = await Promise.all([
    getJson(server, '/api/tags', null, signal),
    optionalResponse(getJson(server, '/api/ps', null, signal)),
  ]);
  const shown = await Promise.all(
    neededList(tags, 'models', server).map(async (tag) => {
      const id = member(tag, 'name');
      return typeof id === 'string'
        ? ollamaModel(id, await optionalResponse(getJson(server, '/api/show', { model: id }, signal)), running)
        : null;
    }),
  );
  return shown.filter((model) => model !== null);
}

/**
 * Returns the response to an optional request. Null when the request fails. Rejects only with `cancelled`. A broken
 * model has no description, and an old server lists no loaded models, but Loupe must still find all other models.
 */
async function optionalResponse(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (thrown) {
    failureOrCancel(thrown);
    return null;
  }
}

/** Reads a model from the responses of `show` and `ps`. Null for a model that cannot chat. */
export function ollamaModel(id: string, show: unknown, ps: unknown): LocalModel | null {
  const capabilities = member(show, 'capabilities');
  const can = (name: string): boolean | null => (Array.isArray(capabilities) ? capabilities.includes(name) : null);
  if (can('completion') === false) {
    return null;
  }
  const claimedWindow = claimedBy(member(show, 'model_info'));
  const fixed = fixedWindow(member(show, 'parameters'));
  const running = itemsOf(member(ps, 'models')).find((each) => member(each, 'name') === id);
  // A model in Ollama's cloud uses its full context window.
  const isRemote = typeof member(show, 'remote_host') === 'string' && member(show, 'remote_host') !== '';
  const known = isRemote ? claimedWindow : (fixed ?? tokenLimit(member(running, 'context_length')));
  return {
    id,
    claimedWindow,
    realWindow: Math.min(known ?? OLLAMA_DEFAULT_WINDOW, claimedWindow ?? Infinity),
    isCertain: known !== null,
    images: can('vision'),
    tools: can('tools'),
  };
}

/** Returns the context length in a model's info: `{"general.architecture": "llama", "llama.context_length": 131072}` */
function claimedBy(info: unknown): number | null {
  const architecture = member(info, 'general.architecture');
  return typeof architecture === 'string' ? tokenLimit(member(info, `${architecture}.context_length`)) : null;
}

/** Returns `num_ctx` from the parameters of the model file, one per line: `num_ctx    8192`. */
function fixedWindow(parameters: unknown): number | null {
  const digits = typeof parameters === 'string' ? /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] : undefined;
  return digits === undefined ? null : tokenLimit(Number(digits));
}

/*
 * LM Studio's own API (lmstudio.ai/docs, REST API v0): `GET /api/v0/models` lists all models with `max_context_length`,
 * and loaded ones with `loaded_context_length`.
 */

/** LM Studio's default context length, in tokens, for a model that a request loads. */
const LM_STUDIO_DEFAULT_WINDOW = 4_096;

/** Returns the models of the server at `address`. Rejects with a `LoupeError` unless LM Studio responds. */
async function lmStudioModels(address: string, signal: AbortSignal): Promise<LocalModel[]> {
  const server = { kind: 'lm-studio', address } as const;
  return neededList(await getJson(server, '/api/v0/models', null, signal), 'data', server)
    .map(lmStudioModel)
    .filter((model) => model !== null);
}

/** Reads a model from LM Studio's list. Null for a model that cannot chat. */
export function lmStudioModel(entry: unknown): LocalModel | null {
  const id = member(entry, 'id');
  const type = member(entry, 'type');
  if (typeof id !== 'string' || (type !== 'llm' && type !== 'vlm')) {
    return null;
  }
  const claimedWindow = tokenLimit(member(entry, 'max_context_length'));
  const loaded = tokenLimit(member(entry, 'loaded_context_length'));
  const capabilities = member(entry, 'capabilities');
  return {
    id,
    claimedWindow,
    realWindow: Math.min(loaded ?? LM_STUDIO_DEFAULT_WINDOW, claimedWindow ?? Infinity),
    isCertain: loaded !== null,
    images: type === 'vlm',
    tools: Array.isArray(capabilities) ? capabilities.includes('tool_use') : null,
  };
}

const LIST: Readonly<Record<LocalKind, (address: string, signal: AbortSignal) => Promise<LocalModel[]>>> = {
  ollama: ollamaModels,
  'lm-studio': lmStudioModels,
};

export interface FoundServers {
  readonly servers: readonly LocalServer[];
  readonly missing: readonly LoupeError[];
}

/** Looks for model servers on this computer. Rejects only with `cancelled`, when `signal` aborts. */
export async function findLocalServers(addresses: LocalAddresses, signal: AbortSignal): Promise<FoundServers> {
  const kinds: readonly LocalKind[] = ['ollama', 'lm-studio'];
  const results = await Promise.all(
    kinds.map(async (kind): Promise<LocalServer | LoupeError> => {
      try {
        const models = await LIST[kind](addresses[kind], signal);
        return { kind, label: LOCAL_LABELS[kind], baseUrl: `${addresses[kind]}/v1`, models };
      } catch (thrown) {
        return failureOrCancel(thrown);
      }
    }),
  );
  return {
    servers: results.filter((result): result is LocalServer => !(result instanceof Error)),
    missing: results.filter((result) => result instanceof Error),
  };
}
