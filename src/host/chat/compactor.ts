import { newId } from '../../engine/chat/ids.js';
import { activeCompaction, type CompactionPolicy } from '../../engine/chat/slices/compaction.js';
import { findMessage } from '../../engine/chat/branch.js';
import { compacted } from '../../engine/compaction/checkpoint.js';
import { NO_PLAN } from '../../engine/compaction/plan.js';
import { plannedBy, plannedForRoom, plannedInEmergency } from '../../engine/compaction/policies.js';
import { compactionSettings, isAutomatic } from '../../engine/compaction/settings.js';
import { isDue } from '../../engine/compaction/triggers.js';
import type { ChatState } from '../../engine/chat/state.js';
import { compactionRange } from '../../engine/compaction/range.js';
import { failure, recordedError, toErrorRecord, toLoupeError, type ErrorRecord, type LoupeError } from '../../engine/errors.js';
import type { Clock, RandomHex } from '../../engine/ports.js';
import { SHUT_DOWN, STOP } from '../../engine/run/input.js';
import { summaryRun } from '../../engine/run/summaryRun.js';
import type { RunClaim } from '../../storage/runClaim.js';
import type { CheckpointText, SummaryRequests, SummarySource } from '../request/summaryRequests.js';
import { driveHousekeeping } from './driveHousekeeping.js';
import { findTopic, NO_TOPIC } from './findTopic.js';
import type { LogFollower } from './logFollower.js';
import type { SessionLog } from './sessionLog.js';

/** What goes on about the chat's summary; null when nothing does. */
export type CompactionStatus =
  | {
      readonly kind: 'running';
      readonly runId: string;
      /** Number of messages that it replaces. */
      readonly messages: number;
      /** Epoch milliseconds. */
      readonly startedAt: number;
      /** Most tokens of the summary. */
      readonly mostTokens: number;
    }
  | { readonly kind: 'failed'; readonly upTo: string | null; readonly error: ErrorRecord }
  | null;

export interface CompactorPorts {
  readonly log: SessionLog;
  readonly follower: Pick<LogFollower, 'poll' | 'whole'>;
  /** The claim to write the chat's summary: one window at a time pays for it. */
  readonly claim: Pick<RunClaim, 'take' | 'release'>;
  readonly requests: SummaryRequests;
  readonly clock: Clock;
  readonly random: RandomHex;
  logError(error: LoupeError): void;
}

/** What is to be replaced, and which policy wants it. */
interface Wanted {
  readonly upTo: string | null;
  readonly policy: CompactionPolicy;
}

/** Pause after a reply before the check, in ms: the reference's own. */
const CHECK_DELAY_MS = 500;

/** Stand for messages that were left out without a summary. */
const LEFT_OUT = {
  topic: '(Earlier messages about another topic were left out.)',
  emergency: '(Earlier messages were left out: they no longer fit into the context limit, and could not be summarized.)',
} as const;

/** Summarizes the conversation of one chat. One summary is written at a time; the chat can be used meanwhile. */
export class Compactor {
  readonly #ports: CompactorPorts;
  #running: { readonly abort: AbortController; readonly done: Promise<unknown> } | null = null;
  #status: CompactionStatus = null;
  #checking: Promise<void> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(ports: CompactorPorts) {
    this.#ports = ports;
  }

  get status(): CompactionStatus {
    return this.#status;
  }

  /**
   * Replaces the conversation up to message `upTo` by a summary; null replaces all of it. Resolves when the summary is in
   * place or was cancelled; rejects with the failure, and the conversation is as it was.
   */
  summarize(upTo: string | null): Promise<void> {
    return this.#work(upTo, (signal) => this.#summarize({ upTo, policy: 'manual' }, signal));
  }

  /** As `summarize`, for the panel, which shows a failure in the chat. Rejects only with what it does not show there. */
  async summarizeOnShow(upTo: string | null): Promise<void> {
    try {
      await this.summarize(upTo);
    } catch (thrown) {
      if (this.#status?.kind !== 'failed') {
        throw thrown;
      }
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /**
   * Summarizes when the chat's settings say that it is time. To be called after each reply; a failure is shown in the chat,
   * and the next reply tries again.
   */
  check(): void {
    this.#checking = this.#isOn ? this.#check() : this.#checking;
  }

  /** Resolves when the check after the last reply has ended, with all that it began. */
  async settled(): Promise<void> {
    await this.#checking;
  }

  async #check(): Promise<void> {
    const { clock } = this.#ports;
    try {
      if (await this.#ports.requests.isFarFromFull(this.#ports.log.state)) {
        return;
      }
      // A summary that is there at once would only flicker.
      await clock.sleep(CHECK_DELAY_MS, this.#closing.signal);
      if (this.#mayBegin() && (await this.#isDue())) {
        await this.#work(null, (signal) => this.#followPolicy(signal));
      }
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /**
   * Makes room for a message that is about to be sent: summarizes as much as it must, if the chat's settings allow it. When
   * that fails and the conversation is far too long, its beginning is left out instead. Never rejects: what still does not
   * fit is refused by the request.
   */
  async makeRoom(): Promise<void> {
    const { log, requests } = this.#ports;
    await this.#running?.done.catch(() => undefined);
    if (!this.#isOn) {
      return;
    }
    const settings = compactionSettings(log.state.config);
    const { policy } = settings;
    const { load, history } = await requests.next(await this.#complete());
    const plan = load.historyTokens > load.budget - load.fixedTokens ? plannedForRoom(history, settings, load) : NO_PLAN;
    if (plan.case === 'none') {
      return;
    }
    try {
      await this.#work(plan.to, (signal) => this.#summarize({ upTo: plan.to, policy }, signal));
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      const emergency = plannedInEmergency(history, settings, load);
      if (emergency.case !== 'none') {
        await this.#put({ upTo: emergency.to, policy }, 'emergency', (source) => source.leftOut(LEFT_OUT.emergency));
        this.#set(null);
      }
    }
  }

  /** Asked anew after each wait. */
  #mayBegin(): boolean {
    return this.#isOn && this.#running === null && !this.#closing.signal.aborted;
  }

  get #isOn(): boolean {
    return this.#ports.log.isWritable && isAutomatic(this.#ports.log.state.config);
  }

  /** The chat with all that the next request may send. */
  async #complete(): Promise<ChatState> {
    const { log, follower } = this.#ports;
    return compacted(log.state).lacksSome ? follower.whole() : log.state;
  }

  /** The loaded end of a long chat is enough: a request that has room for more has had more read. */
  async #isDue(): Promise<boolean> {
    const { state } = this.#ports.log;
    const { load } = await this.#ports.requests.next(state);
    return isDue(compactionSettings(state.config), load);
  }

  /** Does what the chat's policy wants now. */
  async #followPolicy(signal: AbortSignal): Promise<void> {
    const state = await this.#complete();
    const settings = compactionSettings(state.config);
    const { policy } = settings;
    const { load, history } = await this.#ports.requests.next(state);
    if (!isDue(settings, load)) {
      return;
    }
    const topic = policy === 'topic-boundary' ? await findTopic(state, history, { ...this.#ports, signal }) : NO_TOPIC;
    const plan = signal.aborted ? NO_PLAN : plannedBy(history, settings, topic.begin);
    if (plan.case === 'truncate') {
      await this.#put({ upTo: plan.to, policy }, 'truncate', (source) => source.leftOut(LEFT_OUT.topic));
    } else if (plan.case === 'summarize' && topic.summaryTo(plan.to) !== null) {
      await this.#put({ upTo: plan.to, policy }, 'summarize', (source) => source.finish(topic.summaryTo(plan.to) ?? ''));
    } else if (plan.case === 'summarize') {
      await this.#summarize({ upTo: plan.to, policy }, signal);
    }
  }

  /** Replaces a part of the conversation by a text that needs no request. */
  async #put({ upTo, policy }: Wanted, what: string, textOf: (source: SummarySource) => CheckpointText): Promise<void> {
    const { log, requests, clock, random } = this.#ports;
    const state = await this.#complete();
    const range = compactionRange(state, upTo);
    const { text, lines, tokens } = textOf(await requests.source(state, range));
    const summaryId = newId(clock, random);
    const compaction = { id: newId(clock, random), policy, case: what, from: range.from, to: range.to, summaryId, tokens, lines };
    await log.record(
      [
        { type: 'message', runId: null, message: { role: 'summary', id: summaryId, text } },
        { type: 'compacted', runId: null, compaction },
      ],
      'durable',
    );
  }

  /** Works on the summary: one work at a time, in one window. A failure is shown until the next one. */
  async #work(upTo: string | null, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#ports.log.checkWritable();
    if (this.#running !== null) {
      throw failure('chat.summarizing');
    }
    const abort = new AbortController();
    const done = this.#claimed(() => work(abort.signal));
    this.#running = { abort, done };
    try {
      await done;
      this.#set(null);
    } catch (thrown) {
      const error = toLoupeError(thrown);
      this.#set(error.isHarmless ? null : { kind: 'failed', upTo, error: toErrorRecord(error) });
      throw error;
    } finally {
      this.#running = null;
    }
  }

  /** Cancels the summary that is being written, and waits for its end. Does nothing without one. */
  async cancel(): Promise<void> {
    await this.#end(STOP);
  }

  async shutDown(): Promise<void> {
    this.#closing.abort();
    await this.#end(SHUT_DOWN);
    await this.#checking;
  }

  /** Forgets a failure that the user has seen. */
  dismiss(): void {
    if (this.#running === null) {
      this.#set(null);
    }
  }

  /** Sends again what the latest summary replaced; what came after it stays. Throws `invalidInput` without a summary. */
  async undo(): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    await this.cancel();
    const active = activeCompaction(log.state);
    if (active === null) {
      throw failure('chat.noSummary');
    }
    await log.record([{ type: 'compaction-undone', compactionId: active.id }], 'durable');
  }

  async #end(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    // The caller of `summarize` gets the error.
    await this.#running?.done.catch(() => undefined);
  }

  #set(status: CompactionStatus): void {
    this.#status = status;
    this.#ports.log.changed('state');
  }

  async #claimed(work: () => Promise<void>): Promise<void> {
    const { claim, follower } = this.#ports;
    if (!(await claim.take())) {
      throw failure('chat.summarizingElsewhere');
    }
    try {
      await follower.poll();
      await work();
    } finally {
      await claim.release();
    }
  }

  async #summarize({ upTo, policy }: Wanted, signal: AbortSignal): Promise<void> {
    const { log, follower, requests, clock, random } = this.#ports;
    const state =
      compacted(log.state).lacksSome || (upTo !== null && findMessage(log.state, upTo) === null) ? await follower.whole() : log.state;
    const range = compactionRange(state, upTo);
    const source = await requests.source(state, range);
    const runId = newId(clock, random);
    this.#set({ kind: 'running', runId, messages: range.messages.length, startedAt: clock.now(), mostTokens: source.mostTokens });
    const steps = summaryRun(
      {
        runId,
        asks: { id: newId(clock, random), text: source.instruction },
        parts: source.parts,
        prepare: (attemptId, part, soFar) => source.prepare(attemptId, { part, soFar }),
        finish: (summary) => {
          const { text, lines, tokens } = source.finish(summary);
          const compaction = {
            id: newId(clock, random),
            from: range.from,
            to: range.to,
            policy,
            case: 'summarize',
            lines,
            tokens,
          } as const;
          return { text, events: (summaryId) => [{ type: 'compacted', runId, compaction: { ...compaction, summaryId } }] };
        },
        signal,
      },
      { clock, random },
    );
    const outcome = await driveHousekeeping(runId, steps, this.#ports);
    if (outcome.outcome === 'failed') {
      throw recordedError(outcome.error);
    }
  }
}
