import { billedPrices, PER_MILLION, ratesOf, type Rates } from '../../../engine/model/price.js';
import { figureValue } from '../../../engine/model/usage.js';
import { promptLimit } from '../../../engine/budget/budget.js';
import { modelKey } from '../../../engine/model/modelRef.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { CatalogType, ContextItemBase, NotSelectedReason, RequestContextItem } from '../../../engine/record/item.js';
import { itemKey, shownName } from '../../../engine/record/item.js';
import type { Remark } from '../../../engine/context/catalogItem.js';
import { manifestBase } from '../../../engine/request/base.js';
import type { Block } from '../../../engine/model/block.js';
import type { ContextRecord, ManifestContent } from '../../../engine/record/manifest.js';
import { SUMMARY_KEY } from '../../../engine/request/gather.js';
import { promptBlocks } from '../../../engine/model/prompt.js';
import type { Model } from '../../../engine/model/model.js';
import { isAutomatic } from '../../../engine/compaction/settings.js';
import { costOfShortening } from '../../../engine/compaction/summaryPrice.js';
import { sumTokens } from '../../../engine/sumTokens.js';
import { latestCut } from '../../../engine/tokens/calibration.js';
import { isVscodeProvider } from '../../models/languageModels/providerIds.js';
import { historyStatus } from '../../request/historyStatus.js';
import { overBudget } from '../../request/overBudget.js';
import { fitsWithNote, fitsWithSummary, shorteningOf } from '../../../engine/next/room.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';
import type { ContextChip } from '../../../protocol/panel/chips.js';
import type { BlockView, Category, NextRequestRows } from '../../../protocol/panel/requestRows.js';
import { UNUSED_REPLIES } from '../../../protocol/panel/manager.js';
import type { ProviderCount, UnusedItems, UnusedServer } from '../../../protocol/panel/nextRequest.js';
import type { NextRequestView, Share } from '../../../protocol/panel/view.js';
import { price, tokens } from '../../../protocol/numbers.js';
import type { ResolvedItem } from '../../../engine/next/resolved.js';
import { parseSelectionName } from '../../context/selectionName.js';
import { blockViews } from './blockViews.js';
import { contextSummary } from './contextUsed.js';
import { allNotSelected, newItems } from '../../request/excluded/notSelectedItems.js';
import { notSelectedText } from '../../request/excluded/notSelectedText.js';
import { changedTools } from './changedTools.js';
import { unusedItems, unusedServers } from './unusedItems.js';
import { toolsByServer } from './toolRecords.js';
import { forecastView } from '../../request/forecast/forecastView.js';
import { typicalReply, unusualPrice } from '../../../engine/accounting/usualCosts.js';
import { droppedSentence, droppedSentences } from '../../request/excluded/droppedTexts.js';
import { adaptationSentences } from '../../request/sizeTexts.js';
import { scaledTokens } from '../../../engine/record/requestSize.js';

const CATEGORIES: readonly Category[] = ['system', 'rules', 'references', 'skills', 'files', 'tools', 'conversation'];

/** Maximum number of visible remarks. */
const MOST_REMARKS = 5;

export function nextRequestRows({
  prompt,
  records,
  context,
  onDemand,
  forecast,
}: ComposedRequest): Omit<NextRequestRows, 'servers' | 'excludedTurns' | 'forgotten'> {
  return {
    summary: contextSummary(records.flatMap(({ item, leftOut }) => (leftOut === null ? [item] : []))),
    blocks: blockViews(promptBlocks(prompt), records, onDemand.loaded, forecast),
    notSelected: allNotSelected(records),
    available: {
      rule: available(records, 'rule'),
      reference: available(records, 'reference'),
      skill: available(records, 'skill'),
      tool: available(records, 'tool'),
    },
    remarks: firstRemarks(context.remarks),
  };
}

/** Returns the first remarks. If others are hidden, the last remark begins with a text such as `And 3 more.`. */
function firstRemarks(all: readonly Remark[]): readonly Remark[] {
  const next = all[MOST_REMARKS];
  const rest = all.length - MOST_REMARKS;
  const more = next === undefined ? [] : [{ ...next, text: `${rest === 1 ? '' : `${String(rest)} more problems, such as: `}${next.text}` }];
  return [...all.slice(0, MOST_REMARKS), ...more];
}

/** Returns the number of items of a type. Every item has one record, whether or not it is in the request. */
function available(records: readonly ContextRecord[], type: CatalogType): number {
  return records.filter(({ item }) => item.type === type).length;
}

/** Returns the figures of the next request, except the summary forecast. `blocks` are the rows of the request. */
export function nextRequestView(
  composed: ComposedRequest,
  blocks: readonly BlockView[],
  state: Pick<ChatState, 'attempts' | 'runs' | 'config' | 'timeline' | 'context' | 'extent' | 'lessons'>,
): Omit<NextRequestView, 'summary' | 'observation' | 'unknownServers'> {
  const { config } = state;
  const { adaptations, budget, size, isPartial, model, records } = composed;
  const isShortened = composed.excess !== null && isAutomatic(config) && fitsWithNote(composed, composed);
  const problem = isShortened ? null : overBudget(composed);
  const shares: Share[] = CATEGORIES.map((category) => ({
    category,
    tokens: sumTokens(blocks.filter((block) => block.category === category)),
  }));
  shares.push({ category: 'framing', tokens: size.counted - sumTokens(blocks) });
  return {
    totalTokens: size.tokens,
    basis: isPartial ? 'atLeast' : size.basis,
    providerCount: providerCount(composed),
    error: size.error,
    adaptations: adaptationSentences(adaptations, model.label),
    warnings: [...cutWarning(state, model), ...agentWarning(composed), ...changedTools(composed, state), ...droppedSentences(records)],
    newItems: newItems(records),
    unused: unusedView(composed, state),
    unusedServers: unusedServersView(composed, state),
    budget,
    limit: promptLimit(config, model),
    reservedTokens: config.reservedResponseTokens,
    shares: shares.filter((share) => share.tokens > 0),
    ...inputCostView(composed, state),
    ...cacheView(composed, state),
    isRestricted: composed.context.isRestricted,
    history: historyStatus(composed, config),
    ...replyView(composed, state),
    isPretended: model.prices?.isPretended === true,
    isShortened,
    problem,
    isOwnLimit: problem !== null && isOwnLimit(composed, config),
    assumedLimit: composed.isLimitAssumed ? { ...model.ref, label: model.label } : null,
    offersSummary: problem !== null && !isPartial && fitsWithSummary(composed, composed),
    shortening: problem === null ? null : shorteningView(composed),
  };
}

/** Returns whether the cache may contain a part of the request, and whether a new summary changes this part. */
function cacheView(
  composed: ComposedRequest,
  state: Parameters<typeof isNewSummary>[1] & Parameters<typeof mayBeCached>[0],
): Pick<NextRequestView, 'mayBeCached' | 'isRewritten'> {
  const isPossible = mayBeCached(state, composed.model);
  return { mayBeCached: composed.forecast === null && isPossible, isRewritten: isPossible && isNewSummary(composed, state) };
}

/** Returns the price and forecast of the input; null when the input was only partly counted. */
function inputCostView(
  composed: ComposedRequest,
  state: Pick<ChatState, 'attempts' | 'extent'>,
): Pick<NextRequestView, 'inputCost' | 'forecast'> {
  const { isPartial, forecast, inputCost } = composed;
  if (isPartial) {
    return { inputCost: null, forecast: null };
  }
  return forecast === null
    ? { inputCost, forecast: null }
    : { inputCost: forecast.costNow, forecast: forecastView({ ...composed, forecast }, state) };
}

/** Returns the usual price of a reply, and whether the total is unusual for this chat. */
function replyView(
  composed: ComposedRequest,
  state: Pick<ChatState, 'attempts' | 'runs' | 'extent'>,
): Pick<NextRequestView, 'reply' | 'unusual'> {
  const reply = typicalReply(state, composed);
  const { inputCost } = inputCostView(composed, state);
  return { reply, unusual: unusualPrice(inputCost === null ? null : inputCost + (reply?.median ?? 0), state) };
}

function providerCount({ counting }: ComposedRequest): ProviderCount | null {
  return counting === null
    ? null
    : { label: counting.label, isOn: counting.countsTokens, switchable: isVscodeProvider(counting.id) ? null : counting.id };
}

function unusedView({ prompt }: ComposedRequest, state: Pick<ChatState, 'timeline' | 'attempts' | 'context'>): UnusedItems {
  const keys = unusedItems(state);
  const held = promptBlocks(prompt).filter(({ item }) => item !== null && keys.includes(item));
  return { keys, tokens: sumTokens(held), replies: UNUSED_REPLIES };
}

function unusedServersView(composed: ComposedRequest, state: Pick<ChatState, 'timeline' | 'attempts'>): readonly UnusedServer[] {
  const tools = toolsByServer(composed.records);
  return unusedServers(composed, state).map((name) => {
    const keys = (tools.get(name) ?? []).map(({ item }) => itemKey(item));
    return { name, tokens: sumTokens(promptBlocks(composed.prompt).filter(({ item }) => item !== null && keys.includes(item))) };
  });
}

function agentWarning({ missingAgent, context }: ComposedRequest): readonly string[] {
  if (missingAgent === null) {
    return [];
  }
  return context.isRestricted
    ? [`In Restricted Mode, Loupe does not send the prompt of the agent ${missingAgent}. Trust this folder to send it.`]
    : [`The agent ${missingAgent} does not exist, so Loupe cannot send its prompt. Choose another agent in the chat settings.`];
}

/** Returns a warning when the server has probably cut the latest request of the chat. */
export function cutWarning({ lessons }: Pick<ChatState, 'lessons'>, { ref }: Pick<Model, 'ref'>): readonly string[] {
  const cut = latestCut(lessons.get(modelKey(ref))?.samples ?? []);
  return cut === null
    ? []
    : [
        `The server has probably cut your last request: Loupe counted ${tokens(cut.counted)} tokens, but the server reported ${tokens(cut.reported)}. ` +
          'Raise the context size of the server, or set maxInputTokens of the model to the context size of the server.',
      ];
}

function shorteningView(composed: ComposedRequest): NextRequestView['shortening'] {
  const shortening = shorteningOf(composed, composed);
  const { budget, model } = composed;
  const prices = billedPrices(model.prices);
  return shortening === null ? null : { cost: prices === null ? null : costOfShortening({ ...shortening, budget }, prices) };
}

/** Whether the request contains a summary that is new or different since the last request. */
function isNewSummary({ prompt }: ComposedRequest, state: Pick<ChatState, 'attempts' | 'runs' | 'timeline'>): boolean {
  const summary = promptBlocks(prompt).find(({ key }) => key.startsWith(SUMMARY_KEY));
  const sent = summary === undefined ? undefined : manifestBase(state)?.content?.blocks;
  return sent !== undefined && !sent.some(({ key, hash }) => key === summary?.key && hash === summary.hash);
}

/** Whether the cache may hold a part of the next request, because an earlier request read or wrote cached tokens. */
function mayBeCached({ attempts, config }: Pick<ChatState, 'attempts' | 'config'>, { ref, capabilities }: Model): boolean {
  // A provider without breakpoints caches automatically, with any cache mode of the chat.
  if (config.cacheMode === 'all-off' && capabilities.cache.kind === 'marks') {
    return false;
  }
  const key = modelKey(ref);
  return [...attempts.values()].some(({ model, end }) => {
    const { cacheReadInputTokens = null, cacheCreationInputTokens = null } = end?.usage ?? {};
    return modelKey(model) === key && ((figureValue(cacheReadInputTokens) ?? 0) > 0 || (figureValue(cacheCreationInputTokens) ?? 0) > 0);
  });
}

/** Whether the limits of the chat settings make the request too long, and not the limit of the model. */
function isOwnLimit(
  { excess, isPartial, isLimitAssumed, size, model: { maxInputTokens } }: ComposedRequest,
  { maxPromptTokens }: Pick<ChatState['config'], 'maxPromptTokens'>,
): boolean {
  if (excess?.budget === 0) {
    return true;
  }
  if (maxInputTokens === null) {
    return !isLimitAssumed;
  }
  // When only a part was counted, the size is a minimum.
  return isPartial ? maxPromptTokens !== null && maxPromptTokens < maxInputTokens : size.tokens <= maxInputTokens;
}

/** Returns the chips of the chat's context items, each with its tokens or a warning. */
export function contextChips(composed: ComposedRequest, state: ChatState): ContextChip[] {
  const { prompt, cuts, context } = composed;
  const blocks = promptBlocks(prompt).filter(({ item }) => item !== null);
  const sent = lastSent(manifestBase(state)?.content ?? null);
  // Tools have no chips of their own.
  const resolved = context.resolved.filter(({ item }) => item.type !== 'tool');
  const held = resolved.filter(({ notSelectedReason }) => notSelectedReason === null).map(({ item }) => itemKey(item));
  const whole = new Set(held.filter((key) => !cuts.has(key)));
  const chips = resolved.map((entry): ContextChip => {
    const { item, notSelectedReason } = entry;
    const key = itemKey(item);
    const own = blocks.filter((block) => block.item === key);
    return {
      key,
      name: shownName(item),
      files: null,
      tokens: own.length === 0 ? null : sumTokens(own),
      warning:
        (notSelectedReason === null ? null : refusal(item, notSelectedReason)) ??
        noRoom(item, composed) ??
        (hasChanged(entry, own.at(-1), sent) ? CHANGED : null) ??
        sentTwice(item, whole),
    };
  });
  return [...chips, ...leavingChips(composed, state)];
}

/** Hashes of the latest request for a reply, by item. `blocks`: of sent copies. `files`: of cut files, uncut. */
interface SentHashes {
  readonly blocks: ReadonlyMap<string | null, string>;
  readonly files: ReadonlyMap<string, string>;
}

function lastSent(content: Pick<ManifestContent, 'blocks' | 'context'> | null): SentHashes {
  const { blocks, context } = content ?? { blocks: [], context: [] };
  return {
    blocks: new Map(blocks.map((block) => [block.item, copyHashOf(block)])),
    files: new Map(context.flatMap(({ item, cut }) => (cut === undefined ? [] : [[itemKey(item), cut.hash]]))),
  };
}

const CHANGED = { kind: 'changed', text: 'Changed since the last reply. The next request sends the new version.' } as const;

function refusal(item: RequestContextItem, reason: NotSelectedReason): ContextChip['warning'] {
  if (reason.code === 'notRead') {
    return { kind: 'unread', text: notSelectedText(item, reason) };
  }
  const isGone = reason.code === 'missing' || reason.code === 'notInCatalog' || reason.code === 'givenTextGone';
  return { kind: isGone ? 'missing' : 'refused', text: notSelectedText(item, reason) };
}

function noRoom(item: ContextItemBase, { cuts }: ComposedRequest): ContextChip['warning'] {
  const cut = cuts.get(itemKey(item));
  return cut === undefined ? null : { kind: cut.lines === 0 ? 'refused' : 'cut', text: droppedSentence(item.name, cut) };
}

/** Whether an item has changed since the latest request for a reply; if not sent yet, since the user added it. */
function hasChanged({ item, hash }: ResolvedItem, block: Block | undefined, { files, blocks }: SentHashes): boolean {
  const key = itemKey(item);
  const before = blocks.get(key);
  const known = files.get(key) ?? (before === undefined ? item.addedHash : null);
  if (known !== null) {
    return known !== hash;
  }
  return before !== undefined && before !== (block === undefined ? undefined : copyHashOf(block));
}

/** Returns the hash of the item's text that the model knows after this block. */
function copyHashOf({ copyHash, hash }: Pick<Block, 'copyHash' | 'hash'>): string {
  return copyHash ?? hash;
}

/** Warns about a selection whose whole file is also in the request. `held` are the keys of items in the request. */
function sentTwice(item: ContextItemBase, held: ReadonlySet<string>): ContextChip['warning'] {
  const { path, lines } = parseSelectionName(item.name);
  return item.type === 'file' && lines !== null && held.has(itemKey({ type: 'file', name: path }))
    ? { kind: 'twice', text: `The chat also contains the whole file ${path}, so requests contain these lines twice.` }
    : null;
}

/** Returns the chips of removed items that are still sent. Each shows the price of no longer sending it. */
function leavingChips({ prompt, size, model }: ComposedRequest, { leaving }: ChatState): ContextChip[] {
  const blocks = promptBlocks(prompt);
  const prices = billedPrices(model.prices);
  const rates = prices === null ? null : ratesOf(prices, size.tokens);
  return [...leaving].flatMap(([key, { name }]): ContextChip[] => {
    const first = blocks.findIndex(({ item }) => item === key);
    if (first === -1) {
      return [];
    }
    const own = sumTokens(blocks.filter(({ item }) => item === key));
    const behind = sumTokens(blocks.slice(first)) - own;
    const text = `You removed this item, but requests still contain it. Loupe stops sending it when the removal costs nothing extra. ${nowText(scaledTokens(behind, size), rates)}`;
    return [{ key, name, files: null, tokens: own, warning: { kind: 'leaving', text } }];
  });
}

/** Returns a sentence with the maximum price: everything after the item is written to the cache again. */
function nowText(rewritten: number, rates: Rates | null): string {
  const cost = rates === null ? null : (rewritten * (rates.cacheWrite5m - rates.cacheRead)) / PER_MILLION;
  return `To stop sending it now, remove the item again. The provider then writes ${tokens(rewritten)} tokens to its cache again${cost === null ? '' : `, for about ${price(cost)}`}.`;
}
