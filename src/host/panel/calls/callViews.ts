import { lastRun } from '../../../engine/chat/branch.js';
import { isWaiting, newCall, type CallState } from '../../../engine/chat/calls/calls.js';
import {
  contentText,
  callsTools,
  type AssistantMessage,
  type ToolResultsMessage,
  type Message,
} from '../../../engine/chat/message/message.js';
import type { ToolCallPart, ToolResultPart, ToolResultContent } from '../../../engine/model/part.js';
import type { ReplyPart } from '../../../engine/chat/message/reply.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { textBegin } from '../../../engine/chat/message/textBegin.js';
import type { Timeline } from '../../../engine/chat/timeline.js';
import type { JsonObject } from '../../../engine/json.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import { INLINE_TEXT_BYTES } from '../../../engine/run/largeTexts.js';
import type { ToolApprovalView, ToolCallStatus, ToolCallView, ToolResultView } from '../../../protocol/panel/toolCalls.js';

/** Bytes of a token: results are code and prose mostly. The row says that it is an estimate. */
const BYTES_PER_TOKEN = 4;

/** The results of a reply's calls; null while its round goes on, or where it was never ended. */
export interface RoundResults {
  readonly runId: string | null;
  readonly message: ToolResultsMessage;
}

/** A round of calls as the chat knows it. */
export interface Round {
  readonly message: AssistantMessage;
  /** Null outside a run, as in a fork. */
  readonly runId: string | null;
  readonly results: RoundResults | null;
  /** Whether no later reply calls tools. */
  readonly isNewest: boolean;
}

type Begun = Omit<Round, 'isNewest'>;

/** Which results belong to which reply, found while the messages pass in their order. */
export class Rounds {
  readonly #newestId: string | null;
  #open: { round: Begun } | null = null;

  /** `timeline` is all of it, of which a part may be on show. */
  constructor(timeline: Timeline) {
    const newest = timeline.findLast((item) => item.kind === 'message' && callsTools(item.message));
    this.#newestId = newest?.kind === 'message' ? newest.message.id : null;
  }

  /** To be called for each message that has an entry; the function gives its round once all have passed. */
  at(message: Message, runId: string | null): () => Round {
    if (message.role !== 'assistant') {
      return () => {
        throw new RangeError(`The message ${message.id} calls no tools.`);
      };
    }
    const held: { round: Begun } = { round: { message, runId, results: null } };
    this.#open = callsTools(message) ? held : this.#open;
    return () => ({ ...held.round, isNewest: message.id === this.#newestId });
  }

  ended(results: { readonly runId: string | null; readonly message: ToolResultsMessage }): void {
    if (this.#open !== null && this.#open.round.results === null) {
      const found: RoundResults = results;
      this.#open.round = { ...this.#open.round, results: found };
    }
  }
}

/** The views of the calls of replies. What never changes any more is kept. */
export class CallViews {
  readonly #results = new WeakMap<ToolResultPart, Omit<ToolResultView, 'messageId'>>();

  /** The call of a reply that has ended. */
  of(part: ToolCallPart, round: Round, state: ChatState): ToolCallView {
    const { results } = round;
    const { call, run } = callIn(part.id, round, state);
    const result = results?.message.parts.find(({ callId }) => callId === part.id) ?? call.end?.result ?? null;
    return {
      ...told(part, call),
      status: result === null ? openStatus(call, run) : { kind: endOf(result, call, run) },
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

/** A tool result as the panel shows it: only the beginning of a large one, whether or not it is kept as a blob. */
export function resultView({ content }: Pick<ToolResultPart, 'content'>): Omit<ToolResultView, 'messageId'> {
  const text = content.map(contentText).join('\n');
  const bytes = content.reduce((sum, item) => sum + sizeOf(item), Math.max(0, content.length - 1));
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN);
  if (bytes <= INLINE_TEXT_BYTES) {
    return { text, cut: null, tokens };
  }
  const begin = textBegin(text);
  return { text: begin, cut: { characters: Array.from(begin).length, bytes }, tokens };
}

/** In UTF-8 bytes. */
function sizeOf(content: ToolResultContent): number {
  return content.type === 'blob' ? content.bytes : Buffer.byteLength(contentText(content), 'utf8');
}

/** A call that a model is writing. */
export function writtenCall(part: Extract<ReplyPart, { readonly type: 'toolCall' }>): ToolCallView {
  const none = { approval: null, durationMs: null, result: null } as const;
  const { id: callId, name, rawArgs: args, isSplitOff } = part;
  const said = { type: 'toolCall', callId, name, serverName: null, args, subject: '', isSplitOff: isSplitOff === true } as const;
  return { ...said, status: { kind: 'pending' }, ...none };
}

/** What the model called, with the tool's own name where that is known. */
function told({ id: callId, name, rawArgs, args, isSplitOff }: ToolCallPart, { asked }: CallState) {
  const serverName = asked === null || asked.serverName === WORKSPACE_SERVER ? null : asked.serverName;
  const subject = args === null ? '' : subjectOf(args);
  const said = { type: 'toolCall', callId, name: asked?.name ?? name, serverName, args: rawArgs, subject } as const;
  return { ...said, isSplitOff: isSplitOff === true };
}

interface Found {
  readonly call: CallState;
  /** Undefined for a call that was copied from another chat. */
  readonly run: RunState | undefined;
}

/** The state of a call, and the run that it is of: a round that was interrupted goes on in a later run. */
function callIn(callId: string, { runId, results, isNewest }: Round, state: ChatState): Found {
  if (results !== null) {
    const run = state.runs.get(results.runId ?? '');
    return { call: stateOf(callId, run, results.message.id) ?? newCall(callId), run };
  }
  const own = state.runs.get(runId ?? '');
  const later = isNewest ? lastRun(state) : undefined;
  const run = later?.cause === 'continue' ? later : own;
  return { call: stateOf(callId, run, null) ?? stateOf(callId, own, null) ?? newCall(callId), run };
}

function stateOf(callId: string, run: RunState | undefined, settledBy: string | null): CallState | undefined {
  return run?.calls.findLast((call) => call.callId === callId && call.settledBy === settledBy);
}

/** The status of a call without a result. */
function openStatus(call: CallState, run: RunState | undefined): ToolCallStatus {
  const { asked, startedAt, progress } = call;
  const isRunning = run?.status === 'running';
  if (asked !== null && isWaiting(call) && (isRunning || run?.status === 'interrupted')) {
    const { saysItOnlyReads, hasChanged } = asked;
    return { kind: 'waiting', question: { saysItOnlyReads, hasChanged, change: null } };
  }
  if (!isRunning) {
    return { kind: 'lost' };
  }
  return startedAt === null ? { kind: 'pending' } : { kind: 'running', startedAt, progress };
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
  const holds = scope === 'always' ? !takenBack.has(asked.binding) : scope === 'chat' && allowedTools.has(asked.binding);
  return { scope, reason, binding: holds ? asked.binding : null };
}

/** Names of arguments that tell what a call is about, the best first. */
const SUBJECTS = ['path', 'file_path', 'file', 'command', 'query', 'pattern', 'url', 'name', 'text'];

/** Longer ones are cut by the row anyway. */
const MOST_SUBJECT = 200;

/** What a call is about, by its arguments; empty where they do not tell. */
export function subjectOf(args: JsonObject): string {
  const named = SUBJECTS.map((name) => args[name]).find((value) => typeof value === 'string');
  const value = named ?? Object.values(args).find((each) => typeof each === 'string');
  return typeof value === 'string' ? value.slice(0, MOST_SUBJECT) : '';
}
