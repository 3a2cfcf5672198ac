import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import { failure, LoupeError } from '../../engine/errors.js';
import { isObject, parseOthersJson } from '../../engine/json.js';
import type { Secrets } from './secrets.js';
import { errorsIn } from '../../providers/http/errorsIn.js';
import { serverText } from '../../providers/http/httpError.js';

/** Most characters of a server's words in a sentence. */
const LONGEST_WORDS = 500;

/** What a transport knows of its end. */
export interface TransportEnd {
  /** Why Loupe ended it; null where it did not. */
  readonly failure: LoupeError | null;
  /** How its process ended, such as `with code 1`; null where none did. */
  readonly ending: string | null;
}

/** Why a server did not start, from what the SDK throws. */
export function startFailure(thrown: unknown, transport: TransportEnd): LoupeError {
  const own = transport.failure ?? ownErrorIn(thrown);
  if (own !== null && own.code !== 'mcp.ended' && own.code !== 'mcp.connectionClosed') {
    return own;
  }
  if (transport.ending !== null) {
    return failure('mcp.endedAtStart', { how: transport.ending }, { cause: thrown });
  }
  const status = refusalIn(thrown)?.status ?? 0;
  if (status >= 300) {
    return failure(status === 401 || status === 403 ? 'mcp.notAllowed' : 'mcp.status', { status }, { cause: thrown });
  }
  const said = errorsIn(thrown).find((error) => error instanceof ProtocolError);
  return said === undefined
    ? failure('mcp.notMcp', { cause: thrown })
    : failure('mcp.refusedStart', { words: wordsOf(said) }, { cause: thrown });
}

/** What the user is told of a failed request to a server, without secrets. */
export function callFailure(name: string, thrown: unknown, secrets: Secrets): LoupeError {
  const cause = secrets.redactCause(thrown);
  const own = ownErrorIn(thrown);
  if (own !== null) {
    return own;
  }
  const said = errorsIn(thrown).find((error) => error instanceof ProtocolError);
  const refusal = refusalIn(thrown);
  if (said === undefined && refusal === null) {
    return failure('mcp.badAnswer', { name }, { cause });
  }
  const words = said === undefined ? `HTTP ${String(refusal?.status)}: ${refusal?.words ?? ''}` : wordsOf(said);
  return failure('mcp.refusedCall', { name, words: secrets.redact(words.replace(/: $/, '')) }, { cause });
}

/**
 * Whether a server says that it does not know a session: then nothing of the request has run. By the specification with the status 404,
 * but servers made after the examples of the official SDK do so with 400 and words.
 */
export function isUnknownSession(thrown: unknown): boolean {
  const refusal = refusalIn(thrown);
  return refusal?.status === 404 || (refusal?.status === 400 && /session/i.test(refusal.words));
}

/** The words of an error for a sentence that ends behind them. */
export function wordsOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.slice(0, LONGEST_WORDS).trim().replace(/\.+$/, '');
}

/** An answer with a status of failure. */
interface Refusal {
  readonly status: number;
  /** What the server says; '' where it says nothing. */
  readonly words: string;
}

/** The answer that an error is about; null where it is about none. */
function refusalIn(thrown: unknown): Refusal | null {
  const error = errorsIn(thrown).find((each) => each instanceof SdkHttpError);
  if (error === undefined) {
    return null;
  }
  const { status, text } = error.data;
  const body = typeof text === 'string' ? text : '';
  const value = parseOthersJson(body);
  const said = isObject(value) && isObject(value['error']) ? value['error']['message'] : value;
  return { status, words: wordsOf(serverText(typeof said === 'string' ? said : body)) };
}

function ownErrorIn(thrown: unknown): LoupeError | null {
  return errorsIn(thrown).find((error) => error instanceof LoupeError) ?? null;
}
