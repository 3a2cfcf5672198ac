import type { ToolResultPart } from '../../../model/part.js';
import { contentKey } from '../../adapt/heldTexts.js';
import type { ConversationUnit, LocatedResult } from '../../gather.js';
import type { LayoutContext, LayoutOptions } from '../layout.js';
import { isCallHeld } from '../turns.js';

/**
 * Returns the excluded and forgotten results that a later result repeats. Removing such a result saves nothing, because
 * the later result is then sent in full instead of as a pointer.
 */
export function movedResults(
  conversation: readonly ConversationUnit[],
  { repeatedContent }: Pick<LayoutOptions, 'repeatedContent'>,
): ReadonlySet<ToolResultPart> {
  const moved = new Set<ToolResultPart>();
  const isLeaving = conversation.some((said) => said.kind === 'reply' && said.excludedCalls.size > 0);
  const staying = new Set<string>();
  for (const said of isLeaving && repeatedContent === 'references' ? conversation.toReversed() : []) {
    for (const [callId, { part }] of said.kind === 'reply' ? said.results : []) {
      if (said.kind === 'reply' && isCallHeld(said, callId)) {
        staying.add(contentKey(part));
      } else if (staying.has(contentKey(part))) {
        moved.add(part);
      }
    }
  }
  return moved;
}

export interface MoveContext extends Pick<LayoutContext, 'factory' | 'resultTexts'> {
  readonly moved: ReadonlySet<ToolResultPart>;
}

/** Returns the tokens of a moved result. 0 for other results, and without a result. */
export function movedTokens(result: LocatedResult | undefined, { moved, factory, resultTexts }: MoveContext): number {
  const isMoved = result !== undefined && moved.has(result.part);
  return isMoved ? (factory.messageBlock({ ...result, role: 'tool-results' }, resultTexts)?.tokens ?? 0) : 0;
}
