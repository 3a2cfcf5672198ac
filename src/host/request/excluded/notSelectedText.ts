import { type NotSelectedReason, type RequestContextItem, shownName } from '../../../engine/record/item.js';
import { problemText } from '../../context/files/refusal.js';

/** Returns why an item is not in a request: two words if these are enough, otherwise a sentence. */
export function notSelectedText(item: RequestContextItem, reason: NotSelectedReason): string {
  const score = item.similarityScore ?? null;
  switch (reason.code) {
    case 'notInCatalog':
      return item.type === 'tool'
        ? `${shownName(item)} is no longer available: its server was removed, or no longer has this tool.`
        : `${item.name} is no longer available: its file was deleted, or gives it another name.`;
    case 'disabled':
      return item.type === 'tool'
        ? `${shownName(item)} is switched off by the agent of the chat.`
        : `${item.name} is switched off, in its file or by the agent of the chat.`;
    case 'restricted':
      return `Loupe does not send ${item.name} in Restricted Mode: this workspace is not trusted.`;
    case 'givenTextGone':
      return `Loupe cannot read the stored text of ${item.name}. ${reason.text} Add ${item.name} again.`;
    case 'noRoom':
      return 'no room';
    case 'notAdded':
      return 'not added';
    case 'removed':
      return 'removed';
    case 'noTools':
      return 'the model takes no tools';
    case 'noFile':
      return 'applies to other files';
    case 'belowScore':
      return `${scoreText(score)}below ${reason.minimum.toFixed(2)}`;
    case 'beyondMost':
      return `${score === null ? '' : scoreText(score)}not in the top ${String(reason.most)}`;
    default:
      return problemText(item.name, reason);
  }
}

/** Returns the beginning of a text about the score. Only items just below the limit have a score. */
function scoreText(score: number | null): string {
  return score === null ? 'score ' : `score ${score.toFixed(2)}, `;
}
