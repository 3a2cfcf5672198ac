import type { ChatState } from '../../engine/chat/state.js';
import { itemKey } from '../../engine/context/item.js';
import { manifestBase } from '../../engine/request/base.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import { overBudget } from '../chat/overBudget.js';
import type { Composed } from '../chat/requests.js';
import type { BlockView, Category, ContextChip, NextRequestView, Share } from '../../protocol/view.js';
import type { ResolvedItem } from '../chat/resolveContext.js';
import { blockViews, sumTokens } from './blockViews.js';
import { leftOutText } from './leftOutText.js';
import { adaptationSentences, scaledTokens } from './requestSizeView.js';

const CATEGORIES: readonly Category[] = ['system', 'rules', 'references', 'files', 'tools', 'conversation'];

/** Everything that the next request holds. */
export function nextRequestRows({ prompt, size }: Composed): BlockView[] {
  return blockViews(promptBlocks(prompt), size);
}

/** The next request in figures. `blocks` are its rows. */
export function nextRequestView(composed: Composed, blocks: readonly BlockView[]): NextRequestView {
  const { adaptations, budget, size, isPartial } = composed;
  const shares: Share[] = CATEGORIES.map((category) => ({
    category,
    tokens: sumTokens(blocks.filter((block) => block.category === category)),
  }));
  shares.push({ category: 'framing', tokens: size.tokens - sumTokens(blocks) });
  return {
    totalTokens: size.tokens,
    basis: isPartial ? 'atLeast' : size.basis,
    error: size.error,
    adaptations: adaptationSentences(adaptations),
    budget,
    shares: shares.filter((share) => share.tokens > 0),
    inputCost: isPartial ? null : composed.inputCost,
    problem: overBudget(composed),
  };
}

/** The chips of what is in the chat, each with its tokens, or a warning. */
export function contextChips(composed: Composed, state: ChatState): ContextChip[] {
  const tokens = new Map(promptBlocks(composed.prompt).map((block) => [block.key, block]));
  // What the model has seen of each file: the hashes in the latest request of a reply.
  const sent = new Map(manifestBase(state)?.content?.blocks.map((block) => [block.key, block.hash]));
  return composed.context.resolved.map((entry) => {
    const key = itemKey(entry.item);
    const block = tokens.get(key);
    const before = sent.get(key);
    const changed = before === undefined ? entry.hash !== entry.item.addedHash : before !== block?.hash;
    return {
      key,
      name: entry.item.name,
      tokens: block === undefined ? null : scaledTokens(block.tokens, composed.size),
      warning: warning(entry, changed),
    };
  });
}

function warning({ item, leftOut }: ResolvedItem, changed: boolean): ContextChip['warning'] {
  if (leftOut !== null) {
    const isGone = leftOut.code === 'missing' || leftOut.code === 'notInCatalog' || leftOut.code === 'givenTextGone';
    return { kind: isGone ? 'missing' : 'refused', text: leftOutText(item, leftOut) };
  }
  return changed && item.addedHash !== null
    ? { kind: 'changed', text: `${item.name} has changed since the model last saw it; the next request holds it as it is now.` }
    : null;
}
