import type { ChatState } from '../../engine/chat/fold.js';
import { itemKey } from '../../engine/context/item.js';
import { promptBlocks } from '../../engine/prompt/block.js';
import { manifestBlocksOf, manifestDepth } from '../../engine/prompt/rebuild.js';
import type { BlockView, Category, ContextChip, NextRequestView, Share } from '../../protocol/view.js';
import { overBudget, type Composed } from '../chat/requests.js';
import type { ResolvedItem } from '../chat/resolveContext.js';
import { blockViews, sumTokens } from './blockViews.js';
import { adaptationSentences, scaledTokens } from './requestSizeView.js';

const CATEGORIES: readonly Category[] = ['system', 'rules', 'references', 'files', 'tools', 'conversation'];

const PER_MILLION = 1_000_000;

/** Everything that the next request holds. */
export function nextRequestRows({ assembled, size }: Composed): BlockView[] {
  return blockViews(promptBlocks(assembled.prompt), size);
}

/** The next request in figures. `blocks` are its rows. */
export function nextRequestView(composed: Composed, blocks: readonly BlockView[]): NextRequestView {
  const { assembled, model, budget, size, isPartial } = composed;
  const shares: Share[] = CATEGORIES.map((category) => ({
    category,
    tokens: sumTokens(blocks.filter((block) => block.category === category)),
  }));
  shares.push({ category: 'framing', tokens: size.tokens - sumTokens(blocks) });
  return {
    totalTokens: size.tokens,
    basis: isPartial ? 'atLeast' : size.basis,
    error: size.error,
    adaptations: adaptationSentences(assembled.adaptations),
    budget,
    shares: shares.filter((share) => share.tokens > 0),
    inputCost: model.prices === null || isPartial ? null : (size.tokens * model.prices.input) / PER_MILLION,
    problem: overBudget(composed),
  };
}

/** The chips of what is in the chat, each with its tokens, or a warning. */
export function contextChips(composed: Composed, state: ChatState): ContextChip[] {
  const tokens = new Map(promptBlocks(composed.assembled.prompt).map((block) => [block.key, block]));
  const sent = lastSentHashes(state);
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

function warning({ item, problem }: ResolvedItem, changed: boolean): ContextChip['warning'] {
  if (problem !== null) {
    return problem;
  }
  return changed && item.addedHash !== null
    ? { kind: 'changed', text: `${item.name} has changed since the model last saw it; the next request holds it as it is now.` }
    : null;
}

/** Block hashes by key in the latest request: what the model has seen of each file. */
function lastSentHashes(state: ChatState): ReadonlyMap<string, string> {
  const last = [...state.attempts.values()].at(-1);
  const sources = { attempt: (id: string) => state.attempts.get(id) };
  if (last === undefined || manifestDepth(last, sources) === null) {
    return new Map();
  }
  return new Map(manifestBlocksOf(last, sources).map((block) => [block.key, block.hash]));
}
