import {
  joinedTexts,
  contentText,
  callsTools,
  toolCallsOf,
  type AssistantMessage,
  type ToolResultsMessage,
} from '../../../engine/chat/message/message.js';
import type { AssistantPart, ImagePart, ToolCallPart, ToolResultPart, ToolResultContent } from '../../../engine/model/part.js';
import type { ReplyPart } from '../../../engine/chat/message/reply.js';
import { stepFiles } from '../../../engine/chat/writtenFiles.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { figureValue, inputTokens } from '../../../engine/model/usage.js';
import { forecastError } from '../../../engine/diagnosis/forecastAccuracy.js';
import type {
  AskedCallView,
  ToolApprovalView,
  ToolCallStatus,
  ToolCallView,
  ToolQuestionView,
  ToolResultView,
  WrittenFileView,
} from '../../../protocol/panel/toolCalls.js';
import type { ImageView, RequestFigures, PartView, UsageLine } from '../../../protocol/panel/entries.js';
import { lastRun } from '../../../engine/chat/branch.js';
import { isWaiting, newCall, type AskedTool, type CallState } from '../../../engine/chat/calls/calls.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import { textBegin } from '../../../engine/chat/message/textBegin.js';
import type { Timeline } from '../../../engine/chat/timeline.js';
import type { JsonObject } from '../../../engine/json.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import { INLINE_TEXT_BYTES } from '../../../engine/run/largeTexts.js';
import { IMAGE_TOKENS } from '../../../engine/tokens/imageTokens.js';
import { RUN_COMMAND } from '../../tools/workspace/runCommand.js';

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

/** Bytes per token of tool results, which are mostly code and prose. The panel marks the number as an estimate. */
const BYTES_PER_TOKEN = 4;

/** A reply with its tool calls. */
export interface CallStep {
  readonly message: AssistantMessage;
  /** Null for a message that belongs to no run, such as one that was copied into a fork. */
  readonly runId: string | null;
  /** Id of the user message whose next run can complete the open calls. Null when no run can complete them. */
  readonly openIn: string | null;
  /** The results with their run, or null while the tools run, or when the step never ended. */
  readonly results: { readonly runId: string | null; readonly message: ToolResultsMessage } | null;
}

/** Matches tool results to the replies that called the tools. `timeline` must consist of whole turns. */
export function callSteps(timeline: Timeline): (message: AssistantMessage, runId: string | null) => CallStep {
  const ends = new Map<string, Pick<CallStep, 'openIn' | 'results'>>();
  let turn: string | null = null;
  let open: string | null = null;
  for (const item of timeline) {
    const message = item.kind === 'message' ? item.message : null;
    if (message?.role === 'user') {
      turn = message.id;
    } else if (message?.role === 'assistant' && callsTools(message)) {
      ends.delete(open ?? '');
      open = message.id;
      ends.set(open, { openIn: turn, results: null });
    } else if (message?.role === 'tool-results' && open !== null) {
      ends.set(open, { openIn: null, results: { runId: item.runId, message } });
      open = null;
    }
  }
  return (message, runId) => ({ message, runId, ...(ends.get(message.id) ?? { openIn: null, results: null }) });
}

/** Derives the views of tool calls. Caches the views of tool results, which never change. */
export class CallViews {
  readonly #results = new WeakMap<ToolResultPart, Omit<ToolResultView, 'messageId'>>();

  of(part: ToolCallPart, step: CallStep, state: ChatState): ToolCallView {
    const { results } = step;
    const { call, run } = callIn(part.id, step, state);
    const result = results?.message.parts.find(({ callId }) => callId === part.id) ?? call.end?.result ?? null;
    return {
      ...describedCall(part, call.asked),
      status:
        result === null ? openStatus(part, { call, run }, () => askedTogether(call, step, state)) : { kind: endOf(result, call, run) },
      approval: approvalView(call, state),
      durationMs: call.end?.durationMs ?? null,
      result: result === null || result.synthetic ? null : { ...this.#resultView(result), messageId: results?.message.id ?? null },
    };
  }

  #resultView(part: ToolResultPart): Omit<ToolResultView, 'messageId'> {
    const known = this.#results.get(part) ?? resultView(part);
    this.#results.set(part, known);
    return known;
  }
}

/** Returns the view of a tool result. Of a large result, the panel gets only the beginning. */
export function resultView({ content }: Pick<ToolResultPart, 'content'>): Omit<ToolResultView, 'messageId'> {
  const images = content.filter((item) => item.type === 'image');
  const texts = content.filter((item) => item.type !== 'image');
  const text = texts.map(contentText).join('\n');
  const bytes = texts.reduce((sum, item) => sum + sizeOf(item), Math.max(0, texts.length - 1));
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN) + images.length * IMAGE_TOKENS;
  if (bytes <= INLINE_TEXT_BYTES) {
    return { text, images, cut: null, tokens };
  }
  const begin = textBegin(text);
  return { text: begin, images, cut: { characters: Array.from(begin).length, bytes }, tokens };
}

function sizeOf(content: Exclude<ToolResultContent, ImagePart>): number {
  return content.type === 'blob' ? content.bytes : Buffer.byteLength(contentText(content), 'utf8');
}

/** Returns the view of a tool call that the model is still writing. */
function writtenCall(part: Extract<ReplyPart, { readonly type: 'toolCall' }>): ToolCallView {
  const described = describedCall({ ...part, args: null }, null);
  return { ...described, status: { kind: 'pending' }, approval: null, durationMs: null, result: null };
}

type DescribedPart = Pick<ToolCallPart, 'id' | 'name' | 'rawArgs' | 'args' | 'isSplitOff'>;

/** Describes a tool call for the panel. Uses the tool's name on its server, if known, not the name for the model. */
function describedCall({ id: callId, name, rawArgs, args, isSplitOff }: DescribedPart, asked: CallState['asked']) {
  const serverName = asked === null || asked.serverName === WORKSPACE_SERVER ? null : asked.serverName;
  const subject = args === null ? '' : subjectOf(args);
  const said = { type: 'toolCall', callId, name: asked?.name ?? name, serverName, args: rawArgs, subject } as const;
  return { ...said, isSplitOff: isSplitOff === true };
}

interface CallAndRun {
  readonly call: CallState;
  /** Undefined for a call that was copied from another chat. */
  readonly run: RunState | undefined;
}

/** Returns the state of a call and its run. If a later run continued the step, returns the state in the last run. */
function callIn(callId: string, { runId, openIn, results }: CallStep, state: ChatState): CallAndRun {
  const own = state.runs.get((results ?? { runId }).runId ?? '');
  const last = openIn === null ? undefined : lastRun(state);
  const run = last?.userMessageId === openIn ? last : own;
  const settledBy = results?.message.id ?? null;
  return { call: stateOf(callId, run, settledBy) ?? stateOf(callId, own, settledBy) ?? newCall(callId), run };
}

function stateOf(callId: string, run: RunState | undefined, settledBy: string | null): CallState | undefined {
  return run?.calls.findLast((call) => call.callId === callId && call.settledBy === settledBy);
}

/** `together`: returns the calls of the reply that wait for the same answer. */
function openStatus({ id }: ToolCallPart, { call, run }: CallAndRun, together: () => readonly ToolCallPart[]): ToolCallStatus {
  const { asked, startedAt, progress } = call;
  const isRunning = run?.status === 'running';
  if (asked !== null && isWaiting(call) && (isRunning || run?.status === 'interrupted')) {
    const parts = together();
    if (parts[0]?.id !== id) {
      return { kind: 'waiting', question: null };
    }
    const { saysItOnlyReads, hasChanged, secret, isSetup } = asked;
    const views = parts.map((part) => askedCallView(part, part.id === id ? asked : null));
    const common = { covers: coverage(asked), asked: views, change: null };
    return { kind: 'waiting', question: { ...common, saysItOnlyReads, hasChanged, secret: secret ?? null, isSetup: isSetup === true } };
  }
  if (!isRunning) {
    return { kind: 'lost' };
  }
  return startedAt === null ? { kind: 'pending' } : { kind: 'running', progress };
}

function askedCallView(part: ToolCallPart, known: CallState['asked']): AskedCallView {
  const { name, subject, args } = describedCall(part, known);
  return { name, subject, args };
}

/** Loupe's own tools without an answer for all calls. */
const ASKED_BY_SUBJECT: ReadonlySet<string> = new Set(['read_file', 'list_files', 'search_text', RUN_COMMAND]);

function coverage({ covers, serverName, name, secret, isSetup }: AskedTool): ToolQuestionView['covers'] {
  if (covers !== undefined) {
    return covers.kind;
  }
  const isOwn = serverName === WORKSPACE_SERVER && ASKED_BY_SUBJECT.has(name);
  return isOwn || secret !== undefined || isSetup === true ? 'call' : 'tool';
}

/** Returns the calls of a reply that wait for the same answer as `call`: one call, except for reading. */
function askedTogether({ callId, asked }: CallState, step: CallStep, state: ChatState): readonly ToolCallPart[] {
  return toolCallsOf(step.message).filter((part) => {
    if (part.id === callId || asked?.covers?.kind !== 'reading') {
      return part.id === callId;
    }
    const { call } = callIn(part.id, step, state);
    return isWaiting(call) && call.asked?.binding === asked.binding;
  });
}

function endOf(
  { synthetic, isError }: ToolResultPart,
  { approval }: CallState,
  run: RunState | undefined,
): 'done' | 'failed' | 'stopped' | 'refused' | 'lost' {
  if (approval?.scope === 'refused') {
    return 'refused';
  }
  if (synthetic) {
    return run?.status === 'stopped' ? 'stopped' : 'lost';
  }
  return isError ? 'failed' : 'done';
}

function approvalView({ approval, asked }: CallState, { allowedTools, takenBack }: ChatState): ToolApprovalView | null {
  if (approval === null || asked === null) {
    return null;
  }
  const { scope, reason } = approval;
  const isInChat = scope === 'chat' || scope === 'turn';
  const holds = scope === 'always' ? !takenBack.has(asked.binding) : isInChat && allowedTools.has(asked.binding);
  return { scope, reason, binding: holds ? asked.binding : null };
}

/** Names of arguments that identify a call, best first. */
const SUBJECTS = ['path', 'file_path', 'file', 'command', 'query', 'pattern', 'url', 'name', 'text'];

/** Maximum number of characters. The panel would cut a longer text anyway. */
const MOST_SUBJECT = 200;

/** Returns the argument that best identifies a call, or an empty text. */
export function subjectOf(args: JsonObject): string {
  const named = SUBJECTS.map((name) => args[name]).find((value) => typeof value === 'string');
  const value = named ?? Object.values(args).find((each) => typeof each === 'string');
  return typeof value === 'string' ? value.slice(0, MOST_SUBJECT) : '';
}
