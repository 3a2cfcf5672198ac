import type { Usage } from '../../../engine/model/usage.js';
import { LoupeError, failure } from '../../../engine/errors.js';
import { type Json, isObject, parseForeignJson } from '../../../engine/json.js';
import type { Clock } from '../../../engine/ports.js';
import type { Model, ModelClient, StreamPart, WireRequest } from '../../../engine/model/model.js';
import { UniqueIds } from '../../../providers/callIds.js';
import { normalizeUsage } from '../../../providers/openaiCompatible/usage.js';
import { EventLoopTurns } from '../../../providers/http/turns.js';
import { raceAbort } from '../../../engine/run/abortRace.js';
import type { ChatModel, ReceivedPart } from './chatModel.js';
import { convert } from './convert.js';
import type { LmRequest } from './wire.js';
import type { LANGUAGE_MODEL_FAILURES } from '../../../engine/failures/models.js';
import { errorsIn } from '../../../providers/http/redact.js';
import { systemCode } from '../../../storage/files/failure.js';

type LmCode = keyof typeof LANGUAGE_MODEL_FAILURES;

/**
 * Failures by error code or name. `NoPermissions`, `Blocked` and `NotFound` are codes of `LanguageModelError`.
 * `Canceled` is a name in VS Code. `ChatQuotaExceeded` and `ChatRateLimited` are names in the extension Copilot Chat.
 */
const NAMES: ReadonlyMap<string, LmCode> = new Map([
  ['NoPermissions', 'vscode.noPermission'],
  ['Blocked', 'vscode.blocked'],
  ['NotFound', 'vscode.modelGone'],
  ['ChatQuotaExceeded', 'vscode.quota'],
  ['ChatRateLimited', 'vscode.rateLimited'],
  ['Canceled', 'vscode.cancelled'],
]);

/**
 * Patterns for failures without a code, by common words of HTTP clients and model servers. The first matching pattern
 * decides.
 */
const WORDS: readonly (readonly [RegExp, LmCode])[] = [
  [
    /exceeds? (?:the )?token limit|context[ _](?:length|window)|prompt is too long|too many (?:input )?tokens|maximum context/i,
    'vscode.tooLong',
  ],
  [/rate.?limit|too many requests|\b429\b/i, 'vscode.tooManyRequests'],
  [/overloaded|temporarily unavailable|service unavailable|\b(?:500|502|503|504|529)\b/i, 'vscode.overloaded'],
  [/\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)\b|fetch failed|socket hang up|net::ERR_/i, 'vscode.network'],
];

/** Names of JavaScript's own errors, which show a defect in the model's extension. */
const DEFECTS: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/** Converts an error from VS Code or the model's extension. Returns a `LoupeError` unchanged. */
export function lmError(thrown: unknown, model: ChatModel): LoupeError {
  if (thrown instanceof LoupeError) {
    return thrown;
  }
  const words = wordsOf(thrown);
  const known = namedCode(thrown) ?? WORDS.find(([pattern]) => pattern.test(words))?.[1];
  const code = known ?? (errorsIn(thrown).some(({ name }) => DEFECTS.has(name)) ? 'vscode.defect' : 'vscode.failed');
  return failure(code, { model: `"${model.name}" (${model.vendor} in VS Code)`, words }, { cause: thrown });
}

/** Returns the meaning of an error's code, otherwise of its name, which is less specific. */
function namedCode(thrown: unknown): LmCode | undefined {
  const codes = errorsIn(thrown).map((error) => NAMES.get(systemCode(error) ?? '') ?? NAMES.get(error.name));
  return codes.find((code) => code !== undefined);
}

/** Returns the message of an error. If it is missing or only refers to the cause, returns the cause's message. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) {
    return typeof thrown === 'string' ? thrown.trim() : '';
  }
  const pointsAtCause = thrown.message.trim() === '' || thrown.message.includes('check cause');
  return pointsAtCause && thrown.cause !== undefined && thrown.cause !== thrown ? wordsOf(thrown.cause) : thrown.message.trim();
}

/**
 * Maximum time without data before and between parts of a reply, in ms. A working model can send nothing for minutes:
 * VS Code does not pass reasoning on, and some providers do not stream. Common HTTP clients give up after ten minutes,
 * gateways after five.
 */
export const LONGEST_SILENCE_MS = 300_000;

/**
 * Type of a data part with the usage of a reply as JSON. Not in the documentation of the API. Copilot Chat defines it
 * (`CustomDataPartMimeTypes.Usage` in microsoft/vscode-copilot-chat), and other extensions also use it.
 */
const USAGE_MIME = 'usage';

export interface LanguageModelClientPorts {
  readonly clock: Clock;
  /** Called when a request fails because its model no longer exists. VS Code does not always report this change. */
  readonly onModelGone: () => void;
}

/** A client for the models of one vendor in VS Code. */
export class LanguageModelClient implements ModelClient {
  readonly convert = convert;
  readonly #models: ReadonlyMap<string, ChatModel>;
  readonly #ports: LanguageModelClientPorts;
  readonly #turns = new EventLoopTurns();

  constructor(models: ReadonlyMap<string, ChatModel>, ports: LanguageModelClientPorts) {
    this.#models = models;
    this.#ports = ports;
  }

  /**
   * Throws the error of `lmError` for a failure, `timeout` after too long without data, `cancelled` when `signal`
   * aborts. The API has no finish reason: a stream that ends without an error is complete. Usage is unknown, unless the
   * model's extension reports it (`USAGE_MIME`).
   */
  async *stream(model: Model, request: WireRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void> {
    const chatModel = this.#find(model);
    // Ends the request in VS Code in any case, even if the caller stops reading the reply.
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const parts = new ReplyParts();
    const work = this.#turns.begin();
    try {
      // Without a time limit, because VS Code may be waiting for the user's consent.
      const sending = chatModel.send(parse(request), either);
      const received = await within(sending, { ...this.#wait(chatModel, signal), limitMs: null });
      const iterator = received[Symbol.asyncIterator]();
      for (;;) {
        const next = await within(iterator.next(), this.#wait(chatModel, signal));
        if (next.done === true) {
          break;
        }
        yield* parts.take(next.value);
        // Returns to the event loop, because a loop over parts that have already arrived never returns to it.
        if (work.shouldYield) {
          await work.yieldTurn();
        }
      }
    } catch (thrown) {
      throw this.#failed(thrown, chatModel);
    } finally {
      ended.abort();
    }
    yield parts.end();
  }

  async countTokens(model: Model, request: WireRequest, signal: AbortSignal): Promise<number> {
    const chatModel = this.#find(model);
    const { messages, tools } = parse(request);
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const contents = [...messages, ...tools.map((tool) => JSON.stringify(tool))];
    const counting = Promise.all(contents.map((content) => chatModel.countTokens(content, either)));
    try {
      const counts = await within(counting, this.#wait(chatModel, signal));
      return checkedSum(counts, chatModel);
    } catch (thrown) {
      throw this.#failed(thrown, chatModel);
    } finally {
      ended.abort();
    }
  }

  #find({ ref, label }: Model): ChatModel {
    const found = this.#models.get(ref.model);
    if (found === undefined) {
      throw failure('vscode.notOffered', { label });
    }
    return found;
  }

  #failed(thrown: unknown, chatModel: ChatModel): LoupeError {
    const error = lmError(thrown, chatModel);
    if (error.kind === 'modelGone') {
      this.#ports.onModelGone();
    }
    return error;
  }

  #wait({ name }: ChatModel, signal: AbortSignal): WaitTerms {
    const late = (): LoupeError => failure('vscode.silent', { name, minutes: LONGEST_SILENCE_MS / 60_000 });
    return { signal, clock: this.#ports.clock, limitMs: LONGEST_SILENCE_MS, late };
  }
}

/** Parses the JSON body of a request, which is new or from a log. */
function parse({ body }: WireRequest): LmRequest {
  return JSON.parse(body) as LmRequest;
}

/** Numbers the parts of a reply. Consecutive texts are one part. Each image or tool call is one part. */
class ReplyParts {
  /** Makes the ids of calls unique in a reply, because an extension may repeat an id. */
  readonly #callIds = new UniqueIds(Infinity);
  #hasCalls = false;
  #index = -1;
  #last: 'text' | 'image' | 'toolCall' | null = null;
  #usage: { readonly usage: Usage | null; readonly rawUsage: Json } = { usage: null, rawUsage: null };

  *take(part: ReceivedPart): Generator<StreamPart, void> {
    if (part.type === 'text') {
      this.#index += this.#last === 'text' ? 0 : 1;
      this.#last = 'text';
      yield { type: 'text', index: this.#index, text: textOrJson(part.text) };
    } else if (part.type === 'toolCall') {
      this.#index += 1;
      this.#last = 'toolCall';
      this.#hasCalls = true;
      const index = this.#index;
      yield { type: 'toolCall', index, id: this.#callIds.take(textOrJson(part.id)), name: textOrJson(part.name) };
      yield { type: 'toolCallArgs', index, text: textOrJson(part.input) };
    } else if (part.type === 'data' && part.mimeType === USAGE_MIME) {
      yield* this.#takeUsage(parseForeignJson(new TextDecoder().decode(part.bytes)));
    } else if (part.type === 'data' && part.mimeType.startsWith('image/')) {
      this.#index += 1;
      this.#last = 'image';
      yield { type: 'image', index: this.#index, mimeType: part.mimeType, bytes: part.bytes };
    }
  }

  /** Reads the usage of a reply, in the format of Chat Completions. */
  *#takeUsage(raw: unknown): Generator<StreamPart, void> {
    if (isObject(raw)) {
      const usage = normalizeUsage(raw, false);
      this.#usage = { usage, rawUsage: raw };
      yield* usage === null ? [] : [{ type: 'usage', usage, rawUsage: raw } as const];
    }
  }

  end(): StreamPart {
    const stopReason = this.#hasCalls ? 'toolCalls' : 'end';
    return { type: 'end', stopReason, ...this.#usage, responseId: null };
  }
}

/**
 * Returns what an extension sent in place of a text: a text unchanged, other values as JSON, '' for a missing value, a
 * note for a value without a JSON form. Tools reject the last two, and the model gets the error.
 */
function textOrJson(given: unknown): string {
  if (typeof given === 'string') {
    return given;
  }
  if (given === undefined || given === null) {
    return '';
  }
  try {
    const json: unknown = JSON.stringify(given);
    // Functions and symbols have no JSON form.
    return typeof json === 'string' ? json : CANNOT_BE_WRITTEN;
  } catch {
    // `JSON.stringify` fails for a cycle, a BigInt and deep nesting. The model could not use this JavaScript error.
    return CANNOT_BE_WRITTEN;
  }
}

const CANNOT_BE_WRITTEN = '(something that cannot be written as JSON)';

/** Returns the sum of token counts, which can be fractions. Throws `protocol` for a count that is not a number. */
function checkedSum(counts: readonly unknown[], { name }: ChatModel): number {
  const numbers = counts.filter((count) => typeof count === 'number' && Number.isFinite(count) && count >= 0) as readonly number[];
  if (numbers.length < counts.length) {
    throw failure('vscode.badCount', { name });
  }
  return Math.ceil(numbers.reduce((total, count) => total + count, 0));
}

/**
 * Waits for `promise`. Throws `cancelled` when `signal` aborts, and the error of `late` after `limitMs`. Null means no
 * time limit. Ignores the result of `promise` after that.
 */
async function within<T>(promise: Promise<T>, wait: WaitTerms): Promise<T> {
  const awake = new AbortController();
  const { limitMs } = wait;
  const late = limitMs === null ? [] : [wait.clock.sleep(limitMs, awake.signal).then(() => 'late' as const)];
  try {
    const first = await raceAbort(Promise.race([promise.then((value) => ({ value })), ...late]), wait.signal);
    if (first === 'aborted') {
      throw failure('request.stopped');
    }
    if (first === 'late') {
      throw wait.late();
    }
    return first.value;
  } finally {
    awake.abort();
  }
}

interface WaitTerms {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limitMs: number | null;
  readonly late: () => LoupeError;
}
