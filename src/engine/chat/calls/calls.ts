import type { ToolProgress } from '../../ports.js';
import type { ToolResultPart } from '../../model/part.js';
import type { FoldStamp } from '../order/stamp.js';
import { importedEdit, type ToolEdit, type UnappliedEdit } from './toolEdit.js';

/** `turn`: until the run ends, only for `ApprovalSubject`. `always`: on this computer, until the user takes it back. */
export type ApprovalScope = 'once' | 'turn' | 'chat' | 'always' | 'refused';

export interface Approval {
  readonly scope: ApprovalScope;
  /** The user's reason for refusing the call, which the model receives. Null if the user gave no reason. */
  readonly reason: string | null;
}

export interface BoundApproval extends Approval {
  /** The tool version that the approval covers, as in `CallTarget`. */
  readonly binding: string;
}

export interface CallTarget {
  /** Name of the tool on its MCP server. */
  readonly name: string;
  readonly serverName: string;
  /** SHA-256 (hex) of what the user approves: the MCP server's configuration, the tool's description and schema. */
  readonly binding: string;
  /** What the user approves instead of all calls of one tool. `binding` is then the hash of this subject. */
  readonly covers?: ApprovalSubject;
}

/**
 * The subject of an approval of Loupe's own tools: reading any file of the workspace, or one exact command line.
 * `folders`: the URIs of the workspace folders. `folder`: workspace path of the command's working folder.
 */
export type ApprovalSubject =
  | { readonly kind: 'reading'; readonly folders: readonly string[] }
  | { readonly kind: 'command'; readonly folders: readonly string[]; readonly command: string; readonly folder: string };

/** An approval in a chat, which no longer asks about its calls. */
export interface AllowedTool extends CallTarget {
  /** Present if the approval ends with the turn. */
  readonly isForTurn?: true;
}

export interface AskedTool extends CallTarget {
  /** Whether the MCP server declares the tool as read-only. */
  readonly saysItOnlyReads: boolean;
  /** Whether the user allowed the tool for all chats, but its description, schema or server has changed since then. */
  readonly hasChanged: boolean;
  /** Present if the call reads a file that may contain secrets: what shows that. The answer is about this file only. */
  readonly secret?: SignOfSecrets;
  /** Present if the call edits a file that can start programs. The answer is about this call only. */
  readonly isSetup?: true;
}

/** What shows that a file may contain passwords or keys: its usual name, or a text with the form of a key. */
export type SignOfSecrets = 'name' | 'text';

interface CallReference {
  readonly callId: string;
}

export type CallEvent =
  /** A call needs approval, even if an earlier decision covers it. `argsHash`: SHA-256 (hex) of its arguments. */
  | (CallReference & AskedTool & { readonly type: 'tool-asked'; readonly argsHash: string })
  /** The user's decision, or an earlier decision that covers the tool. Another VS Code window may write this event. */
  | (CallReference & Approval & { readonly type: 'tool-approval'; readonly argsHash: string })
  | (CallReference & { readonly type: 'tool-started'; readonly name: string })
  /** A progress report of the tool's server. Shown in the panel but never logged. */
  | (CallReference & { readonly type: 'tool-progress'; readonly progress: ToolProgress })
  /** Logged at the end of each call, so that `result` survives a crash before the tool-results message of the step. */
  | (CallReference & {
      readonly type: 'tool-ended';
      readonly result: ToolResultPart;
      readonly durationMs: number;
      readonly edits: readonly ToolEdit[];
      /** An edit that the tool did not apply. Missing when the tool applied all edits. */
      readonly unapplied?: UnappliedEdit;
    });

export interface CallState {
  readonly callId: string;
  /** The question whether the call may run. Null if the tool needs no approval. */
  readonly asked: (AskedTool & { readonly argsHash: string }) | null;
  /** The user's decision. Null until the user answers. */
  readonly approval: Approval | null;
  /** Start time in epoch milliseconds. Null until the tool has started. */
  readonly startedAt: number | null;
  /** The server's latest progress report. Null before the first report. */
  readonly progress: ToolProgress | null;
  /** The outcome of the call. Null until the tool has ended. */
  readonly end: CallEnd | null;
  /** Id of the tool-results message of the call's step. Null until that message exists. */
  readonly settledBy: string | null;
}

export interface CallEnd {
  /** The tool's result. Null once the tool-results message of the step contains it. */
  readonly result: ToolResultPart | null;
  readonly durationMs: number;
  readonly edits: readonly ToolEdit[];
  readonly unapplied?: UnappliedEdit;
}

type Calls = readonly CallState[];
type CallEventOf<T extends CallEvent['type']> = Extract<CallEvent, { readonly type: T }> & FoldStamp;

/** Returns whether a call waits for the user's approval. */
export function isWaiting(call: CallState): boolean {
  return mayStart(call) && call.approval === null;
}

/** Returns whether a call needs approval, has not started and has no result. The user's answer does not matter. */
export function mayStart({ asked, startedAt, settledBy }: CallState): boolean {
  return asked !== null && startedAt === null && settledBy === null;
}

/** Returns what this call's approval allows for the rest of the turn or chat. Null without such an approval. */
export function allowedByCall({ asked, approval }: CallState): AllowedTool | null {
  if (asked === null || (approval?.scope !== 'chat' && approval?.scope !== 'turn')) {
    return null;
  }
  const { name, serverName, binding, covers } = asked;
  const target = { name, serverName, binding, ...(covers === undefined ? {} : { covers }) };
  return approval.scope === 'turn' ? { ...target, isForTurn: true } : target;
}

/** Records that a call needs approval. Drops the user's earlier answer if the tool has changed since that answer. */
export function askedCall(calls: Calls, { callId, argsHash, ...event }: CallEventOf<'tool-asked'>): Calls {
  const { name, serverName, binding, saysItOnlyReads, hasChanged, covers, secret, isSetup } = event;
  const asked = {
    ...{ name, serverName, binding, saysItOnlyReads, hasChanged, argsHash },
    ...(covers === undefined ? {} : { covers }),
    ...(secret === undefined ? {} : { secret }),
    ...(isSetup === undefined ? {} : { isSetup }),
  };
  return changeCall(calls, callId, (call) => ({
    ...call,
    asked,
    approval: call.asked === null || call.asked.binding === binding ? call.approval : null,
  }));
}

/** Records the user's answer. Later answers from any VS Code window, and answers about other arguments, are ignored. */
export function answeredCall(calls: Calls, { callId, argsHash, scope, reason }: CallEventOf<'tool-approval'>): Calls {
  return changeCall(calls, callId, (call) =>
    call.approval === null && call.asked?.argsHash === argsHash ? { ...call, approval: { scope, reason } } : call,
  );
}

export function startedCall(calls: Calls, { callId, at }: CallEventOf<'tool-started'>): Calls {
  return changeCall(calls, callId, (call) => ({ ...call, startedAt: at }));
}

export function progressedCall(calls: Calls, { callId, progress }: CallEventOf<'tool-progress'>): Calls {
  return changeCall(calls, callId, (call) => ({ ...call, progress }));
}

/** Records the end of a call. A second end of the same call is ignored. */
export function endedCall(calls: Calls, { callId, result, durationMs, edits, unapplied }: CallEventOf<'tool-ended'>): Calls {
  const end = { result, durationMs, edits, ...(unapplied === undefined ? {} : { unapplied }) };
  return changeCall(calls, callId, (call) => (call.end === null ? { ...call, end } : call));
}

/** Marks the calls of the current step as settled, because message `messageId` now contains their results. */
export function settleCalls(calls: Calls, messageId: string): Calls {
  return calls.map((call) =>
    call.settledBy === null ? { ...call, end: call.end === null ? null : { ...call.end, result: null }, settledBy: messageId } : call,
  );
}

/**
 * Returns the calls of an imported run. Drops calls that have not started, with the user's questions and answers. Drops
 * the copies of edited files, because they are files of another workspace, or of another person.
 */
export function importedCalls(calls: Calls): Calls {
  return calls
    .filter(({ startedAt, settledBy }) => startedAt !== null || settledBy !== null)
    .map((call) => (call.end === null ? call : { ...call, end: { ...call.end, edits: call.end.edits.map(importedEdit) } }));
}

export function newCall(callId: string): CallState {
  return { callId, asked: null, approval: null, startedAt: null, progress: null, end: null, settledBy: null };
}

function changeCall(calls: Calls, callId: string, change: (call: CallState) => CallState): Calls {
  // Only the current step is searched: some model servers use the same call ids in each reply.
  const at = calls.findLastIndex((call) => call.callId === callId && call.settledBy === null);
  const known = calls[at];
  return known === undefined ? [...calls, change(newCall(callId))] : calls.with(at, change(known));
}
