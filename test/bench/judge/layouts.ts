import { blockOf, type Block, type ChatRequest, type Item, type Kind } from './content.js';

/** The order in which a client puts what a request must hold; made for each chat, as it may follow from what was sent. */
export type MakeLayout = () => (request: ChatRequest) => readonly Block[];

/** Tools, system prompt and context before the conversation; what has changed stands in its place. */
export const front: MakeLayout =
  () =>
  ({ items }) => {
    const { stable, context, conversation } = partsOf(items);
    return [...stable, ...context, ...conversation].map(blockOf);
  };

/**
 * What is new in the context stands in the conversation where it has come, before the newest message of the user, and stays there:
 * what clients do that put files into messages and into results of tools. Older versions stay until the conversation is cut.
 */
export const inline: MakeLayout = () => {
  let sent: readonly Item[] = [];
  return ({ items, kind }) => {
    const { stable, context, conversation } = partsOf(items);
    const { kept, said } = stillSaid(sent, conversation);
    const told = new Map(kept.map(({ id, hash }) => [id, hash]));
    const news = context.filter(({ id, hash }) => told.get(id) !== hash);
    const fresh = conversation.slice(said);
    const asked = fresh.at(-1)?.speech === 'user' ? fresh.slice(-1) : [];
    const log = [...kept, ...fresh.slice(0, fresh.length - asked.length), ...news, ...asked];
    if (kind !== 'summary') {
      sent = log;
    }
    return [...stable, ...log].map(blockOf);
  };
};

/** Aider's order (aider/coders/chat_chunks.py): rules and references, repository map, turns before, files, the newest turn. */
export const aiderOrder: MakeLayout =
  () =>
  ({ items }) => {
    const { stable, context, conversation } = partsOf(items);
    const of = (wanted: Kind): readonly Item[] => context.filter(({ kind }) => kind === wanted);
    const newest = Math.max(
      0,
      conversation.findLastIndex(({ speech }) => speech === 'user'),
    );
    const before = [...of('rule'), ...of('reference'), ...of('repoMap'), ...conversation.slice(0, newest)];
    return [...stable, ...before, ...of('file'), ...conversation.slice(newest)].map(blockOf);
  };

/** Whether something belongs to the context: neither to the conversation nor to what stands before everything. */
export function isContext({ kind }: { readonly kind: Kind }): boolean {
  return kind !== 'tool' && kind !== 'system' && kind !== 'message';
}

function partsOf(items: readonly Item[]): Record<'stable' | 'context' | 'conversation', readonly Item[]> {
  return {
    stable: items.filter(({ kind }) => kind === 'tool' || kind === 'system'),
    context: items.filter(isContext),
    conversation: items.filter(({ kind }) => kind === 'message'),
  };
}

/** What was sent, up to the first message that the conversation does not have in this place, and how many messages that holds. */
function stillSaid(sent: readonly Item[], conversation: readonly Item[]): { readonly kept: readonly Item[]; readonly said: number } {
  let said = 0;
  for (const [at, { kind, hash }] of sent.entries()) {
    if (kind === 'message') {
      if (conversation[said]?.hash !== hash) {
        return { kept: said === 0 ? [] : sent.slice(0, at), said };
      }
      said += 1;
    }
  }
  return { kept: said === 0 ? [] : sent, said };
}
