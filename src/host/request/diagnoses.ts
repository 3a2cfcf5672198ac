import { modelKey } from '../../engine/chat/config.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import { diagnose, type Diagnosis } from '../../engine/diagnosis/diagnosis.js';
import { pastRequest, wasAnswered, type PastRequest } from '../../engine/diagnosis/pastRequest.js';
import { ManifestContents } from '../../engine/request/manifestContents.js';
import type { Model } from '../../engine/run/model.js';

/** Requests before one that are looked at: many for the hour that the longest entries live, and few enough to wait for. */
const MOST_EARLIER = 50;

type Chat = Pick<ChatState, 'attempts'>;

export interface DiagnosedAttempt {
  readonly request: PastRequest;
  readonly diagnosis: Diagnosis;
}

/** Why the requests of chats cost what they did, by the prices and rules that their models have now. */
export class Diagnoses {
  readonly #models: () => readonly Model[];
  readonly #contents = new WeakMap<ChatState['attempts'], ManifestContents>();

  constructor(models: () => readonly Model[]) {
    this.#models = models;
  }

  /** Null where its record, or that of all requests before it, cannot be read. */
  of({ attempts }: Chat, attempt: AttemptState): DiagnosedAttempt | null {
    const all = [...attempts.values()];
    const at = all.findIndex(({ id }) => id === attempt.id);
    // In the order in which they were sent: each is recorded as a difference to the one before.
    const earlier = this.#read(attempts, earlierThan(all.slice(0, at), attempt));
    const [request] = this.#read(attempts, [attempt]);
    if (request === undefined) {
      return null;
    }
    const model = this.modelOf(attempt);
    const diagnosis = diagnose({
      request,
      earlier,
      model: model === null ? null : { rules: model.capabilities.cache, prices: model.prices },
    });
    return { request, diagnosis };
  }

  /** Null for a model that is gone. */
  modelOf({ model }: Pick<AttemptState, 'model'>): Model | null {
    return this.#models().find(({ ref }) => modelKey(ref) === modelKey(model)) ?? null;
  }

  #read(attempts: ChatState['attempts'], wanted: readonly AttemptState[]): readonly PastRequest[] {
    const contents = this.#contents.get(attempts) ?? new ManifestContents(attempts);
    this.#contents.set(attempts, contents);
    return wanted.flatMap((attempt) => {
      const content = contents.of(attempt);
      return content === null ? [] : [pastRequest(attempt, content)];
    });
  }
}

/** The last requests that were answered, and of those to the model at least the last. */
function earlierThan(before: readonly AttemptState[], { model }: AttemptState): readonly AttemptState[] {
  const answered = before.filter((each) => (each.purpose === 'reply' || each.purpose === 'summary') && wasAnswered(each));
  const latest = answered.slice(-MOST_EARLIER);
  const last = answered.findLast((each) => each.purpose === 'reply' && modelKey(each.model) === modelKey(model));
  return last === undefined || latest.includes(last) ? latest : [last, ...latest];
}
