import { lastRun } from '../../../engine/chat/branch.js';
import { activeCompaction } from '../../../engine/chat/slices/compaction.js';
import { divided } from '../../../engine/chat/checkpoint.js';
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
import { SummaryWork, wantedBy, type SummaryWorkPorts } from './summaryWork.js';

export interface CompactorPorts extends SummaryWorkPorts {
  logError(error: LoupeError): void;
}

/** Pause after a reply before the check, in ms: the reference's own. */
const CHECK_DELAY_MS = 500;

/** Replaces messages about an earlier topic. */
const OTHER_TOPIC = '(Earlier messages about another topic were left out.)';

/** Decides when the conversation of one chat is summarized, and how much of it. The chat can be used meanwhile. */
export class Compactor {
  readonly #ports: CompactorPorts;
  readonly #work: SummaryWork;
  /** A summary that the user looks at before it is used. */
  readonly preview: SummaryPreview;
  #checking: Promise<unknown> = Promise.resolve();
  /** Aborts the wait of a message for room; null while no message waits. */
  #room: AbortController | null = null;
  readonly #closing = new AbortController();
  /** Number of the chat's compactions when the user declined one; null when that was never. */
  #declinedAt: number | null = null;

  constructor(ports: CompactorPorts) {
    this.#ports = ports;
    this.#work = new SummaryWork(ports);
    this.preview = new SummaryPreview(ports, this.#work);
  }

  get status(): CompactionStatus {
    return this.#work.status;
  }

  /** Whether the user has put off the summary that is due. The next one is offered after a summary of theirs. */
  get isDeclined(): boolean {
    return this.#declinedAt === this.#ports.log.state.compactions.size;
  }

  /** Whether a message is sent as soon as the summary is there. */
  get isAwaited(): boolean {
    return this.#room !== null;
  }

  /**
   * Replaces the conversation up to message `upTo` by a summary; null replaces all of it. Resolves when the summary is in
   * place or was cancelled; rejects with the failure, and the conversation is as it was.
   */
  summarize(upTo: string | null): Promise<void> {
    const { mostSummaryTokens: mostTokens } = compactionSettings(this.#ports.log.state.config);
    return this.#work.run(upTo, (signal) => this.#work.write({ upTo, policy: 'manual', mostTokens, runs: [] }, 'attended', signal));
  }

  /** As `summarize`, for the panel, which shows a failure in the chat. Rejects only with what it does not show there. */
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
   * Has a message of the user shortened that is too long to be sent, to at most `mostTokens`; null when that was cancelled. Rejects
   * with the failure, and shows none of its own. Nothing is sent instead of the message.
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
   * Summarizes when the chat's settings say that it is time. To be called after each run: one without a reply has said why,
   * and left nothing to summarize. A failure is shown in the chat, and the next reply tries again.
   */
  check(): void {
    const status = lastRun(this.#ports.log.state)?.status;
    const hasReply = status === 'committed' || status === 'stopped';
    if (hasReply && this.#isWatched) {
      // The check after the reply before may still go on.
      this.#checking = Promise.all([this.#checking, this.#check()]);
    }
  }

  /** Resolves when the checks after the replies so far have ended, with all that they began. */
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
      if (!this.#mayBegin() || !(await this.#isDue())) {
        return;
      }
      await (this.#isOn ? this.#summarizeOrOffer() : this.#offer(null));
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /** Summarizes by itself; what costs more than is spent without a word is offered instead: nobody may be there to answer a question. */
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
   * Makes room for a message that is about to be sent, if the chat's settings allow it: summarizes as much as it must; where no summary
   * comes of that, or not enough room, drops the oldest exchanges. An abort of the signal ends the summary, as a cancel does, and then
   * nothing is dropped. Rejects only where no request can be composed: what still does not fit is refused by the request.
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

  /** A failure is logged: the oldest exchanges are dropped then. */
  async #summarizeForRoom(signal: AbortSignal): Promise<void> {
    const { log, requests } = this.#ports;
    const settings = compactionSettings(log.state.config);
    const { load, history, earlierSummary } = await requests.next(await this.#work.complete(null));
    const plan = plannedForRoom(history, settings, load, earlierSummary ?? 0);
    if (plan.case === 'none' || signal.aborted) {
      return;
    }
    // What the user looks at would no longer be what is replaced.
    const closesPreview = this.preview.isOpen;
    await this.preview.close();
    try {
      await this.#work.run(plan.to, (working) => this.#work.write(wantedBy(plan, settings, []), 'attended', working));
      if (closesPreview && this.status === null) {
        this.#work.show({ kind: 'outdated', madeRoom: true });
      }
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /** Asked anew after each wait. */
  #mayBegin(): boolean {
    return this.#isWatched && !this.#work.isRunning && !this.preview.isOpen && !this.#closing.signal.aborted;
  }

  get #isOn(): boolean {
    return this.#ports.log.isWritable && isAutomatic(this.#ports.log.state.config);
  }

  /** Whether somebody wants to know that a summary is due: Loupe, or the user who is asked each time. */
  get #isWatched(): boolean {
    const { log } = this.#ports;
    return log.isWritable && isWatched(log.state.config);
  }

  /** Says that a summary is due, unless the user has declined one since the last. `why` says why it does not happen by itself; null where the user wants that. */
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

  /** The loaded end of a long chat is enough: a request that has room for more has had more read. */
  async #isDue(): Promise<boolean> {
    const { state } = this.#ports.log;
    const { load } = await this.#ports.requests.next(state);
    return isDue(compactionSettings(state.config), load);
  }

  /** Does what the chat's policy wants now. */
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
      // Before anything is spent on finding the topic.
      await this.#work.refuseDear(wantedBy(withoutTopic, settings, []), signal);
    }
    const topic = policy === 'topic-boundary' ? await findTopic(state, history, { ...this.#ports, signal }) : NO_TOPIC;
    const plan = signal.aborted ? NO_PLAN : plannedBy(history, settings, topic.begin);
    const runs = topic.runId === null ? [] : [topic.runId];
    if (plan.case === 'truncate') {
      await this.#work.put(wantedBy(plan, settings, runs), 'truncate', (texts) => texts.leftOut(OTHER_TOPIC));
    } else if (plan.case === 'summarize' && topic.summaryTo(plan.to) !== null) {
      await this.#work.put(wantedBy(plan, settings, runs), 'summarize', (texts) => texts.finish(topic.summaryTo(plan.to) ?? ''));
    } else if (plan.case === 'summarize') {
      await this.#work.write(wantedBy(plan, settings, runs), 'unattended', signal);
    }
  }

  /**
   * Cancels the summary that is being written, and waits for its end; a message that waits for it is sent, or refused, without.
   * Does nothing without one.
   */
  async cancel(): Promise<void> {
    await this.#end(STOP);
  }

  /** As `cancel`, for the panel, which tells that it was cancelled until the next message. */
  async cancelOnShow(): Promise<void> {
    this.#room?.abort();
    await this.#work.stop(STOP);
  }

  /** Ends the work for one of the reasons of `run/input.ts`. What ended it tells of itself. */
  async #end(reason: string): Promise<void> {
    this.#room?.abort();
    await this.#work.stop(reason);
    this.forgetCancelled();
  }

  /** To be called when the chat goes on after a summary that was cancelled, or whose preview was closed. */
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

  /** Forgets a failure or a cancel that the user has seen, an offer, or the summary that the user looks at. */
  async dismiss(): Promise<void> {
    if (this.status?.kind === 'due') {
      this.#declinedAt = this.#ports.log.state.compactions.size;
    }
    await this.preview.close();
  }

  /**
   * Adds a fact that the checkpoint in use lost to its text, word for word. Does nothing when that has it, or is no longer in use.
   * Throws `invalidInput` while another summary is being written.
   */
  async bringBack(summaryId: string, fact: string): Promise<void> {
    const { log, follower } = this.#ports;
    log.checkWritable();
    if (this.#work.isRunning) {
      throw failure('chat.summarizing');
    }
    const active = activeCompaction(log.state);
    const { checkpoint } = divided(log.state);
    if (active === null || checkpoint === null || active.summaryId !== summaryId) {
      return;
    }
    const replaced = replacedMessages(active, log.state) ?? replacedMessages(active, await follower.whole()) ?? [];
    if (lostFacts(replaced, checkpoint.text).some(({ text }) => text === fact)) {
      const { isUndone: _, ...compaction } = active;
      await this.#work.rewrite(compaction, withLine({ text: checkpoint.text, lines: active.lines }, fact));
    }
  }

  /** Sends again what the latest summary replaced; what came after it stays, without the pin that the summary made. Throws `invalidInput` without a summary. */
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
