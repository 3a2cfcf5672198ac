import { toolCallsOf } from '../../engine/chat/message/message.js';
import { openQuestions, type OpenQuestion } from '../../engine/chat/openQuestions.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import { failure } from '../../engine/errors.js';
import type { ApiQuestion } from '../../protocol/api/api.js';
import type { ChatSession } from '../chat/chatSession.js';
import { questionView } from '../panel/conversation/spendQuestionView.js';

export function apiQuestions({ spending, servers, state }: ChatSession): readonly ApiQuestion[] {
  return [
    ...(servers.question === null ? [] : [{ kind: 'server', ...servers.question } as const]),
    ...spending.questions.map((question) => ({ kind: 'spend', ...questionView(question) }) as const),
    ...openQuestions(state).map((question) => questionOf(question, state)),
  ];
}

/** Answers a question. Throws `invalidInput` when it is no longer open. */
export async function respond(session: ChatSession, questionId: string, isAllowed: boolean): Promise<void> {
  const question = openQuestions(session.state).find((each) => idOf(each) === questionId);
  if (question?.kind === 'call') {
    await session.answers.approve(question.callId, { scope: isAllowed ? 'once' : 'refused', reason: null });
  } else if (question?.kind === 'steps') {
    await session.answers.goOn(isAllowed);
  } else if (!session.servers.answer(questionId, isAllowed) && !session.spending.answer(questionId, isAllowed)) {
    throw failure('spend.noQuestion');
  }
}

/** Returns a unique id. The call id alone is not unique, because it comes from a server. */
function idOf(question: OpenQuestion): string {
  return question.kind === 'call' ? `${question.runId}/${question.callId}` : `${question.runId}/${String(question.steps)}`;
}

function questionOf(question: OpenQuestion, { timeline }: ChatState): ApiQuestion {
  const id = idOf(question);
  if (question.kind === 'steps') {
    return { kind: 'steps', id, steps: question.steps };
  }
  const { asked, callId } = question;
  const reply = messagesOf(timeline).findLast((message) => message.role === 'assistant');
  const call = reply?.role === 'assistant' ? toolCallsOf(reply).find((each) => each.id === callId) : undefined;
  return { kind: 'tool', id, serverName: asked.serverName, name: asked.name, arguments: call?.rawArgs ?? '' };
}
