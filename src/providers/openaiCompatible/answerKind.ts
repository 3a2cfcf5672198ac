import { failure, type LoupeError } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import { errorIn, streamError, type RequestContext } from './errors.js';

/**
 * Throws for an answer with status 200 that is no stream. JSON contains the server's error; a web page means that
 * another kind of server is at this address. Any other content type counts as a stream.
 */
export async function checkIsStream(response: Response, context: RequestContext): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (/^\s*application\/json\b/i.test(type)) {
    const error = errorIn(parseJson(await response.text()));
    throw error === undefined ? noStream(context, 'a complete answer') : streamError(error, response.headers, context);
  }
  if (/^\s*text\/html\b/i.test(type)) {
    await response.body?.cancel();
    throw noStream(context, 'a web page');
  }
}

function noStream({ endpoint }: RequestContext, instead: string): LoupeError {
  return failure('provider.noStream', { label: endpoint.label, instead });
}
