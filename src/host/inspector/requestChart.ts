import { ledgerTotals } from '../../engine/chat/ledger.js';
import { usedParts } from '../../engine/model/inputParts.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { Block } from '../../engine/model/block.js';
import { ManifestContents } from '../../engine/request/manifestContents.js';
import type { ChartRequest, InspectorChart, RequestSign } from '../../protocol/inspector/inspector.js';

/** Returns the requests of a chat as bars. The totals exclude requests that a fork copied. */
export function requestChart(state: ChatState, chat: string): InspectorChart {
  const contents = new ManifestContents(state.attempts);
  const edits = editTimes(state);
  const files = new Map<string, string>();
  let last = -Infinity;
  const requests: ChartRequest[] = [];
  for (const attempt of state.attempts.values()) {
    const { startedAt } = attempt;
    const blocks = attempt.purpose === 'reply' ? (contents.of(attempt)?.blocks ?? []) : [];
    const isEdited = attempt.purpose === 'reply' && edits.some((at) => at > last && at <= startedAt);
    const signs: RequestSign[] = [
      ...(isEdited ? (['edit'] as const) : []),
      ...(attempt.purpose === 'summary' ? (['summary'] as const) : []),
      ...(recordContents(files, blocks) ? (['changedFile'] as const) : []),
    ];
    last = attempt.purpose === 'reply' ? startedAt : last;
    requests.push({ id: attempt.id, ...sizeOf(attempt), signs });
  }
  const { promptTokens, cacheReadInputTokens: read, cacheCreationInputTokens, ...totals } = ledgerTotals(state);
  return {
    chat,
    requests,
    input: promptTokens + read + cacheCreationInputTokens,
    read,
    output: totals.completionTokens,
    cost: totals.cost,
    unknown: totals.unknownAttempts,
  };
}

/** Adds the contents of files and rules to `known`. Returns whether a content differs from an earlier request. */
function recordContents(known: Map<string, string>, blocks: readonly Pick<Block, 'item' | 'hash' | 'copyHash' | 'category'>[]): boolean {
  let hasChanged = false;
  for (const { item, hash, copyHash, category } of blocks) {
    if (item !== null && category !== 'tools' && category !== 'editor') {
      const content = copyHash ?? hash;
      const before = known.get(item);
      hasChanged ||= before !== undefined && before !== content;
      known.set(item, content);
    }
  }
  return hasChanged;
}

function editTimes({ timeline, rewinds }: Pick<ChatState, 'timeline' | 'rewinds'>): readonly number[] {
  return [timeline, ...rewinds.values()].flatMap((branch) =>
    branch.flatMap((item) =>
      item.kind === 'message' && item.message.role === 'accounting' && item.message.reason === 'edited' ? [item.at] : [],
    ),
  );
}

function sizeOf({ end, manifest }: AttemptState): Pick<ChartRequest, 'parts' | 'isReported'> {
  const usage = end?.usage ?? null;
  const parts = usage === null ? null : usedParts(usage);
  if (usage === null || parts === null) {
    return { parts: { read: 0, written: 0, fresh: manifest.size.tokens }, isReported: false };
  }
  return { parts, isReported: usage.promptTokens?.source !== 'estimated' };
}
