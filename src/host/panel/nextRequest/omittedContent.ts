import { findMessage } from '../../../engine/chat/branch.js';
import { toolCallsOf, listedText } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ForgottenTools } from '../../../engine/record/manifest.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { counted } from '../../../protocol/numbers.js';
import {
  MOST_LISTED_ITEMS,
  type ForgottenCalls,
  type ForgottenView,
  type RepeatedResults,
  type RepeatView,
  type ExcludedTurns,
} from '../../../protocol/panel/requestRows.js';
import { subjectOf } from '../conversation/replyViews.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { ToolCallPart } from '../../../engine/model/part.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';
import type { RepeatedResult } from '../../../engine/request/adapt/repeats.js';
import type { PanelState } from '../../../protocol/panel/state.js';

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

const MOST_OF_LABEL = 120;

/** Returns the turns that the user excluded from the next request, newest first. */
export function excludedTurns(
  { excludedTurns: all, size }: Pick<ComposedRequest, 'excludedTurns' | 'size'>,
  state: ChatState,
): ExcludedTurns {
  return {
    total: all.length,
    first: all
      .slice(-MOST_LISTED_ITEMS)
      .toReversed()
      .map(({ messageId, tokens, isHeld }) => ({
        id: messageId,
        label: turnLabel(messageId, state),
        tokens: scaledTokens(tokens, size),
        isHeld,
      })),
  };
}

function turnLabel(messageId: string, state: ChatState): string {
  const message = findMessage(state, messageId);
  return message === null ? '' : listedText(message).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_OF_LABEL);
}
