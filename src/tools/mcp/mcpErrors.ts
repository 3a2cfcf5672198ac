import { InsufficientScopeError, ProtocolError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { LoupeError, failure } from '../../engine/errors.js';
import { isObject, parseForeignJson } from '../../engine/json.js';
import type { ServerSecrets } from './secrets.js';
import { errorsIn } from '../../providers/http/redact.js';
import { serverText } from '../../providers/http/httpError.js';

/** Maximum number of characters of a server's message inside a sentence. */
const LONGEST_WORDS = 500;

export interface TransportEnd {
  /** The reason why Loupe ended the transport. Null when Loupe did not end the transport. */
  readonly failure: LoupeError | null;
  /** How the server's process ended, such as `with code 1`. Null while it runs, and without a process. */
  readonly ending: string | null;
}

/** `hasSignIn`: whether the user can sign in to the server. */
export function startFailure(thrown: unknown, transport: TransportEnd, hasSignIn: boolean): LoupeError {
  const own = transport.failure ?? ownErrorIn(thrown) ?? (hasSignIn ? signInProblem(thrown) : null);
  if (own !== null && own.code !== 'mcp.ended' && own.code !== 'mcp.connectionClosed') {
    return own;
  }
  return answerFailure(thrown, transport);
}

function answerFailure(thrown: unknown, transport: TransportEnd): LoupeError {
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

export interface FailedServer {
  readonly secrets: ServerSecrets;
  /** Whether the user can sign in to the server. */
  readonly hasSignIn: boolean;
}

/** Returns the error of a failed request, without secrets, for the user. */
export function callFailure(name: string, thrown: unknown, { secrets, hasSignIn }: FailedServer): LoupeError {
  const cause = secrets.redactCause(thrown);
  const own = ownErrorIn(thrown) ?? (hasSignIn ? signInProblem(thrown) : null);
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

/** Returns why a server to which the user can sign in refused a request. Null if the sign-in is not the reason. */
function signInProblem(thrown: unknown): LoupeError | null {
  const errors = errorsIn(thrown);
  if (errors.some((error) => error instanceof InsufficientScopeError)) {
    return failure('mcp.wantsRights', { cause: thrown });
  }
  const isRefused = errors.some((error) => error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication);
  return isRefused ? failure('mcp.signInRefused', { cause: thrown }) : null;
}

/**
 * Whether the server does not know the session. No part of the request has run then. The specification requires status
 * 404. Servers based on the official SDK's examples send status 400 with a message.
 */
export function isUnknownSession(thrown: unknown): boolean {
  const refusal = refusalIn(thrown);
  return refusal?.status === 404 || (refusal?.status === 400 && /session/i.test(refusal.words));
}

/**
 * Whether a server that refused the first request may have only the transport SSE. The statuses are from the
 * specification: https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#backwards-compatibility
 */
export function mayBeOldTransport(thrown: unknown): boolean {
  return [400, 404, 405].includes(refusalIn(thrown)?.status ?? 0);
}

/** Returns the message of an error, without its final period. */
export function wordsOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.slice(0, LONGEST_WORDS).trim().replace(/\.+$/, '');
}

function refusalIn(thrown: unknown): { readonly status: number; readonly words: string } | null {
  const error = errorsIn(thrown).find((each) => each instanceof SdkHttpError);
  if (error === undefined) {
    return null;
  }
  const { status, text } = error.data;
  const body = typeof text === 'string' ? text : '';
  const value = parseForeignJson(body);
  const said = isObject(value) && isObject(value['error']) ? value['error']['message'] : value;
  return { status, words: wordsOf(serverText(typeof said === 'string' ? said : body)) };
}

function ownErrorIn(thrown: unknown): LoupeError | null {
  return errorsIn(thrown).find((error) => error instanceof LoupeError) ?? null;
}
