import { isSameRef } from '../model/modelRef.js';
import type { AttemptState } from '../chat/slices/attempts.js';
import type { ChatState } from '../chat/state.js';
import { diagnose, type Diagnosis } from './diagnosis.js';
import { pastRequest, wasAnswered, type PastRequest } from '../request/pastRequest.js';
import { ManifestContents } from '../request/manifestContents.js';
import type { Model } from '../model/model.js';

/** Maximum number of earlier requests to read. Chats rarely send more within the longest cache lifetime (1 h). */
const MOST_EARLIER = 50;

type Chat = Pick<ChatState, 'attempts'>;

export interface DiagnosedAttempt {
  readonly request: PastRequest;
  readonly diagnosis: Diagnosis;
}

/** Explains the cost of requests, by the current prices and cache rules of their models. */
export class Diagnoses {
  readonly #models: () => readonly Model[];
  readonly #contents = new WeakMap<ChatState['attempts'], ManifestContents>();

  constructor(models: () => readonly Model[]) {
    this.#models = models;
  }

  /** Returns the diagnosis of an attempt. Null if its record, or an earlier record that it builds on, is unreadable. */
  of(chat: Chat, attempt: AttemptState): DiagnosedAttempt | null {
    return this.#diagnosed(this.upTo(chat, attempt), attempt);
  }

  /** Yields the diagnoses of attempts, in the order of the log. Reads the chat once, for speed. See `of`. */
  *ofEach({ attempts }: Chat, wanted: ReadonlySet<string>): Generator<readonly [AttemptState, DiagnosedAttempt | null]> {
    const before: AttemptState[] = [];
    for (const attempt of attempts.values()) {
      if (wanted.has(attempt.id)) {
        yield [attempt, this.#diagnosed(this.#read(attempts, [...earlierThan(before, attempt), attempt]), attempt)];
      }
      before.push(...(isCompared(attempt) ? [attempt] : []));
    }
  }

  #diagnosed(read: readonly PastRequest[], attempt: AttemptState): DiagnosedAttempt | null {
    const request = read.at(-1);
    if (request?.attempt.id !== attempt.id) {
      return null;
    }
    const model = this.modelOf(attempt);
    const known = model === null ? null : { rules: model.capabilities.cache, prices: model.prices };
    return { request, diagnosis: diagnose({ request, earlier: read.slice(0, -1), model: known }) };
  }

  /** Returns the requests for a comparison in sending order, with this request last. Omits unreadable requests. */
  upTo({ attempts }: Chat, attempt: AttemptState): readonly PastRequest[] {
    const all = [...attempts.values()];
    const before = all.slice(
      0,
      Math.max(
        0,
        all.findIndex(({ id }) => id === attempt.id),
      ),
    );
    return this.#read(attempts, [...earlierThan(before.filter(isCompared), attempt), attempt]);
  }

  /** Returns the model of an attempt, or null when the model no longer exists. */
  modelOf({ model }: Pick<AttemptState, 'model'>): Model | null {
    return this.#models().find(({ ref }) => isSameRef(ref, model)) ?? null;
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

/** Whether later requests are compared with a request. */
function isCompared(attempt: AttemptState): boolean {
  return (attempt.purpose === 'reply' || attempt.purpose === 'summary') && wasAnswered(attempt);
}

/** Returns the latest of the answered requests, and always the last request for a reply to the same model. */
function earlierThan(answered: readonly AttemptState[], { model }: AttemptState): readonly AttemptState[] {
  const latest = answered.slice(-MOST_EARLIER);
  const last = answered.findLast((each) => each.purpose === 'reply' && isSameRef(each.model, model));
  return last === undefined || latest.includes(last) ? latest : [last, ...latest];
}
