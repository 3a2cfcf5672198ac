import { failure } from '../../engine/errors.js';
import { UNRECORDED } from '../../engine/model/httpExchange.js';
import { request } from '../http/request.js';
import { itemsOf, member } from '../json.js';
import { LOCAL_LABELS, type LocalKind } from './localServer.js';

/** Longest wait in ms. A running server on this computer responds at once, but a slow disk may delay a model's data. */
const ANSWER_MS = 3_000;

export interface LocalCandidate {
  readonly kind: LocalKind;
  readonly address: string;
}

/** Fetches JSON from a server on this computer, with POST when `body` is set. Rejects with a `LoupeError`. */
export async function getJson({ kind, address }: LocalCandidate, path: string, body: object | null, signal: AbortSignal): Promise<unknown> {
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

/** Returns the list in a response. Throws `protocol` without one, because another kind of server uses the port. */
export function neededList(answer: unknown, key: string, { kind, address }: LocalCandidate): readonly unknown[] {
  const list = member(answer, key);
  // Some versions of Ollama send null for an empty list.
  if (!Array.isArray(list) && list !== null) {
    throw failure('local.noList', { address, label: LOCAL_LABELS[kind] });
  }
  return itemsOf(list);
}
