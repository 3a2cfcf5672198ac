import { OAuthError, OAuthErrorCode, RegistrationRejectedError } from '@modelcontextprotocol/client';
import { failure, LoupeError } from '../../../engine/errors.js';
import { isObject, parseForeignJson } from '../../../engine/json.js';
import { serverText } from '../../../providers/http/httpError.js';
import { errorsIn } from '../../../providers/http/redact.js';
import { wordsOf } from '../mcpErrors.js';
import type { ServerSecrets } from '../secrets.js';

/** Answers to a refresh token that can never succeed again. */
const GRANT_OVER: ReadonlySet<string> = new Set<string>([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

const ACCESS_DENIED: string = OAuthErrorCode.AccessDenied;

export function isGrantOver(thrown: unknown): boolean {
  return thrown instanceof OAuthError && GRANT_OVER.has(thrown.code);
}

/** Returns the error of a failed sign-in, without secrets, for the user. */
export function signInFailure(thrown: unknown, secrets: ServerSecrets): LoupeError {
  const own = ownFailure(thrown);
  const cause = secrets.redactCause(thrown);
  if (own?.code.startsWith('mcp.') === true) {
    return own;
  }
  if (thrown instanceof RegistrationRejectedError) {
    return failure('mcp.registrationRefused', { words: secrets.redact(registrationWords(thrown)) }, { cause });
  }
  if (thrown instanceof OAuthError && thrown.code === ACCESS_DENIED) {
    return failure('mcp.signInDenied', { words: secrets.redact(wordsOf(serverText(thrown.message))) }, { cause });
  }
  return failure('mcp.signInFailed', { words: safeWords(own ?? thrown, secrets) }, { cause });
}

export function renewalFailure(thrown: unknown, secrets: ServerSecrets): LoupeError {
  const own = ownFailure(thrown);
  return failure('mcp.renewalFailed', { words: safeWords(own ?? thrown, secrets) }, { cause: secrets.redactCause(thrown) });
}

export function revocationFailure(thrown: unknown, secrets: ServerSecrets): LoupeError {
  const own = ownFailure(thrown);
  return failure('mcp.notRevoked', { words: safeWords(own ?? thrown, secrets) }, { cause: secrets.redactCause(thrown) });
}

function ownFailure(thrown: unknown): LoupeError | null {
  return errorsIn(thrown).find((error) => error instanceof LoupeError) ?? null;
}

function safeWords(thrown: unknown, secrets: ServerSecrets): string {
  return secrets.redact(wordsOf(thrown instanceof OAuthError ? serverText(thrown.message) : thrown));
}

/** Returns the status and the reason of a refused registration (RFC 7591). */
function registrationWords({ status, body }: RegistrationRejectedError): string {
  const said = parseForeignJson(body);
  const { error, error_description: description } = isObject(said) ? said : {};
  const reasons = [error, description].filter((reason) => typeof reason === 'string');
  return wordsOf([`HTTP ${String(status)}`, ...reasons].join(': '));
}
