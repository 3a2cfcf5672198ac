import { type ModelRef, modelKey } from '../../../engine/model/modelRef.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { TokenCounter } from '../../../engine/ports.js';
import { UNCALIBRATED, type Calibration } from '../../../engine/tokens/calibration.js';
import { ReplyCount } from '../../../engine/run/replyCount.js';
import { ROUGH_COUNTER } from '../../../engine/tokens/roughCounter.js';
import type { EntryView, OutputSoFar } from '../../../protocol/panel/view.js';
import type { ModelRegistry } from '../../models/registry.js';

/** Most replies whose counts are kept. A chat streams one at a time, or two when another window also answers. */
const KEPT_REPLIES = 4;

export interface OutputCountPorts {
  readonly models: Pick<ModelRegistry, 'counter' | 'list'>;
  calibration(ref: ModelRef): Calibration;
  /** A counter has been loaded, so more counts can be shown. */
  changed(): void;
}

/**
 * The tokens received so far of streaming replies. They are counted with the counter of their request, and corrected
 * like the estimate for usage that a provider does not report.
 */
export class OutputCounts {
  readonly #ports: OutputCountPorts;
  /** By counter id; null while the counter is being loaded. */
  readonly #counters = new Map<string, TokenCounter | null>();
  /** By attempt id. */
  readonly #replies = new Map<string, ReplyCount>();

  constructor(ports: OutputCountPorts) {
    this.#ports = ports;
  }

  /** The counts of those of `entries` that stream, once they have text and their counter is loaded. */
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
