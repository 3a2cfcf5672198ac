import { count, itemsOf, member, textMember, wordsMember } from '../json.js';

/*
 * Errors as servers write them into JSON: as the body of a failed answer, as the whole answer or inside a stream with status
 * 200. Their members distinguish the forms:
 *
 *   { error: { message, type, code } }            OpenAI, Anthropic and most others; `code` may be a status
 *   { error: "text" }                             Ollama
 *   { object: "error", message, type, code }      vLLM, Mistral
 *   [ { error: { code, message, status } } ]      Gemini
 *   { base_resp: { status_code, status_msg } }    MiniMax; a code of 0 is no error
 *   { errors: [ { code, message } ] }             Cloudflare
 *   { choices: [ { finish_reason: "error" } ] }   OpenRouter, with the error in the choice
 *   { detail }, { message }, { code, message }    FastAPI and gateways: only where the status says failure
 */

/** What a server says of a failure. */
export interface ServerError {
  /** The status that the error names; null where it names none. */
  readonly status: number | null;
  /** The server's own code or type, such as `context_length_exceeded`; null without one. */
  readonly code: string | null;
  /** The server's words; '' without any. */
  readonly message: string;
}

/** The error in a JSON value that came with a status of success; undefined where it is none. */
export function errorIn(value: unknown): unknown {
  return Array.isArray(value)
    ? itemsOf(value)
        .map(errorOf)
        .find((error) => error !== undefined)
    : errorOf(value);
}

function errorOf(value: unknown): unknown {
  const error = member(value, 'error');
  // Some servers send this member in every chunk, with one of these values for no error.
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

/** What is said in an error of `errorIn`, or in the JSON of a failed answer. `text` is the whole text that it came in. */
export function serverError(error: unknown, text: string): ServerError {
  const code = member(error, 'code') ?? member(error, 'status_code');
  return {
    status: typeof code === 'number' && code >= 400 && code <= 599 ? code : null,
    code: wordsMember(error, 'code') ?? wordsMember(error, 'type') ?? (typeof code === 'number' ? String(code) : null),
    message: typeof error === 'string' ? error : (wordsOf(error) ?? text),
  };
}

/** The words in the known members of an error; null without any. */
function wordsOf(error: unknown): string | null {
  const message = ['message', 'detail', 'status_msg', 'error', 'msg']
    .map((name) => wordsMember(error, name))
    .find((words) => words !== null);
  // The words of the provider behind a gateway say more than the gateway's "Provider returned error".
  const raw = wordsMember(member(error, 'metadata'), 'raw');
  // llama.cpp gives its context window beside the message.
  const window = count(member(error, 'n_ctx'));
  const words = [message, raw, window === null ? null : JSON.stringify({ n_ctx: window })].filter((part) => typeof part === 'string');
  return words.length === 0 ? null : words.join(': ');
}
