import { type LoupeError, failure } from '../../engine/errors.js';
import type { FailureCode } from '../../engine/failures/failures.js';
import type { Endpoint } from '../endpoint.js';
import { type HttpFailure, meaningOf, retryAfterMs } from './failureMeaning.js';
import { redact, redactRefusal } from './redact.js';
import { refusedTool } from './refusedTool.js';

/** The HTTP statuses that error codes mean. Needed for errors inside a response with the status 200. */
const STATUS_OF_CODE: ReadonlyMap<string, number> = new Map([
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['timeout_error', 504],
  ['request_too_large', 413],
  ['invalid_request_error', 400],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['api_error', 500],
  ['server_error', 500],
  ['internal_server_error', 500],
  ['InternalServerError', 500],
  ['overloaded_error', 529],
]);

/** Codes of failures that can be about a tool: a rejected request, also when the server says so inside a reply. */
const MAY_REFUSE_TOOL: ReadonlySet<FailureCode> = new Set(['http.notAccepted', 'http.errorInAnswer']);

/** Maximum number of characters of a server's message to read. An HTML page has its title near the start. */
const LONGEST_READ = 8_192;

/** Maximum number of characters of a server's message to keep: enough for a message, too few for a page. */
const LONGEST_TEXT = 2_000;

/** Maximum number of characters of an error code. The log stores the code, and a server can send any length. */
const LONGEST_CODE = 200;

/** A failed response. `body`: the request that the server has refused, or null without a body. */
interface RefusedRequest extends HttpFailure {
  readonly body: string | null;
}

/** Returns the error of a failed response, without the key. */
export function httpError({ body, ...answer }: RefusedRequest, { label }: Endpoint, key: string | null): LoupeError {
  const status = statusOf(answer);
  const withoutKey = status === 401 ? redactRefusal : redact;
  const message = serverText(withoutKey(answer.message.slice(0, LONGEST_READ), key));
  const { code, inputLimit, refusedMember } = meaningOf({ ...answer, status, message }, key);
  const details = {
    cause: new Error(withoutKey(failureDetails(status, answer.code, message), key)),
    // No wait before the retry after a refused member, because the retry omits this member.
    retryAfterMs: refusedMember === null ? retryAfterMs(answer.headers) : 0,
    inputLimit,
    refusedMember,
  };
  const tool = body === null || !MAY_REFUSE_TOOL.has(code) ? null : refusedTool(message, body);
  return tool === null
    ? failure(code, { label, status, inputLimit, refusedMember }, details)
    : failure('http.toolRefused', { label, tool }, { ...details, refusedTool: tool });
}

function statusOf({ status, code }: HttpFailure): number {
  if (status >= 400 || code === null) {
    return status;
  }
  const number = /^[45]\d\d$/.test(code) ? Number(code) : null;
  return number ?? STATUS_OF_CODE.get(code) ?? status;
}

/** Returns the server's description of the failure, for the details of the error. */
function failureDetails(status: number, code: string | null, message: string): string {
  return [`HTTP ${String(status)}`, (code ?? '').slice(0, LONGEST_CODE), message].filter((part) => part !== '').join(': ');
}

/** Returns the server's message. For an HTML page, returns only its title. */
export function serverText(message: string): string {
  if (!/<(?:!doctype|html|head|title)\b/i.test(message)) {
    return cut(message.trim());
  }
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(message)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
  return title === '' ? 'a page without a title' : cut(`a page with the title "${title}"`);
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
}
