import { member, tokenLimit } from '../json.js';
import { getJson, neededList } from './getJson.js';
import type { LocalModel } from './localServer.js';

/*
 * LM Studio's own API (lmstudio.ai/docs, REST API v0): `GET /api/v0/models` lists all models with `max_context_length`,
 * and loaded ones with `loaded_context_length`.
 */

/** LM Studio's default context length, in tokens, for a model that a request loads. */
const LM_STUDIO_DEFAULT_WINDOW = 4_096;

/** Returns the models of the server at `address`. Rejects with a `LoupeError` when it is not LM Studio. */
export async function lmStudioModels(address: string, signal: AbortSignal): Promise<LocalModel[]> {
  const server = { kind: 'lm-studio', address } as const;
  return neededList(await getJson(server, '/api/v0/models', null, signal), 'data', server)
    .map(lmStudioModel)
    .filter((model) => model !== null);
}

/** Reads a model in the list. Null for a model without chat. */
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
