import { costOfRun } from '../../../engine/accounting/runCost.js';
import { activeCompaction, type Compaction } from '../../../engine/chat/slices/compaction.js';
import { splitAtCheckpoint } from '../../../engine/chat/checkpoint.js';
import { forecastPlan } from '../../../engine/compaction/forecast.js';
import { cutBetweenTurns, outline, type FoldedPart, type Outline } from '../../../engine/compaction/outline.js';
import { compactionRange, openMessages, replacedMessages } from '../../../engine/compaction/range.js';
import { summaryBudget } from '../../../engine/compaction/summaryBudget.js';
import { compactionSettings, isWatched } from '../../../engine/compaction/settings.js';
import { STOP } from '../../../engine/run/input.js';
import { keptLines } from '../../../engine/compaction/facts/survivors.js';
import { failure, toLoupeError, type LoupeError } from '../../../engine/errors.js';
import type { SummaryDraft, SummaryPlan } from './compactionStatus.js';
import type { SummaryWork, SummaryWorkPorts } from './summaryWork.js';

export interface SummaryPreviewPorts extends SummaryWorkPorts {
  logError(error: LoupeError): void;
}

/**
 * Lets the user review a summary before use: first the messages to replace, then the text, which can be edited. Only
 * `write` costs money, and only `apply` changes requests. A closed preview keeps the text; a closed VS Code does not.
 */
export class SummaryPreview {
  readonly #ports: SummaryPreviewPorts;
  readonly #work: SummaryWork;
  #plan: SummaryPlan | null = null;
  /** A hidden draft: the preview is closed, shows another range, or waits for another text. */
  #kept: SummaryDraft | null = null;
  #isOpen = false;
  /** Folded parts of the message list that the user opened. They remain open when the range changes. */
  readonly #opened = new Set<FoldedPart>();

  constructor(ports: SummaryPreviewPorts, work: SummaryWork) {
    this.#ports = ports;
    this.#work = work;
    ports.log.onChange((change) => {
      if (change === 'state' && (this.#isOpen || this.#kept !== null) && this.#isOutdated()) {
        void this.#closeOutdated();
      }
    });
  }

  /** Whether the user is reviewing a summary. No automatic summary starts during a review. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The plan with the messages that a summary would replace. Null while the user edits the current summary. */
  get shownPlan(): SummaryPlan | null {
    return this.#plan;
  }

  /** Whether there is a hidden draft with a text, which the user can show again. */
  get hasText(): boolean {
    return this.#kept !== null;
  }

  /**
   * Shows what a summary up to message `upTo` would replace. Null uses the range of the chat's policy. Keeps a written
   * text until a new text is written. Throws `invalidInput` while a summary is being written, or
   * when there is nothing to summarize.
   */
  async plan(upTo: string | null): Promise<void> {
    this.#checkFree();
    const { state, settings, requestTokens, basis, history, earlierSummary, prices } = await this.#work.figures(upTo);
    const { from, to } = compactionRange(
      state,
      upTo ?? forecastPlan({ settings, isWatched: isWatched(state.config) }, history)?.to ?? null,
    );
    const wanted = history.messages.findIndex(({ message }) => message.id === to) + 1;
    const cut = upTo === null ? cutBetweenTurns(history, wanted) : wanted;
    const { mostSummaryTokens } = settings;
    const outlineWith = (opened: ReadonlySet<FoldedPart>): Outline =>
      outline(history, cut, { pinned: state.pinned, mostSummaryTokens, earlierSummary, opened });
    const rewrite = await this.#ports.requests.rewriteFigures(state, { from, to });
    this.#keepText();
    this.#plan = {
      from,
      outline: outlineWith(this.#opened),
      outlineWith,
      requestTokens,
      basis,
      rewrite,
      prices,
      isCached: state.config.cacheMode === 'cached',
    };
    this.#isOpen = true;
    this.#work.show({ kind: 'planned' });
  }

  openRows(part: FoldedPart, isOpen: boolean): void {
    if (isOpen) {
      this.#opened.add(part);
    } else {
      this.#opened.delete(part);
    }
    this.#plan = this.#withRows(this.#plan);
    this.#ports.log.changed('state');
  }

  /** Plans again after a change to the conversation, such as a pin. Does nothing unless a plan is shown. */
  async planAgain(): Promise<void> {
    if (this.#work.status?.kind === 'planned' && this.#plan !== null) {
      await this.plan(this.#plan.outline.upTo);
    }
  }

  /** Shows the draft again that `plan` has hidden. Does nothing without a draft. */
  async showText(): Promise<void> {
    this.#checkFree();
    const { text } = this.#kept ?? { text: null };
    if (text !== null) {
      this.#showAgain();
      await this.typed(text);
    }
  }

  /** Asks a model to write the planned summary. Shows and logs a failure. After a cancel, shows the last view again. */
  async write(): Promise<void> {
    const plan = this.#plan;
    if (plan === null) {
      throw failure('summary.notPlanned');
    }
    const { upTo, summaryTokens: mostTokens } = plan.outline;
    const wasDrafted = this.#work.status?.kind === 'drafted';
    this.#keepText();
    try {
      const drafted = await this.#work.draft({ upTo, policy: 'manual', mostTokens, runs: [] });
      if (!this.#isOpen) {
        return;
      }
      if (drafted === null) {
        this.#leaveWriting(wasDrafted);
        return;
      }
      const { runId, compaction, text } = drafted;
      const cost = costOfRun(runId, this.#ports.log.state);
      await this.#show({ plan, compaction, written: text, text, tokens: compaction.tokens.after, mostTokens, cost });
    } catch (thrown) {
      if (this.#work.status?.kind !== 'failed') {
        this.#leaveWriting(wasDrafted);
        throw thrown;
      }
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /** Shows the text of the current summary, or a started edit of it. Throws `invalidInput` for another summary. */
  async edit(summaryId: string): Promise<void> {
    this.#checkFree();
    const { state } = this.#ports.log;
    const active = activeCompaction(state);
    const { checkpoint } = splitAtCheckpoint(state);
    if (active === null || checkpoint === null || active.summaryId !== summaryId) {
      throw failure('summary.notInUse');
    }
    this.#isOpen = true;
    if (this.#kept?.compaction.id === active.id) {
      await this.showText();
      return;
    }
    const { isUndone: _, ...compaction } = active;
    const mostTokens = Math.min(summaryBudget(active.tokens.before), compactionSettings(state.config).mostSummaryTokens);
    this.#plan = null;
    const { text } = checkpoint;
    await this.#show({ plan: null, compaction, written: text, text, tokens: active.tokens.after, mostTokens, cost: null });
  }

  /** Stores the text that the user typed into the draft, and counts its tokens. Does nothing without a draft. */
  async typed(text: string): Promise<void> {
    const { requests, log } = this.#ports;
    // Stores the text before counting, because the user can change the range during the count.
    this.#changeDraft((draft) => ({ ...draft, text }));
    const tokens = await requests.checkpointTokens(log.state, text);
    this.#changeDraft((draft) => (draft.text === text ? { ...draft, tokens } : draft));
  }

  /**
   * Applies the summary with this text. Throws `invalidInput` without a draft, for an empty text, or when the messages
   * to replace have changed.
   */
  async apply(text: string): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const { status } = this.#work;
    if (status?.kind !== 'drafted') {
      throw failure('summary.notPlanned');
    }
    if (text.trim() === '') {
      throw failure('summary.empty');
    }
    const { plan, compaction } = status.draft;
    const isEdit = plan === null;
    if (isEdit ? activeCompaction(log.state)?.id !== compaction.id : !(await this.#fits(compaction))) {
      throw failure('summary.outdated');
    }
    await this.#work.rewrite(compaction, { text, lines: keptLines(text) });
    await this.#drop();
  }

  /** Closes the preview and cancels the writing of a text. Keeps a draft until its messages change. */
  async close(): Promise<void> {
    this.#keepText();
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#plan = null;
    if (wasOpen) {
      await this.#work.stop(STOP);
    }
    this.#work.dismiss();
  }

  async #drop(): Promise<void> {
    await this.close();
    this.#kept = null;
  }

  /** Closes the preview. An open preview is replaced by a note that the conversation has changed. */
  async #closeOutdated(): Promise<void> {
    if (!this.#isOpen) {
      this.#kept = null;
      return;
    }
    await this.#drop();
    this.#work.show({ kind: 'outdated', madeRoom: false });
  }

  /** Returns whether messages of the shown plan or of a draft have changed, or another summary has replaced them. */
  #isOutdated(): boolean {
    const { state } = this.#ports.log;
    const { status } = this.#work;
    const drafts = [status?.kind === 'drafted' ? status.draft : null, this.#kept].filter((draft) => draft !== null);
    const active = activeCompaction(state)?.id;
    if (drafts.some(({ compaction }) => compaction.id === active)) {
      return false;
    }
    const ranges = [
      ...(this.#plan === null ? [] : [{ from: this.#plan.from, to: this.#plan.outline.upTo }]),
      ...drafts.map(({ compaction }) => compaction),
    ];
    const ids = openMessages(state).map(({ id }) => id);
    // An edit of the current summary is outdated after another summary, even for the same messages.
    const wasInUse = drafts.some(({ plan }) => plan === null);
    return wasInUse || ranges.some(({ from, to }) => ids[0] !== from || !ids.includes(to));
  }

  /** Returns whether the summary would still replace the messages that it was written for. */
  async #fits({ from, to }: Compaction): Promise<boolean> {
    const state = await this.#work.complete(to);
    const range = compactionRange(state, to);
    return range.from === from && range.to === to;
  }

  async #show(draft: Omit<SummaryDraft, 'replaced'>): Promise<void> {
    const { state } = this.#ports.log;
    const replaced = replacedMessages(draft.compaction, state) ?? replacedMessages(draft.compaction, await this.#ports.follower.whole());
    this.#kept = null;
    this.#work.show({ kind: 'drafted', draft: { ...draft, replaced: replaced ?? [] } });
  }

  #changeDraft(change: (draft: SummaryDraft) => SummaryDraft): void {
    const { status } = this.#work;
    if (status?.kind === 'drafted') {
      this.#work.show({ kind: 'drafted', draft: change(status.draft) });
    }
  }

  #keepText(): void {
    const { status } = this.#work;
    this.#kept = status?.kind === 'drafted' ? status.draft : this.#kept;
  }

  #showAgain(): void {
    if (this.#kept !== null) {
      const draft = this.#kept;
      this.#kept = null;
      this.#plan = this.#withRows(draft.plan);
      this.#work.show({ kind: 'drafted', draft });
    }
  }

  /** Shows the view from before `write`, which failed or was cancelled. */
  #leaveWriting(wasDrafted: boolean): void {
    if (wasDrafted) {
      this.#showAgain();
    } else {
      this.#work.show({ kind: 'planned' });
    }
  }

  #withRows(plan: SummaryPlan | null): SummaryPlan | null {
    return plan === null ? null : { ...plan, outline: plan.outlineWith(this.#opened) };
  }

  #checkFree(): void {
    this.#ports.log.checkWritable();
    if (this.#work.isRunning) {
      throw failure('chat.summarizing');
    }
  }
}
