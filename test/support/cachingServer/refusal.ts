import type { Protocol } from './options.js';

/** A refused request. Its error body has the protocol's documented shape. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  /** Members of OpenAI's error body besides the message. */
  readonly openai: { readonly code: string | null; readonly param: string | null };

  constructor(status: number, message: string, openai: { readonly code: string | null; readonly param: string | null }) {
    super(message);
    this.status = status;
    this.type = anthropicType(status);
    this.openai = openai;
  }
}

export function invalid(message: string): Refusal {
  return new Refusal(400, message, { code: null, param: null });
}

/** The error types of https://platform.claude.com/docs/en/api/errors. */
function anthropicType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'api_error';
}

/** The body of an error. Anthropic: docs "Errors". OpenAI: "Error codes", as its SDK reads it. */
export function errorBody(protocol: Protocol, refusal: Refusal, requestId: string): object {
  if (protocol === 'anthropic') {
    return { type: 'error', error: { type: refusal.type, message: refusal.message }, request_id: requestId };
  }
  const type = refusal.status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message: refusal.message, type, param: refusal.openai.param, code: refusal.openai.code } };
}
