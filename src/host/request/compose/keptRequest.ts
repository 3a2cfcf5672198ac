import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { arrange, newestText, withNewestText, type ArrangeInput, type Arrangement } from '../../../engine/request/arrange.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import { measureParts, type BlockFactory } from '../../../engine/request/blockFactory.js';
import { fittedRequest, type FitInput } from '../../../engine/request/fit.js';
import { aliveBlocks } from '../../../engine/request/layout/adaptive/sentSequence.js';
import type { Situation } from '../../../engine/request/layout/situation.js';
import type { Request } from '../../../engine/request/request.js';
import type { Model, ModelClient } from '../../../engine/model/model.js';
import type { CountsByProvider } from './backgroundCount.js';

/** Everything that a request depends on, except the provider's counts and the time. */
export interface RequestInputs extends Omit<FitInput, 'countByProvider'> {
  readonly client: ModelClient;
  /** Whether the provider counts this request. */
  readonly isCounted: boolean;
}

/** A request, with the counts that it was fitted by. */
interface CountedRequest {
  readonly request: Request;
  readonly counts: CountsByProvider;
}

interface KnownRequest extends CountedRequest {
  readonly inputs: RequestInputs;
  readonly factory: BlockFactory;
  readonly arrangement: Arrangement;
}

/**
 * Keeps the last request of one chat. While no input changes, all views and *Send* get the same request. While the user
 * types, only the newest message changes, so the last arrangement is reused with the new text.
 */
export class KeptRequest {
  #last: KnownRequest | null = null;

  /** Returns a request for these inputs. `keeps`: it replaces the kept one. Uses `counts` only for a new request. */
  async of(given: RequestInputs, counts: CountsByProvider, { factory, keeps }: Keeping): Promise<CountedRequest> {
    const inputs = withKnownNewest(given, this.#last?.inputs.messages.at(-1));
    await measureParts(inputs.messages, inputs.resultTexts, factory, setImmediate);
    const last = this.#last;
    const known = last?.factory === factory && isSameBefore(last.inputs, inputs) ? last : null;
    if (known !== null && isWholeSame(known, inputs)) {
      return known;
    }
    const arrangement = (known === null ? null : retexted(known, inputs)) ?? arrange(inputs, factory);
    const request = fittedRequest({ ...inputs, countByProvider: counts.find.bind(counts) }, arrangement, factory);
    if (keeps) {
      this.#last = { request, counts, inputs, factory, arrangement };
    }
    return { request, counts };
  }
}

interface Keeping {
  readonly factory: BlockFactory;
  readonly keeps: boolean;
}

/** Replaces the newest message with an equal one whose parts are already measured. */
function withKnownNewest(inputs: RequestInputs, known: SentMessage | undefined): RequestInputs {
  const { messages } = inputs;
  return known !== undefined && isDeepStrictEqual(messages.at(-1), known) ? { ...inputs, messages: messages.with(-1, known) } : inputs;
}

/** Whether inputs that are equal up to the newest message (`isSameBefore`) give the known request. */
function isWholeSame({ inputs, request, counts }: KnownRequest, now: RequestInputs): boolean {
  const { cacheParams } = request;
  // Found in all attempts, so it is compared only where the request holds it.
  const isSameBase = !('previousResponseId' in cacheParams) || cacheParams.previousResponseId === now.previousResponseId();
  return inputs.messages.at(-1) === now.messages.at(-1) && isSameBase && counts.areCurrent();
}

/** Returns the known arrangement with the text of the newest message, or null when more has to change. */
function retexted({ inputs, arrangement, factory }: KnownRequest, now: RequestInputs): Arrangement | null {
  const newest = newestText(now);
  return newest !== null && newestText(inputs)?.id === newest.id ? withNewestText(arrangement, newest, factory) : null;
}

/** Whether two inputs are equal, except for the newest message and the time. Most members are identical. */
function isSameBefore(last: RequestInputs, now: RequestInputs): boolean {
  return (Object.keys(now) as (keyof RequestInputs)[]).every((name) => {
    switch (name) {
      case 'messages':
        return isSameStart(last.messages, now.messages);
      case 'situation':
        return isSameSituation(last, now);
      case 'attempts':
        // Attempts change in place, but their ids and manifests do not.
        return last.attempts === now.attempts;
      case 'client':
        return last.client === now.client;
      case 'previousResponseId':
        // See `isWholeSame`.
        return true;
      default:
        return last[name] === now[name] || isDeepStrictEqual(last[name], now[name]);
    }
  });
}

function isSameStart(last: readonly SentMessage[], now: readonly SentMessage[]): boolean {
  return last.length === now.length && now.every((message, at) => message === last[at] || at === now.length - 1);
}

/** Whether two situations are equal. Elapsed time counts only by its effect on the cache. */
function isSameSituation({ situation: last, model }: ArrangeInput, { situation: now }: ArrangeInput): boolean {
  return isDeepStrictEqual({ ...last, idleMs: aliveIn(last, model) }, { ...now, idleMs: aliveIn(now, model) });
}

function aliveIn({ last, idleMs }: Situation, { capabilities }: Model): number {
  return last === null ? 0 : aliveBlocks(last, capabilities.cache, idleMs);
}
