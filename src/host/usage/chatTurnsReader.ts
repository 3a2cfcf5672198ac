import { setImmediate } from 'node:timers/promises';
import { chatTurns, requestsByTurn, type CacheLoss, type ChatTurns, type RequestEffects } from '../../engine/accounting/chatTurns.js';
import type { PricesOf } from '../../engine/accounting/itemProof.js';
import { openingBy } from '../../engine/chat/message/opening.js';
import type { ChatState, WholeChat } from '../../engine/chat/state.js';
import { compactionIn, removedTokens, savedBySummary } from '../../engine/compaction/summarySavings.js';
import { possibleLosses } from '../../engine/diagnosis/cacheLosses.js';
import type { DiagnosedAttempt, Diagnoses } from '../../engine/diagnosis/diagnoses.js';
import { isUnbilled } from '../../engine/chat/billedUsage.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { ManifestContents } from '../../engine/request/manifestContents.js';
import { sizeOfInput } from '../../engine/request/pastRequest.js';
import { reasonOf } from '../request/verdict/verdictReasons.js';

export interface ChatTurnsPorts {
  /** Reads the whole chat. */
  readonly whole: (chatId: string) => Promise<WholeChat>;
  readonly diagnoses: Pick<Diagnoses, 'ofEach'>;
  readonly pricesOf: PricesOf;
}

/** The requests of a chat by turn, with what explains their cost. */
export interface ReadTurns extends ChatTurns {
  readonly chatId: string;
  readonly effects: RequestEffects;
  /** The beginning of each user message, by id. */
  readonly messages: ReadonlyMap<string, string>;
  /** Why each loss occurred, by attempt id. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Number of summaries that requests contained. */
  readonly summaries: number;
}

/** What is known of the requests of a chat. Ended requests never change, so each is examined once. */
interface ExaminedChat {
  readonly attempts: ChatState['attempts'];
  readonly contents: ManifestContents;
  /** Null for a request without a loss. */
  readonly losses: Map<string, (CacheLoss & { readonly reason: string }) | null>;
  /** The compaction whose summary a request contains, or null. */
  readonly compactions: Map<string, string | null>;
  /** The turns of the last reading, and the numbers that tell whether they are still true. */
  last: { readonly stamp: string; readonly read: ReadTurns } | null;
}

/** Number of requests to examine between two pauses. */
const AT_ONCE = 20;

/** Reads the turns of a chat. Keeps what it found in the latest chat. */
export class ChatTurnsReader {
  readonly #ports: ChatTurnsPorts;
  #examined: ExaminedChat | null = null;

  constructor(ports: ChatTurnsPorts) {
    this.#ports = ports;
  }

  async read(chatId: string): Promise<ReadTurns> {
    const state = await this.#ports.whole(chatId);
    const examined = this.#examinedOf(state);
    // A chat changes many times during a reply. Its turns change only when a request ends, or with the branch.
    const stamp = stampOf(state);
    if (examined.last?.stamp !== stamp) {
      examined.last = { stamp, read: await this.#readState(state, examined) };
    }
    return examined.last.read;
  }

  async #readState(state: WholeChat, examined: ExaminedChat): Promise<ReadTurns> {
    await this.#findLosses(state, examined);
    await findCompactions(state, examined);
    const losses = [...examined.losses.values()].filter((loss) => loss !== null);
    const effects = { losses: new Map(losses.map((loss) => [loss.attemptId, loss])), savings: this.#savings(state, examined) };
    return {
      ...chatTurns(requestsByTurn(state), effects, this.#ports.pricesOf),
      chatId: state.chatId,
      effects,
      messages: openings(state),
      reasons: new Map(losses.map(({ attemptId, reason }) => [attemptId, reason])),
      summaries: new Set([...examined.compactions.values()].filter((id) => id !== null)).size,
    };
  }

  #examinedOf({ attempts }: WholeChat): ExaminedChat {
    const known = this.#examined;
    if (known?.attempts === attempts) {
      return known;
    }
    this.#examined = { attempts, contents: new ManifestContents(attempts), losses: new Map(), compactions: new Map(), last: null };
    return this.#examined;
  }

  async #findLosses(state: WholeChat, { losses }: ExaminedChat): Promise<void> {
    const open = possibleLosses(state).filter(({ id }) => !losses.has(id));
    for (const [attempt, diagnosed] of this.#ports.diagnoses.ofEach(state, new Set(open.map(({ id }) => id)))) {
      losses.set(attempt.id, diagnosed === null ? null : lossOf(attempt, diagnosed));
      if (losses.size % AT_ONCE === 0) {
        await setImmediate();
      }
    }
  }

  #savings(state: WholeChat, { compactions }: ExaminedChat): ReadonlyMap<string, number | null> {
    const removed = removedTokens(state);
    const savings = new Map<string, number | null>();
    for (const [attemptId, compactionId] of compactions) {
      const attempt = state.attempts.get(attemptId);
      const tokens = removed.get(compactionId ?? '');
      if (attempt !== undefined && tokens !== undefined && !isUnbilled(attempt)) {
        savings.set(attemptId, savedBySummary(attempt, tokens, this.#ports.pricesOf(attempt.model)));
      }
    }
    return savings;
  }
}

function stampOf({ attempts, sideRequests, rewinds, timeline }: WholeChat): string {
  const ended = [...attempts.values()].filter(({ end }) => end !== null).length;
  return [ended, sideRequests.size, rewinds.size, timeline.length].join(' ');
}

/** Finds the summaries in the requests for replies. Reads no request of a chat without summaries. */
async function findCompactions({ attempts, compactions: all }: WholeChat, { contents, compactions }: ExaminedChat): Promise<void> {
  if (all.size === 0) {
    return;
  }
  let read = 0;
  for (const attempt of attempts.values()) {
    const { id, purpose, end, inheritedFrom } = attempt;
    if (purpose !== 'reply' || end === null || inheritedFrom !== null || compactions.has(id)) {
      continue;
    }
    read += 1;
    if (read % AT_ONCE === 0) {
      await setImmediate();
    }
    const content = contents.of(attempt);
    compactions.set(id, content === null ? null : compactionIn(content));
  }
}

function lossOf(attempt: AttemptState, { diagnosis, request }: DiagnosedAttempt): (CacheLoss & { readonly reason: string }) | null {
  const { again: tokens, cause, costHadHeld } = diagnosis;
  if (tokens === 0) {
    return null;
  }
  const paid = attempt.end?.cost?.usd ?? null;
  const usd = paid === null || costHadHeld === null || isUnbilled(attempt) ? null : paid - costHadHeld;
  const by = cause.kind === 'expired' ? 'expired' : cause.kind === 'compacted' ? 'summary' : 'other';
  return { attemptId: attempt.id, tokens, usd, by, reason: reasonOf(diagnosis, request, sizeOfInput(attempt)) };
}

function openings({ timeline, rewinds }: Pick<ChatState, 'timeline' | 'rewinds'>): ReadonlyMap<string, string> {
  const messages = [timeline, ...rewinds.values()].flatMap((branch) =>
    branch.flatMap((item) => (item.kind === 'message' && item.message.role === 'user' ? [item.message] : [])),
  );
  return new Map(messages.map((message) => [message.id, openingBy(message).preview]));
}
