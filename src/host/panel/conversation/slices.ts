import { costOfRun } from '../../../engine/accounting/runCost.js';
import { openQuestions } from '../../../engine/chat/openQuestions.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { StepQuestionView } from '../../../protocol/panel/toolCalls.js';
import { ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { OutputCounts } from './outputCounts.js';
import { spendQuestionView } from './spendQuestionView.js';

/** Derives the entries of the conversation, and open questions to the user. */
export function conversationSlices(
  room: PanelRoom,
): PanelSlices<'entries' | 'outputs' | 'stepQuestion' | 'spendQuestion' | 'startingServers'> {
  const { learned } = room.chats;
  const calibration = learned.calibration.bind(learned);
  const outputs = new OutputCounts({ models: room.models, calibration, changed: room.changed.bind(null, 'reply') });
  return {
    entries: ofChat(['chat', 'reply'], ({ shown }) => room.edits.derive(shown.entries)),
    outputs: ofChat(['chat', 'reply'], ({ shown, session }) => outputs.derive(shown.entries, session.state)),
    stepQuestion: ofChat(['chat'], ({ session }) => stepQuestionView(session.state)),
    spendQuestion: ofChat(['chat'], ({ session }) => spendQuestionView(session)),
    startingServers: ofChat(['chat'], ({ session }) => session.servers.starting),
  };
}

/** Returns the open question whether the run may call more tools. Null without such a question. */
function stepQuestionView(state: ChatState): StepQuestionView | null {
  const question = openQuestions(state).find(({ kind }) => kind === 'steps');
  return question?.kind === 'steps' ? { runId: question.runId, steps: question.steps, cost: costOfRun(question.runId, state) } : null;
}
