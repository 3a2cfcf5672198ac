import type { ContentGroups, ConversationUnit, LocatedResult } from '../gather.js';
import { fromUser, type LayoutUnit } from './layout.js';

/** A user message with all replies to it, or the summary. Layouts insert nothing into a turn. */
export interface LayoutTurn {
  readonly units: readonly LayoutUnit[];
  /** The keys of the units: ids of messages, or the key of the summary. */
  readonly keys: readonly string[];
  /** Keys of the units that can be empty in a request. */
  readonly blank: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, readonly PlacedCall[]>;
}

/** Groups the summary and the conversation by turn, oldest first. Messages before the first turn belong to it. */
export function turnsOf({ checkpoint, conversation }: Pick<ContentGroups, 'checkpoint' | 'conversation'>): readonly LayoutTurn[] {
  const turns: { units: LayoutUnit[]; keys: string[]; blank: Set<string>; calls: Map<string, readonly PlacedCall[]> }[] = [];
  for (const said of conversation) {
    const { id } = said.message;
    const isBlank = !hasContent(said);
    let turn = turns.at(-1);
    if (turn === undefined || (said.kind === 'user' && !isBlank && turn.keys.length > turn.blank.size)) {
      turn = { units: [], keys: [], blank: new Set(), calls: new Map() };
      turns.push(turn);
    }
    turn.units.push(said);
    turn.keys.push(id);
    if (isBlank) {
      turn.blank.add(id);
    }
    const calls = placedCalls(said);
    if (calls.length > 0) {
      turn.calls.set(id, calls);
    }
  }
  const none = { blank: new Set<string>(), calls: new Map<string, readonly PlacedCall[]>() };
  return checkpoint === null ? turns : [{ units: fromUser(checkpoint), keys: [checkpoint.key], ...none }, ...turns];
}

/**
 * Whether the blocks of the message have content that every model receives. Ignores reasoning, blank text, removed
 * calls, and the images of a reply, which belong to the next user message.
 */
export function hasContent(said: ConversationUnit): boolean {
  return said.message.parts.some((part) => {
    switch (part.type) {
      case 'reasoning':
        return false;
      case 'text':
        return part.text.trim() !== '';
      case 'toolCall':
        return said.kind === 'reply' && isCallHeld(said, part.id);
      case 'image':
        return said.kind === 'user';
    }
  });
}

export interface PlacedCall {
  readonly id: string;
  /** Index of the call among the parts of its reply. */
  readonly part: number;
  readonly isHeld: boolean;
  /** Key of the block that replaces the result by its reference. Null if the result is sent as it is. */
  readonly reference: string | null;
}

export function placedCalls(said: ConversationUnit): readonly PlacedCall[] {
  return said.kind === 'user'
    ? []
    : said.message.parts.flatMap((part, at) =>
        part.type === 'toolCall'
          ? [{ id: part.id, part: at, isHeld: isCallHeld(said, part.id), reference: referenceOf(said.results.get(part.id)) }]
          : [],
      );
}

function referenceOf(result: LocatedResult | undefined): string | null {
  return result?.form === 'reference' ? `adapted:${result.messageId}/${String(result.index)}` : null;
}

export function isCallHeld(
  { excludedCalls }: Pick<Extract<ConversationUnit, { readonly kind: 'reply' }>, 'excludedCalls'>,
  id: string,
): boolean {
  const state = excludedCalls.get(id);
  return state === undefined || state === 'carried';
}
