import { isDeepStrictEqual } from 'node:util';
import { arrange, newestText, withNewestText, type ArrangeInput, type Arrangement } from '../../../engine/request/arrange.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import type { BlockFactory } from '../../../engine/request/blockFactory.js';
import { aliveBlocks } from '../../../engine/request/layout/adaptive/sentSequence.js';
import type { Situation } from '../../../engine/request/layout/situation.js';
import type { Model } from '../../../engine/model/model.js';

interface KnownArrangement {
  readonly input: ArrangeInput;
  readonly factory: BlockFactory;
  readonly arrangement: Arrangement;
}

/**
 * Arranges the requests of one chat. While the user types, only the newest message changes, so the last arrangement is
 * reused with the new text.
 */
export class LastArrangement {
  #last: KnownArrangement | null = null;

  of(input: ArrangeInput, factory: BlockFactory): Arrangement {
    const kept = this.#kept(input, factory);
    if (kept !== null) {
      return kept;
    }
    const arrangement = arrange(input, factory);
    this.#last = { input, factory, arrangement };
    return arrangement;
  }

  /** Returns null when more than the text of the newest message has changed. */
  #kept(input: ArrangeInput, factory: BlockFactory): Arrangement | null {
    const newest = newestText(input);
    const last = this.#last;
    return newest !== null && last?.factory === factory && newestText(last.input)?.id === newest.id && isSameBefore(last.input, input)
      ? withNewestText(last.arrangement, newest, factory)
      : null;
  }
}

/** Whether two inputs are equal, except for the newest message's text and the time. Most members are identical. */
function isSameBefore(last: ArrangeInput, now: ArrangeInput): boolean {
  return (Object.keys(now) as (keyof ArrangeInput)[]).every((name) => {
    switch (name) {
      case 'messages':
        return isSameStart(last.messages, now.messages);
      case 'situation':
        return isSameSituation(last, now);
      case 'attempts':
        // Attempts change in place, but their ids and manifests do not.
        return last.attempts === now.attempts;
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
