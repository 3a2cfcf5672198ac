import { LoupeError, type ErrorKind } from '../../engine/errors.js';
import type { ChatModel } from './chatModel.js';

/** What can be told from the name or the code of an error. */
type Named = 'noPermissions' | 'blocked' | 'notFound' | 'quota' | 'rateLimited' | 'cancelled';

/**
 * `NoPermissions`, `Blocked` and `NotFound` are the codes of `LanguageModelError`. The other names are those that
 * the errors of VS Code (`Canceled`) and of the extension Copilot Chat (`ChatQuotaExceeded`, `ChatRateLimited`) have.
 */
const NAMES: ReadonlyMap<string, Named> = new Map<string, Named>([
  ['NoPermissions', 'noPermissions'],
  ['Blocked', 'blocked'],
  ['NotFound', 'notFound'],
  ['ChatQuotaExceeded', 'quota'],
  ['ChatRateLimited', 'rateLimited'],
  ['Canceled', 'cancelled'],
]);

/**
 * For all other failures the API has words only, those of whoever failed. What is recognized here is the usual text
 * of HTTP clients and of model servers; the first match counts.
 */
const WORDS: readonly { readonly pattern: RegExp; readonly kind: ErrorKind }[] = [
  {
    pattern: /exceeds? (?:the )?token limit|context[ _](?:length|window)|prompt is too long|too many (?:input )?tokens|maximum context/i,
    kind: 'contextOverflow',
  },
  { pattern: /rate.?limit|too many requests|\b429\b/i, kind: 'rateLimit' },
  { pattern: /overloaded|temporarily unavailable|service unavailable|\b(?:500|502|503|504|529)\b/i, kind: 'overloaded' },
  {
    pattern: /\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)\b|fetch failed|socket hang up|net::ERR_/i,
    kind: 'network',
  },
];

/** The error for whatever VS Code or the model's extension threw. A `LoupeError` stays as it is. */
export function lmError(thrown: unknown, model: ChatModel): LoupeError {
  if (thrown instanceof LoupeError) {
    return thrown;
  }
  const name = nameOf(thrown);
  const words = wordsOf(thrown);
  if (name !== undefined) {
    return namedError(name, { model, thrown, words });
  }
  // Not retried by itself when nothing is recognized: most such failures, such as a request with too many tools,
  // come again with the same request.
  const kind = WORDS.find(({ pattern }) => pattern.test(words))?.kind ?? 'protocol';
  return new LoupeError(kind, `${modelName(model)} failed${words === '' ? '.' : `: ${words}`}`, { cause: thrown });
}

interface Failure {
  readonly model: ChatModel;
  readonly thrown: unknown;
  readonly words: string;
}

function namedError(name: Named, { model, thrown, words }: Failure): LoupeError {
  const { kind, message } = describe(name, model);
  return new LoupeError(kind, words === '' ? message : `${message} (${words})`, { cause: thrown });
}

function describe(name: Named, model: ChatModel): { readonly kind: ErrorKind; readonly message: string } {
  const who = modelName(model);
  switch (name) {
    case 'noPermissions':
      return {
        kind: 'auth',
        message: `Loupe may not use ${who}. Allow it with the command "Manage Language Model Access..." (also in the Accounts menu), or when VS Code asks at the next message.`,
      };
    case 'blocked':
      // The API's documentation and its widest used provider both mean a quota of requests that is used up for now.
      return { kind: 'rateLimit', message: `${who} takes no requests of Loupe for now.` };
    case 'rateLimited':
      return { kind: 'rateLimit', message: `${who} gets too many requests.` };
    case 'notFound':
      return { kind: 'modelGone', message: `${who} is not there any more. Choose another model below the message.` };
    case 'quota':
      // A used-up allowance comes back after days: sending again soon would only fail again.
      return { kind: 'refused', message: `The allowance for ${who} is used up.` };
    case 'cancelled':
      // Not by the user: VS Code cancels what runs when the model's extension goes away.
      return { kind: 'incomplete', message: `${who} broke off its reply.` };
  }
}

function modelName({ name, vendor }: ChatModel): string {
  return `"${name}" (${vendor} in VS Code)`;
}

/** The code says more than the name where there are both. */
function nameOf(thrown: unknown): Named | undefined {
  if (!(thrown instanceof Error)) {
    return undefined;
  }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return NAMES.get(code) ?? NAMES.get(thrown.name) ?? (thrown.cause === thrown ? undefined : nameOf(thrown.cause));
}

/** The message; that of the cause, which is the actual error, where there is none or VS Code only points at it. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) {
    return typeof thrown === 'string' ? thrown.trim() : '';
  }
  const pointsAtCause = thrown.message.trim() === '' || thrown.message.includes('check cause');
  return pointsAtCause && thrown.cause !== undefined && thrown.cause !== thrown ? wordsOf(thrown.cause) : thrown.message.trim();
}
