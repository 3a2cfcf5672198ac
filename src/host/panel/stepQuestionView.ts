import { costOfRun } from '../../engine/accounting/runCost.js';
import { openQuestions } from '../../engine/chat/openQuestions.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { StepQuestionView } from '../../protocol/toolCalls.js';

/** The question whether the run goes on calling tools; null for none. */
export function stepQuestionView(state: ChatState): StepQuestionView | null {
  const question = openQuestions(state).find(({ kind }) => kind === 'steps');
  return question?.kind === 'steps' ? { runId: question.runId, steps: question.steps, cost: costOfRun(question.runId, state) } : null;
}
