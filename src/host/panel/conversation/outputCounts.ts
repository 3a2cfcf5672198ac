import { type ModelRef, modelKey } from '../../../engine/model/modelRef.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { type Calibration, UNCALIBRATED } from '../../../engine/tokens/calibration.js';
import { type Prices, priceOfReply } from '../../../engine/model/price.js';
import { ReplyCount } from '../../../engine/run/replyTokens.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import type { EntryView, OutputProgress } from '../../../protocol/panel/entries.js';
import type { ModelRegistry } from '../../models/registry.js';

/** Maximum number of replies with cached counts. A chat streams one reply, or two with another window. */
const KEPT_REPLIES = 4;

export interface OutputCountPorts {
  readonly models: Pick<ModelRegistry, 'counter' | 'list'>;
  calibration(ref: ModelRef): Calibration;
  /** Called when a token counter has been loaded, so that more counts can be shown. */
  changed(): void;
}

/** Counts the received tokens of streaming replies. Estimates are corrected by the calibration of the model. */
export class OutputCounts {
  readonly #ports: OutputCountPorts;
  /** Token counters by id; null while a counter is being loaded. */
  readonly #counters = new Map<string, TokenCounter | null>();
  readonly #replies = new Map<string, ReplyCount>();

  constructor(ports: OutputCountPorts) {
    this.#ports = ports;
  }

  /** Returns the counts of streaming entries that have text and a loaded counter. */
  derive(entries: readonly EntryView[], state: ChatState): OutputProgress[] {
    return entries.flatMap((entry) => {
      const attempt = entry.kind === 'assistant' && entry.status === 'streaming' ? state.attempts.get(entry.id) : undefined;
      const counter = attempt === undefined ? null : this.#counter(attempt.manifest.counter);
      return attempt === undefined || counter === null || attempt.reply.length === 0 ? [] : [this.#count(attempt, counter)];
    });
  }

  #count({ id, model: ref, manifest, reply }: AttemptState, counter: TokenCounter): OutputProgress {
    const { tokens, isExact } = this.#reply(id, counter).read(reply);
    const model = this.#ports.models.list().find((each) => modelKey(each.ref) === modelKey(ref));
    const capabilities = model?.capabilities;
    const isOwn = capabilities?.counterIsExact === true && capabilities.counter === manifest.counter && counter.id === manifest.counter;
    const { factor } = isOwn || counter === ROUGH_COUNTER ? UNCALIBRATED : this.#ports.calibration(ref);
    const count = Math.round(tokens * factor);
    const prices = model?.prices ?? null;
    const cost = costSoFar(manifest, count, prices);
    return { entryId: id, tokens: count, isEstimate: !isOwn || !isExact, cost, isPretended: prices?.isPretended === true };
  }

  #reply(id: string, counter: TokenCounter): ReplyCount {
    const known = this.#replies.get(id) ?? new ReplyCount(counter);
    this.#replies.set(id, known);
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > KEPT_REPLIES && oldest !== undefined) {
      this.#replies.delete(oldest);
    }
    return known;
  }

  #counter(id: string): TokenCounter | null {
    const known = this.#counters.get(id);
    if (known === undefined) {
      this.#counters.set(id, null);
      void this.#ports.models.counter(id).then((counter) => {
        this.#counters.set(id, counter);
        this.#ports.changed();
      });
    }
    return known ?? null;
  }
}

/** Returns the estimated cost of a streaming reply. Null when the price of the input or of the output is unknown. */
function costSoFar({ forecast, size }: AttemptState['manifest'], outputTokens: number, prices: Prices | null): number | null {
  const output = priceOfReply(outputTokens, size.tokens, prices);
  const input = forecast?.cost ?? null;
  return input === null || output === null ? null : input + output;
}
