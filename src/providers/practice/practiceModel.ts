import type { Usage } from '../../engine/model/usage.js';
import { EMPTY_CACHE, inColumns, useCache, type CacheState, type CacheUse } from '../../engine/model/providerCache.js';
import { failure, failIfAborted } from '../../engine/errors.js';
import type { Json } from '../../engine/json.js';
import type { Clock, RandomHex, TokenCounter } from '../../engine/ports.js';
import type { Model, ModelClient, StreamPart, WireRequest } from '../../engine/model/model.js';
import { reported } from '../usageMembers.js';
import { convert } from './convert.js';
import { PRACTICE_CACHE, PRACTICE_SMALL, PRACTICE_STANDARD } from './models.js';
import { requestParts } from './requestParts.js';
import { sumTokens } from '../../engine/sumTokens.js';
import { writeScript, type Script } from './script.js';
import type { PracticeRequest } from './wire.js';

/**
 * The built-in offline model. Acts like a remote provider: reads only the request body, and counts the tokens itself.
 * All chats share one cache, as with a single key. The delays in the script alone decide the speed of a reply.
 */
export class PracticeModel implements ModelClient {
  readonly convert = convert;
  readonly #clock: Clock;
  readonly #random: RandomHex;
  readonly #loadCounter: () => Promise<TokenCounter>;
  #cache: CacheState = EMPTY_CACHE;
  /** The number of failures of each request because of `/error`, by request content. Removed after a success. */
  readonly #failures = new Map<string, number>();

  /** `loadCounter` loads the token counter of the practice models. Called for each request and each count. */
  constructor(clock: Clock, random: RandomHex, loadCounter: () => Promise<TokenCounter>) {
    this.#clock = clock;
    this.#random = random;
    this.#loadCounter = loadCounter;
  }

  /** Counts the input tokens as `stream` counts them for the bill. */
  async countTokens(_model: Model, { body }: WireRequest, signal: AbortSignal): Promise<number> {
    const request = JSON.parse(body) as PracticeRequest;
    const counter = await this.#loadCounter();
    failIfAborted(signal, 'request.stopped');
    return sumTokens(requestParts(request, limitsOf(request).framing, counter));
  }

  /**
   * Throws:
   * - `contextOverflow` for a request that is too long or allows no output
   * - `cancelled` when `signal` aborts
   * - the failure that `/error` asks for
   */
  async *stream(_model: Model, { body }: WireRequest, signal: AbortSignal): AsyncGenerator<StreamPart, void> {
    const request = JSON.parse(body) as PracticeRequest;
    const counter = await this.#loadCounter();
    failIfAborted(signal, 'request.stopped');
    const { script, use } = this.#begin(request, counter);
    if (script.type === 'fail') {
      throw script.error;
    }
    for (const { delayMs, part } of script.steps) {
      await this.#clock.sleep(delayMs, signal);
      failIfAborted(signal, 'request.stopped');
      yield part;
    }
    failIfAborted(signal, 'request.stopped');
    if (script.end !== null) {
      const { stopReason, outputTokens } = script.end;
      const responseId = `practice_${this.#random.hex(8)}`;
      yield { type: 'end', stopReason, ...usageOf(use, outputTokens), responseId };
    }
  }

  /** Decides the reply. Stores the request in the cache, unless the reply is a failure. */
  #begin(request: PracticeRequest, counter: TokenCounter): { readonly script: Script; readonly use: CacheUse } {
    const { framing, maxInputTokens, maxOutputTokens } = limitsOf(request);
    const parts = requestParts(request, framing, counter);
    const tokens = sumTokens(parts);
    if (tokens > maxInputTokens || maxOutputTokens === 0) {
      throw failure('practice.tooLong', { tokens, limit: maxInputTokens }, { inputLimit: maxInputTokens });
    }
    const { use, state } = useCache(PRACTICE_CACHE, this.#cache, inColumns(parts), this.#clock.now());
    const callId = `call_${this.#random.hex(8)}`;
    // Identifies a request without its breakpoints, because a retry can use a longer cache lifetime.
    const said = parts.at(-1)?.prefix ?? '';
    const failures = this.#failures.get(said) ?? 0;
    const script = writeScript({ request, tokens, use, maxInputTokens, maxOutputTokens, counter, failures, callId });
    this.#failures.delete(said);
    if (script.type === 'reply') {
      this.#cache = state;
    } else {
      this.#rememberFailure(said, failures + 1);
    }
    return { script, use };
  }

  #rememberFailure(said: string, failures: number): void {
    this.#failures.set(said, failures);
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined && this.#failures.size > REMEMBERED_FAILURES) {
      this.#failures.delete(oldest);
    }
  }
}

/** Maximum number of failed requests to remember. */
const REMEMBERED_FAILURES = 20;

function limitsOf(request: PracticeRequest): {
  readonly framing: Model['capabilities']['framing'];
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
} {
  const model = request.model === PRACTICE_SMALL.ref.model ? PRACTICE_SMALL : PRACTICE_STANDARD;
  return {
    framing: model.capabilities.framing,
    maxInputTokens: model.maxInputTokens ?? Infinity,
    maxOutputTokens: Math.min(request.max_tokens ?? Infinity, model.maxOutputTokens ?? Infinity),
  };
}

function usageOf(use: CacheUse, outputTokens: number): { readonly usage: Usage; readonly rawUsage: Json } {
  const { read, written5m, written1h, fresh } = use;
  return {
    usage: {
      promptTokens: reported(fresh),
      cacheReadInputTokens: reported(read),
      cacheCreationInputTokens: reported(written5m + written1h),
      cacheCreation: { fiveMinutes: written5m, oneHour: written1h },
      completionTokens: reported(outputTokens),
    },
    rawUsage: {
      input_tokens: fresh,
      cache_read_tokens: read,
      cache_written_5m_tokens: written5m,
      cache_written_1h_tokens: written1h,
      output_tokens: outputTokens,
    },
  };
}
