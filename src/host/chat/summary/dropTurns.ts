import { emergencyTruncation } from '../../../engine/compaction/emergency.js';
import type { Plan } from '../../../engine/compaction/plan.js';
import { plannedWithoutSummary } from '../../../engine/compaction/policies/policies.js';
import type { CompactionSettings } from '../../../engine/compaction/settings.js';
import { triggerTokens } from '../../../engine/compaction/policies/triggers.js';
import { summaryOfPlan, type SummaryWork } from './summaryWork.js';

/*
 * Drops the oldest turns when no summary makes a conversation shorter. Dropping needs no model, and so cannot fail as a
 * summary can. A line in the conversation names the dropped content and offers Undo.
 */

const DROPPED = '(Loupe dropped the earlier messages, which no longer fit into the context limit and could not be summarized.)';

/**
 * Drops the oldest turns, then the oldest steps of the last turn, until the message fits. The loop ends, because each
 * pass drops at least one step and the last step is never dropped.
 */
export async function dropForRoom(work: SummaryWork, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { settings, load, history, earlierSummary } = await work.figures(null);
    const plan = plannedWithoutSummary(history, settings, load, earlierSummary ?? 0);
    if (plan.case === 'none' || signal.aborted) {
      return;
    }
    await drop(plan, settings, work);
  }
}

/** Drops the oldest turns after a failed summary, unless `mayBegin` returns false right before the change. */
export async function keepBound(work: SummaryWork, mayBegin: () => boolean): Promise<void> {
  const { settings, load, history } = await work.figures(null);
  const plan = emergencyTruncation(history, triggerTokens(settings, load));
  if (plan.case !== 'none' && mayBegin()) {
    await drop(plan, settings, work);
  }
}

async function drop(plan: Exclude<Plan, { case: 'none' }>, settings: CompactionSettings, work: SummaryWork): Promise<void> {
  const failed = work.status?.kind === 'failed' && work.status.runId !== null ? [work.status.runId] : [];
  await work.put(summaryOfPlan(plan, settings, failed), 'emergency', (texts) => texts.leftOut(DROPPED));
  // Hides the failed summary, because the line about the dropped turns already mentions it.
  work.dismiss();
}
