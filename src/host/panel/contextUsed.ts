import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import { itemKey, type ContextItemType, type RequestContext, type RequestContextItem } from '../../engine/context/item.js';
import { manifestBlocksOf, requestContextOf } from '../../engine/request/rebuild.js';
import type { ManifestBlock } from '../../engine/request/manifest.js';
import type { RequestSize } from '../../engine/tokens/requestSize.js';
import type { ContextGroup, ContextItemView, ContextRows, ContextUsed } from '../../protocol/view.js';
import { blockViews, sumTokens } from './blockViews.js';
import { leftOutText } from './leftOutText.js';
import { adaptationSentences, scaledTokens } from '../request/sizeTexts.js';

const TYPES: readonly ContextItemType[] = ['rule', 'reference', 'tool', 'file'];

/** The context of a past request in figures; null when the record is on a damaged line. */
export function contextUsed(attempt: AttemptState, state: ChatState): ContextUsed | null {
  const context = requestContextOf(attempt, state.attempts);
  if (context === null || manifestBlocksOf(attempt, state.attempts) === null) {
    return null;
  }
  const { tokens, basis } = attempt.manifest.size;
  return { summary: contextSummary(context.items), totalTokens: tokens, basis };
}

/** The context of a past request, item by item; null when the record is on a damaged line. */
export function contextRows(attempt: AttemptState, state: ChatState): ContextRows | null {
  const blocks = manifestBlocksOf(attempt, state.attempts);
  const context = requestContextOf(attempt, state.attempts);
  if (blocks === null || context === null) {
    return null;
  }
  const { size, adaptations } = attempt.manifest;
  const rows = blockViews(blocks, size);
  return {
    groups: groups(context, tokensByKey(blocks, size)),
    blocks: rows,
    framingTokens: Math.max(0, size.tokens - sumTokens(rows)),
    adaptations: adaptationSentences(adaptations),
  };
}

function tokensByKey(blocks: readonly ManifestBlock[], size: RequestSize): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const block of blocks) {
    counted.set(block.key, (counted.get(block.key) ?? 0) + block.tokens);
  }
  return new Map([...counted].map(([key, tokens]) => [key, scaledTokens(tokens, size)]));
}

function groups(context: RequestContext, tokens: ReadonlyMap<string, number>): ContextGroup[] {
  const included = context.items.map((item) => itemView(item, tokens.get(itemKey(item)) ?? null, null));
  const leftOut = context.leftOut.map(({ item, reason }) => itemView(item, null, leftOutText(item, reason)));
  return TYPES.flatMap((type) => {
    const items = [...included, ...leftOut].filter((entry) => entry.type === type).map(({ view }) => view);
    return items.length === 0 ? [] : [{ type, items }];
  });
}

function itemView(
  item: RequestContextItem,
  tokens: number | null,
  leftOut: string | null,
): { readonly type: ContextItemType; readonly view: ContextItemView } {
  const name = item.type === 'tool' ? `${item.serverName}:${item.name}` : item.name;
  const file = item.type === 'file' ? itemKey(item) : null;
  const { includeMode, similarityScore } = item;
  return { type: item.type, view: { name, file, includeMode, score: similarityScore ?? null, tokens, leftOut } };
}

/** `2 files, added by you`; with other items `5 rules (3 agent, 2 always), 1 file (manual), 3 tools (all manual)`. */
export function contextSummary(items: readonly RequestContextItem[]): string {
  if (items.length > 0 && items.every(({ type, includeMode }) => type === 'file' && includeMode === 'manual')) {
    return `${String(items.length)} ${items.length === 1 ? 'file' : 'files'}, added by you`;
  }
  const parts = TYPES.flatMap((type) => {
    const modes = items.filter((item) => item.type === type).map((item) => item.includeMode);
    return modes.length === 0 ? [] : [`${String(modes.length)} ${type}${modes.length === 1 ? '' : 's'} (${modeSummary(modes)})`];
  });
  return parts.length === 0 ? 'No files' : parts.join(', ');
}

function modeSummary(modes: readonly RequestContextItem['includeMode'][]): string {
  const counted = (['agent', 'always', 'manual'] as const)
    .map((mode) => ({ mode, count: modes.filter((candidate) => candidate === mode).length }))
    .filter(({ count }) => count > 0);
  const [only] = counted;
  if (counted.length === 1 && only !== undefined) {
    return modes.length === 1 ? only.mode : `all ${only.mode}`;
  }
  return counted.map(({ mode, count }) => `${String(count)} ${mode}`).join(', ');
}
