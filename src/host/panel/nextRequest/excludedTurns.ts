import { findMessage } from '../../../engine/chat/branch.js';
import { listedText } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';
import { MOST_LISTED_ITEMS } from '../../../protocol/panel/contextItems.js';
import type { ExcludedTurns } from '../../../protocol/panel/exclusion.js';

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
        label: labelOf(messageId, state),
        tokens: scaledTokens(tokens, size),
        isHeld,
      })),
  };
}

function labelOf(messageId: string, state: ChatState): string {
  const message = findMessage(state, messageId);
  return message === null ? '' : listedText(message).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_OF_LABEL);
}
