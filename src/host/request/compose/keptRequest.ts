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

/** Everything that a request depends on, except the provider's token counts and the time. */
export interface RequestInputs extends Omit<FitInput, 'countByProvider'> {
  readonly client: ModelClient;
  /** Whether the provider is asked to count the tokens of this request. */
  readonly isCounted: boolean;
}

/** A request, with the provider's counts that decided which files fit. */
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
 * Keeps the last request of one chat in memory. While no input changes, all views and *Send* get this request. While
 * the user types, only the newest message changes: the last arrangement of blocks is reused with the new text.
 */
export class KeptRequest {
  #last: KnownRequest | null = null;

  /** Returns a request for these inputs. `keeps`: store a new request. `counts` is used only for a new request. */
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

/** Replaces the newest message with an equal object whose parts were already measured. */
function withKnownNewest(inputs: RequestInputs, known: SentMessage | undefined): RequestInputs {
  const { messages } = inputs;
  return known !== undefined && isDeepStrictEqual(messages.at(-1), known) ? { ...inputs, messages: messages.with(-1, known) } : inputs;
}

/** Returns whether the inputs give the known request again. Call it only if `isSameBefore` is true. */
function isWholeSame({ inputs, request, counts }: KnownRequest, now: RequestInputs): boolean {
  const { cacheParams } = request;
  // Finding the last response id searches all attempts. So search only if the request contains such an id.
  const isSameBase = !('previousResponseId' in cacheParams) || cacheParams.previousResponseId === now.previousResponseId();
  return inputs.messages.at(-1) === now.messages.at(-1) && isSameBase && counts.areCurrent();
}

/** Returns the last arrangement with the new text of the newest message, or null when other things changed too. */
function retexted({ inputs, arrangement, factory }: KnownRequest, now: RequestInputs): Arrangement | null {
  const newest = newestText(now);
  return newest !== null && newestText(inputs)?.id === newest.id ? withNewestText(arrangement, newest, factory) : null;
}

/** Returns whether two inputs differ at most in the newest message and the time. Most members are the same objects. */
function isSameBefore(last: RequestInputs, now: RequestInputs): boolean {
  return (Object.keys(now) as (keyof RequestInputs)[]).every((name) => {
    switch (name) {
      case 'messages':
        return isSameStart(last.messages, now.messages);
      case 'situation':
        return isSameSituation(last, now);
      case 'attempts':
        // Attempts are changed in place, but their ids and manifests never change.
        return last.attempts === now.attempts;
      case 'client':
        return last.client === now.client;
      case 'previousResponseId':
        // `isWholeSame` compares this member.
        return true;
      default:
        return last[name] === now[name] || isDeepStrictEqual(last[name], now[name]);
    }
  });
}

function isSameStart(last: readonly SentMessage[], now: readonly SentMessage[]): boolean {
  return last.length === now.length && now.every((message, at) => message === last[at] || at === now.length - 1);
}

/** Returns whether two situations are equal. The elapsed time matters only if a cached block expires in it. */
function isSameSituation({ situation: last, model }: ArrangeInput, { situation: now }: ArrangeInput): boolean {
  return isDeepStrictEqual({ ...last, idleMs: aliveIn(last, model) }, { ...now, idleMs: aliveIn(now, model) });
}

function aliveIn({ last, idleMs }: Situation, { capabilities }: Model): number {
  return last === null ? 0 : aliveBlocks(last, capabilities.cache, idleMs);
}
