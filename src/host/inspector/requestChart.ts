import { ledgerTotals } from '../../engine/chat/ledger.js';
import { usedParts } from '../../engine/model/inputParts.js';
import { type AttemptState, isReplyEstimated } from '../../engine/chat/slices/attempts.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { Block } from '../../engine/model/block.js';
import { ManifestContents } from '../../engine/request/manifestContents.js';
import type { ChartRequest, InspectorChart, RequestSign } from '../../protocol/inspector/inspector.js';
import { tokens } from '../../protocol/numbers.js';

/** Returns the requests of a chat as bars. The totals exclude requests that a fork copied. */
export function requestChart(state: ChatState, chat: string): InspectorChart {
  const contents = new ManifestContents(state.attempts);
  const edits = editTimes(state);
  const items = new Map<string, string>();
  let last = -Infinity;
  const requests: ChartRequest[] = [];
  for (const attempt of state.attempts.values()) {
    const { startedAt } = attempt;
    const blocks = attempt.purpose === 'reply' ? (contents.of(attempt)?.blocks ?? []) : [];
    const isEdited = attempt.purpose === 'reply' && edits.some((at) => at > last && at <= startedAt);
    const signs: RequestSign[] = [
      ...(isEdited ? (['edit'] as const) : []),
      ...(attempt.purpose === 'summary' ? (['summary'] as const) : []),
    ];
    last = attempt.purpose === 'reply' ? startedAt : last;
    requests.push({ id: attempt.id, ...sizeOf(attempt), signs, changed: inWords(recordContents(items, blocks)) });
  }
  const { promptTokens, cacheReadInputTokens: read, cacheCreationInputTokens, ...totals } = ledgerTotals(state);
  return {
    chat,
    requests,
    input: promptTokens + read + cacheCreationInputTokens,
    read,
    output: totals.completionTokens,
    isOutputEstimated: [...state.attempts.values()].some(({ end, inheritedFrom }) => inheritedFrom === null && isReplyEstimated(end)),
    cost: totals.cost,
    unknown: totals.unknownAttempts + countOpen(state),
  };
}

/** Returns the number of requests whose reply is in progress. */
function countOpen({ attempts }: Pick<ChatState, 'attempts'>): number {
  return [...attempts.values()].filter(({ end }) => end === null).length;
}

/** Adds the contents of files, rules and other items to `known`. Returns the items that changed, by key. */
function recordContents(
  known: Map<string, string>,
  blocks: readonly Pick<Block, 'item' | 'hash' | 'copyHash' | 'category'>[],
): readonly string[] {
  const changed = new Set<string>();
  for (const { item, hash, copyHash, category } of blocks) {
    if (item !== null && category !== 'tools' && category !== 'editor') {
      const content = copyHash ?? hash;
      if ((known.get(item) ?? content) !== content) {
        changed.add(item);
      }
      known.set(item, content);
    }
  }
  return [...changed];
}

function inWords([first, ...more]: readonly string[]): string | null {
  if (first === undefined) {
    return null;
  }
  const name = first.startsWith('repository:') ? 'the repository map' : first.replace(/^[^:]*:/, '');
  return `${name}${more.length === 0 ? '' : ` and ${tokens(more.length)} more`}`;
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
