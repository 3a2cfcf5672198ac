import { failure, type LoupeError } from '../../engine/errors.js';
import { parseJson } from '../../engine/json.js';
import { itemsOf, member } from '../json.js';
import { errorIn, streamError, type RequestContext } from './errors.js';

/**
 * The whole reply of a server that does not stream, as one chunk; null for a stream. Throws for an answer with status 200
 * that is neither. JSON may contain the server's error; a web page means that another kind of server is at this address.
 * Any other content type counts as a stream.
 */
export async function wholeReply(response: Response, context: RequestContext): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (/^\s*application\/json\b/i.test(type)) {
    const answer = parseJson(await response.text());
    const error = errorIn(answer);
    if (error !== undefined) {
      throw streamError(error, response.headers, context);
    }
    if (itemsOf(member(answer, 'choices')).length === 0) {
      throw noStream(context, 'a complete answer');
    }
    return answer;
  }
  if (/^\s*text\/html\b/i.test(type)) {
    await response.body?.cancel();
    throw noStream(context, 'a web page');
  }
  return null;
}

function noStream({ endpoint }: RequestContext, instead: string): LoupeError {
  return failure('provider.noStream', { label: endpoint.label, instead });
}
