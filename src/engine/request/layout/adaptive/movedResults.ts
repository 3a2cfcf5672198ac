import type { ToolResultPart } from '../../../model/part.js';
import { toolCallsOf } from '../../../chat/message/message.js';
import { nameInKey } from '../../../record/item.js';
import { contentKey } from '../../adapt/heldTexts.js';
import { pointerKey, type SentContents } from '../../adapt/sentContents.js';
import { nameIn } from '../../adapt/shownCall.js';
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

type CountContext = Pick<LayoutContext, 'factory' | 'resultTexts'>;

export interface MoveContext extends CountContext {
  readonly moved: ReadonlySet<ToolResultPart>;
  /** The tokens of the pointers that the last request has in place of results, by key. */
  readonly pointers: SentContents['pointers'];
}

/** Returns the tokens of a moved result. 0 for a pointer, for other results, and without a result. */
export function movedTokens(result: LocatedResult | undefined, context: MoveContext): number {
  const isMoved = result !== undefined && context.moved.has(result.part) && !context.pointers.has(pointerKey(result));
  return isMoved ? fullTokens(result, context) : 0;
}

/** Returns the tokens of a result in full that a request does not save without its call. */
export function unsavedTokens(result: LocatedResult | undefined, context: MoveContext): number {
  return movedTokens(result, context) + savedByPointer(result, context);
}

/** Returns the tokens by which a result is longer than the pointer that the last request has. 0 without a pointer. */
function savedByPointer(result: LocatedResult | undefined, context: Omit<MoveContext, 'moved'>): number {
  const tokens = result === undefined ? undefined : context.pointers.get(pointerKey(result));
  return result === undefined || tokens === undefined ? 0 : fullTokens(result, context) - tokens;
}

function fullTokens(result: LocatedResult, { factory, resultTexts }: CountContext): number {
  return factory.messageBlock({ ...result, role: 'tool-results' }, resultTexts)?.tokens ?? 0;
}

/**
 * Returns the tokens by which results grow if the request no longer contains a context item: the first pointer to the
 * item is then sent in full. A pointer to an item is the first result of a call that names the item.
 */
export function growthWithout(item: string, conversation: readonly ConversationUnit[], context: Omit<MoveContext, 'moved'>): number {
  const name = nameInKey(item);
  for (const said of context.pointers.size > 0 ? conversation : []) {
    const call =
      said.kind === 'reply' ? toolCallsOf(said.message).find(({ id, args }) => said.results.has(id) && nameIn(args) === name) : null;
    if (said.kind === 'reply' && call) {
      return savedByPointer(said.results.get(call.id), context);
    }
  }
  return 0;
}
