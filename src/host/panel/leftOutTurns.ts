import { findMessage } from '../../engine/chat/branch.js';
import { listedText } from '../../engine/chat/message.js';
import type { ChatState } from '../../engine/chat/state.js';
import { MOST_LEFT_OUT } from '../../protocol/contextItems.js';
import type { LeftOutTurns } from '../../protocol/leavingOut.js';
import type { Composed } from '../request/composed.js';
import { scaledTokens } from '../request/sizeTexts.js';

/** Characters of a message in its row. */
const MOST_OF_LABEL = 120;

/** The turns that the user has left out of a request, the newest first. */
export function leftOutTurnViews({ leftOutTurns, size }: Pick<Composed, 'leftOutTurns' | 'size'>, state: ChatState): LeftOutTurns {
  return {
    total: leftOutTurns.length,
    first: leftOutTurns
      .slice(-MOST_LEFT_OUT)
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
