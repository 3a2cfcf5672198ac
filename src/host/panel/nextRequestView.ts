import { figureValue } from '../../engine/accounting/usage.js';
import { promptLimit } from '../../engine/budget/budget.js';
import { modelKey } from '../../engine/chat/config.js';
import type { ChatState } from '../../engine/chat/state.js';
import { type ContextItemBase, itemKey } from '../../engine/context/item.js';
import { manifestBase } from '../../engine/request/base.js';
import { SUMMARY_KEY } from '../../engine/request/gather.js';
import { promptBlocks } from '../../engine/request/prompt.js';
import type { Model } from '../../engine/run/model.js';
import { overBudget } from '../request/overBudget.js';
import type { Composed } from '../request/requestComposer.js';
import type { ContextChip } from '../../protocol/chips.js';
import type { BlockView, Category, NextRequestView, Share } from '../../protocol/view.js';
import type { ResolvedItem } from '../context/resolveContext.js';
import { parseSelectionName } from '../context/selectionName.js';
import { blockViews, sumTokens } from './blockViews.js';
import { leftOutText } from './leftOutText.js';
import { typicalReply } from './typicalReply.js';
import { adaptationSentences, scaledTokens } from '../request/sizeTexts.js';

const CATEGORIES: readonly Category[] = ['system', 'rules', 'references', 'files', 'tools', 'conversation'];

/** The rows of the next request. */
export function nextRequestRows({ prompt, size }: Composed): BlockView[] {
  return blockViews(promptBlocks(prompt), size);
}

/** The next request in figures, but for the forecast of a summary. `blocks` are its rows. */
export function nextRequestView(
  composed: Composed,
  blocks: readonly BlockView[],
  state: Pick<ChatState, 'attempts' | 'runs' | 'config' | 'timeline'>,
): Omit<NextRequestView, 'summary'> {
  const { config } = state;
  const { adaptations, budget, size, isPartial, model } = composed;
  const problem = overBudget(composed);
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
    limit: promptLimit(config, model),
    reservedTokens: config.reservedResponseTokens,
    shares: shares.filter((share) => share.tokens > 0),
    inputCost: isPartial ? null : composed.inputCost,
    mayBeCached: mayBeCached(state, model),
    isRewritten: mayBeCached(state, model) && isNewSummary(composed, state),
    reply: typicalReply(state, model.prices),
    problem,
    isOwnLimit: problem !== null && isOwnLimit(composed, config),
  };
}

/** Whether the request sends a summary that the last one did not, or in another form. */
function isNewSummary({ prompt }: Composed, state: Pick<ChatState, 'attempts' | 'runs' | 'timeline'>): boolean {
  const summary = promptBlocks(prompt).find(({ key }) => key.startsWith(SUMMARY_KEY));
  const sent = summary === undefined ? undefined : manifestBase(state)?.content?.blocks;
  return sent !== undefined && !sent.some(({ key, hash }) => key === summary?.key && hash === summary.hash);
}

/** Whether the cache of a model may hold a part of the next request: it held or took some of an earlier one. */
function mayBeCached({ attempts, config }: Pick<ChatState, 'attempts' | 'config'>, { ref, capabilities }: Model): boolean {
  // A provider that takes no breakpoints caches by itself, whatever the chat's cache mode is.
  if (config.cacheMode === 'all-off' && capabilities.cacheBreakpoints !== null) {
    return false;
  }
  const key = modelKey(ref);
  return [...attempts.values()].some(({ model, end }) => {
    const { cacheReadInputTokens = null, cacheCreationInputTokens = null } = end?.usage ?? {};
    return modelKey(model) === key && ((figureValue(cacheReadInputTokens) ?? 0) > 0 || (figureValue(cacheCreationInputTokens) ?? 0) > 0);
  });
}

/** Whether the settings of the chat make a request too long that its model would take. */
function isOwnLimit(
  { isPartial, size, model: { maxInputTokens } }: Composed,
  { maxPromptTokens }: Pick<ChatState['config'], 'maxPromptTokens'>,
): boolean {
  if (maxInputTokens === null) {
    return true;
  }
  // The size of a part is only the least possible one.
  return isPartial ? maxPromptTokens !== null && maxPromptTokens < maxInputTokens : size.tokens <= maxInputTokens;
}

/** The chips of the chat's context items, each with its tokens or a warning. */
export function contextChips(composed: Composed, state: ChatState): ContextChip[] {
  const tokens = new Map(promptBlocks(composed.prompt).map((block) => [block.key, block]));
  // The version of each file that the model has seen: hashes in the latest request of a reply.
  const sent = new Map(manifestBase(state)?.content?.blocks.map((block) => [block.key, block.hash]));
  const { resolved } = composed.context;
  const whole = new Set(resolved.filter(({ leftOut }) => leftOut === null).map(({ item }) => itemKey(item)));
  return resolved.map((entry) => {
    const key = itemKey(entry.item);
    const block = tokens.get(key);
    const before = sent.get(key);
    const changed = before === undefined ? entry.hash !== entry.item.addedHash : before !== block?.hash;
    return {
      key,
      name: entry.item.name,
      files: null,
      tokens: block === undefined ? null : scaledTokens(block.tokens, composed.size),
      warning: warning(entry, changed) ?? sentTwice(entry.item, whole),
    };
  });
}

function warning({ item, leftOut }: ResolvedItem, changed: boolean): ContextChip['warning'] {
  if (leftOut !== null) {
    const isGone = leftOut.code === 'missing' || leftOut.code === 'notInCatalog' || leftOut.code === 'givenTextGone';
    return { kind: isGone ? 'missing' : 'refused', text: leftOutText(item, leftOut) };
  }
  return changed && item.addedHash !== null
    ? { kind: 'changed', text: 'Changed since the last reply. The new version will be sent.' }
    : null;
}

/** Remarks a selection out of a file that the request holds as a whole. `held` are the keys of what it holds. */
function sentTwice(item: ContextItemBase, held: ReadonlySet<string>): ContextChip['warning'] {
  const { path, lines } = parseSelectionName(item.name);
  return item.type === 'file' && lines !== null && held.has(itemKey({ type: 'file', name: path }))
    ? { kind: 'twice', text: `${path} is in this chat as a whole, so these lines are sent twice.` }
    : null;
}
