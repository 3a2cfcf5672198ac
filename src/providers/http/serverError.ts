import { count, itemsOf, member, textMember, wordsMember } from '../json.js';

/*
 * Errors in JSON: the body of a failed response, a whole response, or an event inside a stream with status 200. The
 * members distinguish these forms:
 *
 * { error: { message, type, code } }            OpenAI, Anthropic and most others; `code` may be a status
 * { error: "text" }                             Ollama
 * { object: "error", message, type, code }      vLLM, Mistral
 * [ { error: { code, message, status } } ]      Gemini
 * { base_resp: { status_code, status_msg } }    MiniMax; a code of 0 is no error
 * { errors: [ { code, message } ] }             Cloudflare
 * { choices: [ { finish_reason: "error" } ] }   OpenRouter, with the error in the choice
 * { detail }, { message }, { code, message }    FastAPI and gateways: only with an error status
 */

export interface ServerError {
  /** The HTTP status that the error names, or null. */
  readonly status: number | null;
  /** The error code or type that the server sent, such as `context_length_exceeded`, or null. */
  readonly code: string | null;
  /** The message that the server sent, or ''. */
  readonly message: string;
}

/** Returns the error in a JSON value with a successful status. Undefined for other values. */
export function errorIn(value: unknown): unknown {
  return Array.isArray(value)
    ? itemsOf(value)
        .map(errorOf)
        .find((error) => error !== undefined)
    : errorOf(value);
}

function errorOf(value: unknown): unknown {
  const error = member(value, 'error');
  // Some servers send `error` with one of these values in each successful chunk.
  if (error !== undefined && error !== null && error !== '' && error !== false) {
    return error;
  }
  if (textMember(value, 'object') === 'error' || textMember(value, 'type') === 'error') {
    return value;
  }
  const base = member(value, 'base_resp');
  if ((count(member(base, 'status_code')) ?? 0) > 0) {
    return base;
  }
  const choice = itemsOf(member(value, 'choices')).find((item) => textMember(item, 'finish_reason') === 'error');
  if (choice !== undefined) {
    return member(choice, 'error') ?? { message: 'The model failed while it answered.' };
  }
  return itemsOf(member(value, 'errors'))[0];
}

/** Reads an error from `errorIn`, or the JSON of a failed response. `text` is the whole response text. */
export function serverError(error: unknown, text: string): ServerError {
  const code = member(error, 'code') ?? member(error, 'status_code');
  return {
    status: typeof code === 'number' && code >= 400 && code <= 599 ? code : null,
    code: wordsMember(error, 'code') ?? wordsMember(error, 'type') ?? (typeof code === 'number' ? String(code) : null),
    message: typeof error === 'string' ? error : (wordsOf(error) ?? text),
  };
}

/** Returns the message of an error, with texts that gateways and llama.cpp send separately. Null without a text. */
function wordsOf(error: unknown): string | null {
  const message = ['message', 'detail', 'status_msg', 'error', 'msg']
    .map((name) => wordsMember(error, name))
    .find((words) => words !== null);
  // Adds the provider's own message, because a gateway says only "Provider returned error".
  const raw = wordsMember(member(error, 'metadata'), 'raw');
  // llama.cpp sends its context window as a separate member.
  const window = count(member(error, 'n_ctx'));
  const words = [message, raw, window === null ? null : JSON.stringify({ n_ctx: window })].filter((part) => typeof part === 'string');
  return words.length === 0 ? null : words.join(': ');
}
