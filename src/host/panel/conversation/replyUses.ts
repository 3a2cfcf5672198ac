import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { type ItemUse, itemUses, type UsingReply } from '../../../engine/context/use/itemUses.js';
import { textBegin } from '../../../engine/chat/message/textBegin.js';
import type { ManifestContent } from '../../../engine/record/manifest.js';
import { manifestContentOf } from '../../../engine/request/rebuild.js';
import type { ReplyUses } from '../../../protocol/panel/requestRows.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import type { EntryView } from '../../../protocol/panel/entries.js';
import { turnOf, usableItems } from '../../request/usableItems.js';

/** Derives which items the visible replies used. Computes each turn once, after its end. */
export class UsesOfReplies {
  /** Null for a request without items. */
  readonly #known = new WeakMap<AttemptState, ReplyUses | null>();

  derive(entries: readonly EntryView[], state: ChatState): PanelState['replyUses'] {
    return Object.fromEntries(
      entries.flatMap((entry) => {
        const attempt = endsTurn(entry) ? state.attempts.get(entry.id) : undefined;
        const uses = attempt === undefined ? null : this.#of(attempt, state);
        return uses === null ? [] : [[entry.id, uses] as const];
      }),
    );
  }

  #of(attempt: AttemptState, state: ChatState): ReplyUses | null {
    const known = this.#known.get(attempt);
    if (known !== undefined) {
      return known;
    }
    const written = turnOf(attempt.id, state);
    const content = written === null ? null : manifestContentOf(attempt, state.attempts);
    if (written === null || content === null) {
      return null;
    }
    const uses = usesOf(content, written);
    this.#known.set(attempt, uses);
    return uses;
  }
}

function endsTurn(entry: EntryView): boolean {
  return entry.kind === 'assistant' && entry.contextUsed !== null && entry.parts.every(({ type }) => type !== 'toolCall');
}

function usesOf(content: ManifestContent, written: UsingReply): ReplyUses | null {
  const all = usableItems(content);
  const tools = all.filter(({ type }) => type === 'tool').length;
  const uses = [...itemUses(all, written)].map(([key, own]) => [key, own.map(shortened)] as const);
  return all.length === 0 ? null : { items: all.length - tools, tools, uses: Object.fromEntries(uses) };
}

/** Shortens the text of a use, because arguments of a tool call can contain a whole file. */
function shortened({ how, where }: ItemUse): ItemUse {
  return { how, where: textBegin(where) };
}
