import { type ModelRef, modelKey } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { TokenCounter } from '../../engine/ports.js';
import { UNCALIBRATED, type Calibration } from '../../engine/tokens/calibration.js';
import { ReplyCount } from '../../engine/tokens/replyCount.js';
import { ROUGH_COUNTER } from '../../engine/tokens/roughCounter.js';
import type { EntryView, OutputSoFar } from '../../protocol/view.js';
import type { ModelRegistry } from '../models.js';

/** Replies whose counts are kept: one streams in a chat at a time, two when another window is at work in it, too. */
const KEPT_REPLIES = 4;

export interface OutputCountPorts {
  readonly models: Pick<ModelRegistry, 'counter' | 'list'>;
  calibration(ref: ModelRef): Calibration;
  /** A counter has been loaded: there is more to show. */
  changed(): void;
}

/**
 * How many tokens of the replies that stream have arrived, counted with the counter of their requests and corrected
 * as the estimate is that stands in for usage that the provider does not report.
 */
export class OutputCounts {
  readonly #ports: OutputCountPorts;
  /** By id; null while one is being loaded. */
  readonly #counters = new Map<string, TokenCounter | null>();
  /** By the id of the attempt. */
  readonly #replies = new Map<string, ReplyCount>();

  constructor(ports: OutputCountPorts) {
    this.#ports = ports;
  }

  /** Of those among `entries` that stream. Nothing is shown of one before something of it and its counter are there. */
  derive(entries: readonly EntryView[], state: ChatState): OutputSoFar[] {
    return entries.flatMap((entry) => {
      const attempt = entry.kind === 'assistant' && entry.status === 'streaming' ? state.attempts.get(entry.id) : undefined;
      const counter = attempt === undefined ? null : this.#counter(attempt.manifest.counter);
      return attempt === undefined || counter === null || attempt.reply.length === 0 ? [] : [this.#count(attempt, counter)];
    });
  }

  #count({ id, model: ref, manifest, reply }: AttemptState, counter: TokenCounter): OutputSoFar {
    const { tokens, isExact } = this.#reply(id, counter).read(reply);
    const capabilities = this.#ports.models.list().find((model) => modelKey(model.ref) === modelKey(ref))?.capabilities;
    const isOwn = capabilities?.counterIsExact === true && capabilities.counter === manifest.counter && counter.id === manifest.counter;
    const { factor } = isOwn || counter === ROUGH_COUNTER ? UNCALIBRATED : this.#ports.calibration(ref);
    return { entryId: id, tokens: Math.round(tokens * factor), isEstimate: !isOwn || !isExact };
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
