import { joinedTexts } from '../../engine/chat/message/message.js';
import type { AssistantPart, ToolCallPart } from '../../engine/model/part.js';
import type { ReplyPart } from '../../engine/chat/message/reply.js';
import { stepFiles } from '../../engine/chat/writtenFiles.js';
import type { ChatState } from '../../engine/chat/state.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { figureValue, inputTokens } from '../../engine/model/usage.js';
import { forecastError } from '../../engine/diagnosis/forecastAccuracy.js';
import type { ToolCallView, WrittenFileView } from '../../protocol/panel/toolCalls.js';
import type { ImageView, RequestFigures, PartView, UsageLine } from '../../protocol/panel/entries.js';
import { writtenCall, type CallStep } from './calls/callViews.js';

/** Returns the view of a part of a streaming or interrupted reply. */
export function arrivedPart(part: ReplyPart | AssistantPart): PartView {
  return part.type === 'toolCall' ? writtenCall(part) : contentView(part);
}

export function brokenOffParts(parts: readonly (ReplyPart | AssistantPart)[], end: AttemptState['end']): PartView[] {
  return withReasoningTimes(parts.map(arrivedPart), end);
}

export function messageParts(
  parts: readonly AssistantPart[],
  end: AttemptState['end'],
  callView: (part: ToolCallPart) => ToolCallView,
): PartView[] {
  const views = parts.map((part) => (part.type === 'toolCall' ? callView(part) : contentView(part)));
  return withReasoningTimes([...views, ...earlierImages(end)], end);
}

/** Returns the images of a reply that version 0.1.0 logged, which are not parts of the message. */
function earlierImages(end: AttemptState['end']): ImageView[] {
  return (end?.extras ?? []).flatMap((extra) =>
    extra.type === 'image' && extra.blob !== null ? [{ ...extra, blob: extra.blob, width: null, height: null }] : [],
  );
}

function contentView(part: Exclude<ReplyPart | AssistantPart, { readonly type: 'toolCall' }>): PartView {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return part;
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ms: null };
  }
}

/** Adds the durations of reasoning. If a reasoning part was dropped, adds none, because durations would not match. */
function withReasoningTimes(parts: readonly PartView[], end: AttemptState['end']): PartView[] {
  const times = end?.reasoningMs ?? [];
  const isWhole = times.length === parts.filter(({ type }) => type === 'reasoning').length;
  let at = 0;
  return joinedTexts(parts).map((view) => (view.type === 'reasoning' ? { ...view, ms: isWhole ? (times[at++] ?? null) : null } : view));
}

/** Returns the usage of an attempt. Null until the attempt has ended, and when it has no usage. */
export function usageLine(attempt: AttemptState): UsageLine | null {
  const { end, startedAt, inheritedFrom, manifest } = attempt;
  const usage = end?.usage ?? null;
  if (end === null || usage === null) {
    return null;
  }
  return {
    ...requestFigures(attempt),
    cachedTokens: figureValue(usage.cacheReadInputTokens),
    writtenTokens: figureValue(usage.cacheCreationInputTokens),
    inputEstimated: usage.promptTokens?.source === 'estimated',
    outputEstimated: usage.completionTokens?.source === 'estimated',
    isCharged: usage.charged !== undefined,
    durationMs: end.at - startedAt,
    forecast: manifest.forecast === undefined ? null : { ...manifest.forecast, off: forecastError(attempt) },
    inherited: inheritedFrom !== null,
  };
}

export function requestFigures({ end, isPretended }: AttemptState): RequestFigures {
  const usage = end?.usage ?? null;
  return {
    inputTokens: usage === null ? null : inputTokens(usage),
    outputTokens: usage === null ? null : figureValue(usage.completionTokens),
    cost: end?.cost?.usd ?? null,
    isAtLeast: end?.cost?.atLeast === true,
    isPretended: isPretended === true,
  };
}

/** Returns each file that the tools of a reply changed, and each file that changed while the tools ran. */
export function writtenFiles({ message, runId, results }: CallStep, { runs }: Pick<ChatState, 'runs'>): readonly WrittenFileView[] {
  const run = runs.get(results?.runId ?? runId ?? '');
  // A reply without tool calls writes no files.
  if (run === undefined || !message.parts.some(({ type }) => type === 'toolCall')) {
    return [];
  }
  const messageId = results?.message.id ?? null;
  return stepFiles(run, messageId).map((file): WrittenFileView => {
    if (file.kind === 'unapplied') {
      return file;
    }
    const { path, added, removed, earlier, left, isUndone } = file;
    const state = isUndone ? 'undone' : left === null ? 'deleted' : 'applied';
    return { kind: 'written', path, added, removed, state, messageId, hasEarlier: earlier.kind !== 'unknown' };
  });
}
