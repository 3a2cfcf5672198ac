import { findMessage } from '../../../engine/chat/branch.js';
import { toolCallsOf } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { ToolCallPart } from '../../../engine/model/part.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';
import type { RepeatedResult } from '../../../engine/request/adapt/repeats.js';
import { MOST_LISTED_ITEMS } from '../../../protocol/panel/contextItems.js';
import type { RepeatedResults, RepeatView } from '../../../protocol/panel/requestRows.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import { subjectOf } from '../calls/callViews.js';

/** Maximum number of results that the conversation marks, newest first. A panel shows fewer at first. */
const MOST_MARKED = 100;

/** Returns the tool results that a request sends as references, newest first. */
export function repeatedResults({ repeated, size }: ComposedRequest, state: ChatState): RepeatedResults {
  const saved = repeated.reduce((sum, each) => sum + each.saved, 0);
  const newest = repeated.slice(-MOST_LISTED_ITEMS).toReversed();
  return { results: repeated.length, saved: scaledTokens(saved, size), first: newest.map((each) => repeatView(each, size, state)) };
}

/** Returns the newest of these results by the entry of their reply and by call. */
export function repeatsByEntry({ repeated, size }: ComposedRequest, state: ChatState): PanelState['repeats'] {
  const found: Record<string, Record<string, RepeatView>> = {};
  for (const each of repeated.slice(-MOST_MARKED)) {
    const reply = findMessage(state, each.replyId);
    if (reply?.role === 'assistant') {
      (found[reply.attemptId] ??= {})[each.callId] = repeatView(each, size, state);
    }
  }
  return found;
}

function repeatView(
  { replyId, messageId, callId, of, ofCall, isChanged, saved }: RepeatedResult,
  size: ComposedRequest['size'],
  state: ChatState,
): RepeatView {
  const reply = findMessage(state, replyId);
  const call = reply?.role === 'assistant' ? toolCallsOf(reply).find(({ id }) => id === callId) : undefined;
  const label = call === undefined ? callId : labelOf(call);
  return {
    label,
    of: ofCall === null ? of : `${of} of ${labelOf(ofCall)}`,
    isChanged,
    saved: scaledTokens(saved, size),
    messageId,
    callId,
  };
}

function labelOf({ name, args }: ToolCallPart): string {
  return `${name} ${subjectOf(args ?? {})}`.trim();
}
