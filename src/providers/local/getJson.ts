import { failure, LoupeError } from '../../engine/errors.js';
import { itemsOf, member } from '../json.js';

/** Longest wait in ms. A running server on this computer answers at once; a slow disk may take a second to describe a model. */
const ANSWER_MS = 3_000;

/** Far more than any list of models has. Bounds the memory, whatever program answers at the port. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Fetches JSON from a server on this computer, with POST when there is a body. Rejects with a `LoupeError`. */
export async function getJson(url: string, body: object | null, signal: AbortSignal): Promise<unknown> {
  const post = body === null ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    // A server that redirects is not one of those looked for.
    const response = await fetch(url, { ...post, redirect: 'error', signal: AbortSignal.any([signal, limit]) });
    if (!response.ok) {
      throw failure('local.status', { url, status: response.status });
    }
    return await readJson(response, url);
  } catch (thrown) {
    if (signal.aborted) {
      throw failure('local.searchStopped', { cause: thrown });
    }
    if (thrown instanceof LoupeError) {
      throw thrown;
    }
    if (limit.aborted) {
      throw failure('local.noAnswer', { url, seconds: ANSWER_MS / 1_000 }, { cause: thrown });
    }
    throw failure(thrown instanceof SyntaxError ? 'local.notJson' : 'local.unreachable', { url }, { cause: thrown });
  }
}

async function readJson({ body }: Response, url: string): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MOST_BYTES) {
      throw failure('local.tooLarge', { url, mebibytes: MOST_BYTES / 1_048_576 });
    }
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** The list in an answer. Throws `protocol` without one: then another kind of server is at the port. */
export function neededList(answer: unknown, key: string, url: string): readonly unknown[] {
  const list = member(answer, key);
  // Some versions of Ollama write an empty list as null.
  if (!Array.isArray(list) && list !== null) {
    throw failure('local.noList', { url });
  }
  return itemsOf(list);
}
