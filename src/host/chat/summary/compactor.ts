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
import { failure, toLoupeError, type LoupeError, logFailure } from '../../../engine/errors.js';
import { SHUT_DOWN, STOP } from '../../../engine/run/input.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import { dropForRoom, keepBound } from './dropTurns.js';
import { findTopic, NO_TOPIC, type TopicPorts } from './findTopic.js';
import { SummaryPreview } from './summaryPreview.js';
import type { CompactionStatus } from './compactionStatus.js';
import { SummaryWork, summaryOfPlan, type SummaryWorkPorts } from './summaryWork.js';

export interface CompactorPorts extends SummaryWorkPorts, Pick<TopicPorts, 'composer'> {
  logError(error: LoupeError): void;
}

/** Pause in ms between a reply and the check whether the chat needs a summary. */
const CHECK_DELAY_MS = 500;

const OTHER_TOPIC = '(Loupe dropped the earlier messages, which were about another topic.)';

/** Decides when to summarize the conversation of a chat, and how much of it. The user can use the chat meanwhile. */
export class Compactor implements Behaviour {
  readonly #ports: CompactorPorts;
  readonly #work: SummaryWork;
  readonly preview: SummaryPreview;
  #checking: Promise<unknown> = Promise.resolve();
  /** Cancels the summary that makes room for a waiting message. Null while no message waits for room. */
  #room: AbortController | null = null;
  readonly #closing = new AbortController();
  /** Number of summaries in the chat when the user last declined an offer. Null before the first decline. */
  #declinedAt: number | null = null;

  constructor(ports: CompactorPorts) {
    this.#ports = ports;
    this.#work = new SummaryWork(ports);
    this.preview = new SummaryPreview(ports, this.#work);
  }

  get status(): CompactionStatus {
    return this.#work.status;
  }

  /** Whether the user declined the last offer. A new summary resets this to false. */
  get isDeclined(): boolean {
    return this.#declinedAt === this.#ports.log.state.compactions.size;
  }

  /** Whether a message is waiting for the current summary. */
  get isAwaited(): boolean {
    return this.#room !== null;
  }

  /**
   * Replaces the conversation up to message `upTo` (null: all of it) with a summary. Resolves when the summary is
   * applied or cancelled. Rejects with the failure and leaves the conversation unchanged.
   */
  summarize(upTo: string | null): Promise<void> {
    const { mostSummaryTokens: mostTokens } = compactionSettings(this.#ports.log.state.config);
    return this.#work.run(upTo, (signal) => this.#work.write({ upTo, policy: 'manual', mostTokens, runs: [] }, 'attended', signal));
  }

  /** Works like `summarize`, but logs a failure that the chat already shows instead of rejecting with it. */
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
   * Asks a model to shorten a user message that is too long to send, to at most `mostTokens`. Returns null when
   * cancelled. Rejects with the failure without showing it in the chat.
   */
  async shortenMessage(text: string, mostTokens: number): Promise<string | null> {
    try {
      return await this.#work.shorten(text, mostTokens);
    } catch (thrown) {
      this.#work.dismiss();
      throw thrown;
    }
  }

  requestComposed(): null {
    this.#forgetCancelled();
    return null;
  }

  turnEnded(): void {
    const { log, requests } = this.#ports;
    requests.readLatest(log.state).catch(logFailure(this.#ports));
    this.check();
  }

  /**
   * Summarizes when the chat settings require it. Call it after each run. A run without a reply needs no check. A
   * failure is shown in the chat, and the check after the next reply tries again.
   */
  check(): void {
    const status = lastRun(this.#ports.log.state)?.status;
    const hasReply = status === 'committed' || status === 'stopped';
    if (hasReply && this.#isWatched) {
      // The check after the previous reply may not have ended yet.
      this.#checking = Promise.all([this.#checking, this.#check().catch(logFailure(this.#ports))]);
    }
  }

  /** Resolves when all checks so far have ended, including the summaries that they started. */
  async settled(): Promise<void> {
    await this.#checking;
  }

  async #check(): Promise<void> {
    if (await this.#ports.requests.isFarFromFull(this.#ports.log.state)) {
      return;
    }
    // Waits, because a summary that appears together with the end of the reply looks like flicker.
    await this.#ports.clock.sleep(CHECK_DELAY_MS, this.#closing.signal);
    if (this.#mayBegin() && (await this.#isDue())) {
      await (this.#isOn ? this.#summarizeOrOffer() : this.#offer(null));
    }
  }

  /** Summarizes automatically. If the price needs approval, only offers a summary, because the user may be away. */
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
      await keepBound(this.#work, this.#mayBegin.bind(this));
    }
  }

  /**
   * Makes room for the next message if the chat settings allow it. Summarizes as much as needed. If the message still
   * does not fit, drops the oldest turns. An abort cancels the summary and drops nothing. Rejects only when no request
   * can be composed.
   */
  async makeRoom(signal: AbortSignal): Promise<void> {
    const room = new AbortController();
    const stop = (): void => void this.stop(signal.reason === SHUT_DOWN ? SHUT_DOWN : STOP);
    signal.addEventListener('abort', stop, { once: true });
    this.#setRoom(room);
    try {
      await this.#work.ended();
      if (this.#isOn && !room.signal.aborted) {
        await this.#summarizeForRoom(room.signal);
        await dropForRoom(this.#work, room.signal);
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

  /** Summarizes to make room. A failure is only logged, because the caller then drops the oldest turns. */
  async #summarizeForRoom(signal: AbortSignal): Promise<void> {
    const { settings, load, history, earlierSummary } = await this.#work.figures(null);
    const plan = plannedForRoom(history, settings, load, earlierSummary ?? 0);
    if (plan.case === 'none' || signal.aborted) {
      return;
    }
    // Closes an open preview, because the summary replaces the messages in the preview.
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

  /** Whether an automatic summary may start now. Check this again after each `await`. */
  #mayBegin(): boolean {
    return this.#isWatched && !this.#work.isRunning && !this.preview.isOpen && !this.#closing.signal.aborted;
  }

  get #isOn(): boolean {
    return this.#ports.log.isWritable && isAutomatic(this.#ports.log.state.config);
  }

  /** Whether Loupe checks if the chat needs a summary, and then writes or offers it, as the settings say. */
  get #isWatched(): boolean {
    const { log } = this.#ports;
    return log.isWritable && isWatched(log.state.config);
  }

  /** Offers a summary, unless the user declined the last offer. `why`: why Loupe does not write it automatically. */
  async #offer(why: string | null): Promise<void> {
    const { history, settings } = await this.#work.figures(null);
    const plan = plannedBy(history, settings, NO_TOPIC.begin);
    if (plan.case !== 'none' && !this.isDeclined && this.#mayBegin()) {
      const { to: upTo, messages, tokens, summaryTokens } = plan;
      this.#work.show({ kind: 'due', upTo, messages, tokens, summaryTokens, why });
    }
  }

  /** Returns whether a summary is needed. In a long chat, the loaded messages are enough to decide this. */
  async #isDue(): Promise<boolean> {
    const { load, settings } = await this.#ports.requests.next(this.#ports.log.state);
    return isDue(settings, load);
  }

  async #followPolicy(signal: AbortSignal): Promise<void> {
    const { state, settings, load, history } = await this.#work.figures(null);
    if (!isDue(settings, load)) {
      return;
    }
    const withoutTopic = plannedBy(history, settings, NO_TOPIC.begin);
    if (withoutTopic.case === 'summarize') {
      // Checks the price first, because asking a model for the topic costs money, too.
      await this.#work.refuseDear(summaryOfPlan(withoutTopic, settings, []), signal);
    }
    const topic = settings.policy === 'topic-boundary' ? await findTopic(state, history, { ...this.#ports, signal }) : NO_TOPIC;
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

  /** Works like `stop`, but the panel shows the cancelled summary until the next message. */
  async cancelOnShow(): Promise<void> {
    this.#room?.abort();
    await this.#work.stop(STOP);
  }

  /**
   * Ends the current summary with a reason from `run/input.ts`, and waits for its end. Loupe then sends or refuses a
   * message that waited for the summary. Shows no cancellation, because the caller shows the reason.
   */
  async stop(reason: string): Promise<void> {
    this.#room?.abort();
    if (reason === SHUT_DOWN) {
      this.#closing.abort();
    }
    await this.#work.stop(reason);
    this.#forgetCancelled();
    await (reason === SHUT_DOWN ? this.#checking : undefined);
  }

  /** Clears the status of a cancelled summary or a closed preview. */
  #forgetCancelled(): void {
    if (this.status?.kind === 'cancelled' || this.status?.kind === 'outdated') {
      this.#work.dismiss();
    }
  }

  /** Closes what the panel shows about a summary: a failure, a cancellation, an offer (now declined), the preview. */
  async dismiss(): Promise<void> {
    if (this.status?.kind === 'due') {
      this.#declinedAt = this.#ports.log.state.compactions.size;
    }
    await this.preview.close();
  }

  /**
   * Adds a fact that the current summary lost, word for word. Does nothing when the summary has the fact or is no
   * longer current. Throws `invalidInput` while another summary is being written.
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

  /** Undoes the latest summary, and removes the pin that the summary set. Throws `invalidInput` without a summary. */
  async undo(): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    await this.stop(STOP);
    const active = activeCompaction(log.state);
    if (active === null) {
      throw failure('chat.noSummary');
    }
    const { id: compactionId, pinned } = active;
    const unpinned = pinned === undefined || !log.state.pinned.has(pinned) ? [] : [{ type: 'unpinned', messageId: pinned } as const];
    await log.record([{ type: 'compaction-undone', compactionId }, ...unpinned], 'durable');
  }
}
