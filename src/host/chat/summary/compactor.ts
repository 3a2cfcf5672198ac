import { lastRun } from '../../../engine/chat/branch.js';
import { activeCompaction } from '../../../engine/chat/slices/compaction.js';
import { splitAtCheckpoint } from '../../../engine/chat/checkpoint.js';
import { lostFacts } from '../../../engine/compaction/facts/facts.js';
import { NO_PLAN } from '../../../engine/compaction/plan.js';
import { plannedBy, plannedForRoom } from '../../../engine/compaction/policies/policies.js';
import { replacedMessages } from '../../../engine/compaction/range.js';
import { compactionSettings, isAutomatic, isWatched } from '../../../engine/compaction/settings.js';
import { withLine } from '../../../engine/compaction/facts/survivors.js';
import { isDue } from '../../../engine/compaction/policies/triggers.js';
import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { SHUT_DOWN, STOP } from '../../../engine/run/input.js';
import { dropForRoom, keepBound } from './dropTurns.js';
import { findTopic, NO_TOPIC } from './findTopic.js';
import { SummaryPreview } from './summaryPreview.js';
import type { CompactionStatus } from './compactionStatus.js';
import { SummaryWork, summaryOfPlan, type SummaryWorkPorts } from './summaryWork.js';

export interface CompactorPorts extends SummaryWorkPorts {
  logError(error: LoupeError): void;
}

/** Pause after a reply until the check, in ms. Same as in the reference implementation. */
const CHECK_DELAY_MS = 500;

const OTHER_TOPIC = '(Earlier messages about another topic were left out.)';

/** Decides when the conversation of one chat is summarized, and how much of it. The chat stays usable meanwhile. */
export class Compactor {
  readonly #ports: CompactorPorts;
  readonly #work: SummaryWork;
  readonly preview: SummaryPreview;
  #checking: Promise<unknown> = Promise.resolve();
  /** Aborts the wait of a message for room. Null while no message waits. */
  #room: AbortController | null = null;
  readonly #closing = new AbortController();
  /** The chat's number of compactions when the user last declined one, or null. */
  #declinedAt: number | null = null;

  constructor(ports: CompactorPorts) {
    this.#ports = ports;
    this.#work = new SummaryWork(ports);
    this.preview = new SummaryPreview(ports, this.#work);
  }

  get status(): CompactionStatus {
    return this.#work.status;
  }

  /** Whether the user declined the last offer. Another summary resets this. */
  get isDeclined(): boolean {
    return this.#declinedAt === this.#ports.log.state.compactions.size;
  }

  /** Whether a message waits for the summary to be sent. */
  get isAwaited(): boolean {
    return this.#room !== null;
  }

  /**
   * Replaces the conversation up to message `upTo` (null: all of it) with a summary. Resolves when it is in use or
   * cancelled. Rejects with the failure and leaves the conversation unchanged.
   */
  summarize(upTo: string | null): Promise<void> {
    const { mostSummaryTokens: mostTokens } = compactionSettings(this.#ports.log.state.config);
    return this.#work.run(upTo, (signal) => this.#work.write({ upTo, policy: 'manual', mostTokens, runs: [] }, 'attended', signal));
  }

  /** Works like `summarize`, but does not reject with failures that the chat already shows. */
  async summarizeOnShow(upTo: string | null): Promise<void> {
    try {
      await this.summarize(upTo);
    } catch (thrown) {
      if (this.status?.kind !== 'failed') {
        throw thrown;
      }
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /**
   * Lets a model shorten a user message that is too long to send, to at most `mostTokens`. Returns null when cancelled.
   * Rejects with the failure without showing it.
   */
  async shortenMessage(text: string, mostTokens: number): Promise<string | null> {
    try {
      return await this.#work.shorten(text, mostTokens);
    } catch (thrown) {
      this.#work.dismiss();
      throw thrown;
    }
  }

  /**
   * Summarizes when the chat settings require it. Call it after each run; a run without a reply leaves nothing to
   * summarize. A failure is shown in the chat, and the next reply tries again.
   */
  check(): void {
    const status = lastRun(this.#ports.log.state)?.status;
    const hasReply = status === 'committed' || status === 'stopped';
    if (hasReply && this.#isWatched) {
      // The check after the previous reply may still be running.
      this.#checking = Promise.all([this.#checking, this.#check()]);
    }
  }

  /** Resolves when all checks so far have ended, including the work that they started. */
  async settled(): Promise<void> {
    await this.#checking;
  }

  async #check(): Promise<void> {
    const { clock } = this.#ports;
    try {
      if (await this.#ports.requests.isFarFromFull(this.#ports.log.state)) {
        return;
      }
      // A summary that appears immediately would flicker.
      await clock.sleep(CHECK_DELAY_MS, this.#closing.signal);
      if (!this.#mayBegin() || !(await this.#isDue())) {
        return;
      }
      await (this.#isOn ? this.#summarizeOrOffer() : this.#offer(null));
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /** Summarizes automatically. If the cost needs approval, offers the summary instead, because the user may be away. */
  async #summarizeOrOffer(): Promise<void> {
    try {
      await this.#work.run(null, (signal) => this.#followPolicy(signal));
    } catch (thrown) {
      const { code, message } = toLoupeError(thrown);
      if (code === 'spend.summaryNotAsked') {
        await this.#offer(message);
        return;
      }
      this.#ports.logError(toLoupeError(thrown));
      await keepBound(this.#ports, this.#work, this.#mayBegin.bind(this));
    }
  }

  /**
   * Makes room for the next message if the chat settings allow it: summarizes as much as needed, then drops the oldest
   * turns if it still does not fit. An abort cancels the summary and drops nothing. Rejects only when no request can be
   * composed.
   */
  async makeRoom(signal: AbortSignal): Promise<void> {
    const room = new AbortController();
    const stop = (): void => void this.#end(signal.reason === SHUT_DOWN ? SHUT_DOWN : STOP);
    signal.addEventListener('abort', stop, { once: true });
    this.#setRoom(room);
    try {
      await this.#work.ended();
      if (this.#isOn && !room.signal.aborted) {
        await this.#summarizeForRoom(room.signal);
        await dropForRoom(this.#ports, this.#work, room.signal);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#setRoom(null);
    }
  }

  #setRoom(room: AbortController | null): void {
    this.#room = room;
    this.#ports.log.changed('state');
  }

  /** Summarizes to make room. A failure is logged, and the oldest turns are dropped later. */
  async #summarizeForRoom(signal: AbortSignal): Promise<void> {
    const { log, requests } = this.#ports;
    const settings = compactionSettings(log.state.config);
    const { load, history, earlierSummary } = await requests.next(await this.#work.complete(null));
    const plan = plannedForRoom(history, settings, load, earlierSummary ?? 0);
    if (plan.case === 'none' || signal.aborted) {
      return;
    }
    // An open preview would no longer show what is replaced, so it is closed.
    const closesPreview = this.preview.isOpen;
    await this.preview.close();
    try {
      await this.#work.run(plan.to, (working) => this.#work.write(summaryOfPlan(plan, settings, []), 'attended', working));
      if (closesPreview && this.status === null) {
        this.#work.show({ kind: 'outdated', madeRoom: true });
      }
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /** Whether automatic work may start now. Checked again after each wait. */
  #mayBegin(): boolean {
    return this.#isWatched && !this.#work.isRunning && !this.preview.isOpen && !this.#closing.signal.aborted;
  }

  get #isOn(): boolean {
    return this.#ports.log.isWritable && isAutomatic(this.#ports.log.state.config);
  }

  /** Whether to check if a summary is needed. Loupe then writes it, or asks the user each time. */
  get #isWatched(): boolean {
    const { log } = this.#ports;
    return log.isWritable && isWatched(log.state.config);
  }

  /** Offers a needed summary, unless the user declined one since the last. `why` says why it is not automatic. */
  async #offer(why: string | null): Promise<void> {
    const state = await this.#work.complete(null);
    const settings = compactionSettings(state.config);
    const { history } = await this.#ports.requests.next(state);
    const plan = plannedBy(history, settings, NO_TOPIC.begin);
    if (plan.case !== 'none' && !this.isDeclined && this.#mayBegin()) {
      const { to: upTo, messages, tokens, summaryTokens } = plan;
      this.#work.show({ kind: 'due', upTo, messages, tokens, summaryTokens, why });
    }
  }

  /** Returns whether a summary is needed. The loaded end of a long chat is enough to decide this. */
  async #isDue(): Promise<boolean> {
    const { state } = this.#ports.log;
    const { load } = await this.#ports.requests.next(state);
    return isDue(compactionSettings(state.config), load);
  }

  async #followPolicy(signal: AbortSignal): Promise<void> {
    const state = await this.#work.complete(null);
    const settings = compactionSettings(state.config);
    const { policy } = settings;
    const { load, history } = await this.#ports.requests.next(state);
    if (!isDue(settings, load)) {
      return;
    }
    const withoutTopic = plannedBy(history, settings, NO_TOPIC.begin);
    if (withoutTopic.case === 'summarize') {
      // Checked before any cost arises from finding the topic.
      await this.#work.refuseDear(summaryOfPlan(withoutTopic, settings, []), signal);
    }
    const topic = policy === 'topic-boundary' ? await findTopic(state, history, { ...this.#ports, signal }) : NO_TOPIC;
    const plan = signal.aborted ? NO_PLAN : plannedBy(history, settings, topic.begin);
    const runs = topic.runId === null ? [] : [topic.runId];
    if (plan.case === 'truncate') {
      await this.#work.put(summaryOfPlan(plan, settings, runs), 'truncate', (texts) => texts.leftOut(OTHER_TOPIC));
    } else if (plan.case === 'summarize' && topic.summaryTo(plan.to) !== null) {
      await this.#work.put(summaryOfPlan(plan, settings, runs), 'summarize', (texts) => texts.finish(topic.summaryTo(plan.to) ?? ''));
    } else if (plan.case === 'summarize') {
      await this.#work.write(summaryOfPlan(plan, settings, runs), 'unattended', signal);
    }
  }

  /** Cancels the current summary and waits for its end. A message that waits for it is then sent or refused. */
  async cancel(): Promise<void> {
    await this.#end(STOP);
  }

  /** Works like `cancel`, for the panel, which shows the cancellation until the next message. */
  async cancelOnShow(): Promise<void> {
    this.#room?.abort();
    await this.#work.stop(STOP);
  }

  /** Ends the work with a reason from `run/input.ts`. Shows no cancellation, because the caller reports the reason. */
  async #end(reason: string): Promise<void> {
    this.#room?.abort();
    await this.#work.stop(reason);
    this.forgetCancelled();
  }

  /** Clears the status of a cancelled summary or a closed preview. Call it when the chat continues. */
  forgetCancelled(): void {
    if (this.status?.kind === 'cancelled' || this.status?.kind === 'outdated') {
      this.#work.dismiss();
    }
  }

  async shutDown(): Promise<void> {
    this.#closing.abort();
    await this.#work.stop(SHUT_DOWN);
    await this.#checking;
  }

  /** Clears a failure or a cancellation that the user has seen, declines an offer, or closes the preview. */
  async dismiss(): Promise<void> {
    if (this.status?.kind === 'due') {
      this.#declinedAt = this.#ports.log.state.compactions.size;
    }
    await this.preview.close();
  }

  /**
   * Adds a lost fact to the text of the summary in use, word for word. Does nothing when the text has it, or the
   * summary is no longer in use. Throws `invalidInput` while another summary is being written.
   */
  async restoreFact(summaryId: string, fact: string): Promise<void> {
    const { log, follower } = this.#ports;
    log.checkWritable();
    if (this.#work.isRunning) {
      throw failure('chat.summarizing');
    }
    const active = activeCompaction(log.state);
    const { checkpoint } = splitAtCheckpoint(log.state);
    if (active === null || checkpoint === null || active.summaryId !== summaryId) {
      return;
    }
    const replaced = replacedMessages(active, log.state) ?? replacedMessages(active, await follower.whole()) ?? [];
    if (lostFacts(replaced, checkpoint.text).some(({ text }) => text === fact)) {
      const { isUndone: _, ...compaction } = active;
      await this.#work.rewrite(compaction, withLine({ text: checkpoint.text, lines: active.lines }, fact));
    }
  }

  /** Undoes the latest summary, and the pin that it made. Throws `invalidInput` without a summary. */
  async undo(): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    await this.cancel();
    const active = activeCompaction(log.state);
    if (active === null) {
      throw failure('chat.noSummary');
    }
    const { id: compactionId, pinned } = active;
    const unpinned = pinned === undefined || !log.state.pinned.has(pinned) ? [] : [{ type: 'unpinned', messageId: pinned } as const];
    await log.record([{ type: 'compaction-undone', compactionId }, ...unpinned], 'durable');
  }
}
