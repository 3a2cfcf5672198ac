import { findMessage } from '../../../engine/chat/branch.js';
import { toolCallsOf } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ForgottenTools } from '../../../engine/record/manifest.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { MOST_LISTED_ITEMS } from '../../../protocol/panel/contextItems.js';
import { counted } from '../../../protocol/numbers.js';
import type { ForgottenCalls, ForgottenView } from '../../../protocol/panel/requestRows.js';
import { subjectOf } from '../calls/callViews.js';

/** Returns the tool calls that Loupe dropped from a request, newest first. */
export function forgottenCalls(forgotten: readonly ForgottenTools[], state: ChatState): ForgottenCalls {
  return {
    calls: forgotten.reduce((sum, { calls }) => sum + calls, 0),
    tokens: sumTokens(forgotten),
    replies: forgotten.length,
    first: forgotten
      .slice(-MOST_LISTED_ITEMS)
      .toReversed()
      .map((each) => forgottenView(each, state)),
  };
}

function forgottenView({ messageId, callId, tools, calls, tokens, after }: ForgottenTools, state: ChatState): ForgottenView {
  const reply = findMessage(state, messageId);
  const entry = reply?.role === 'assistant' ? reply.attemptId : messageId;
  const single = reply?.role === 'assistant' ? toolCallsOf(reply).find(({ id }) => id === callId) : undefined;
  const subject = single === undefined || single.args === null ? '' : ` ${subjectOf(single.args)}`;
  return {
    label: `${tools.join(', ')}${subject}`.trim(),
    calls,
    tokens,
    reason: reasonOf(after),
    bringsBack: after === null ? entry : null,
    ...(callId === undefined ? {} : { callId }),
  };
}

/** Returns when a call was dropped, in the words of the setting, or that the user excluded the call. */
function reasonOf(after: number | null): string {
  if (after === null) {
    return 'excluded by you';
  }
  if (after === 0) {
    return 'immediately';
  }
  return `after ${counted(after, 'turn')}`;
}
