import type { ToolProgress } from '../../ports.js';
import type { ToolResultPart } from '../../model/part.js';
import type { FoldStamp } from '../order/stamp.js';
import type { ToolEdit, UnappliedEdit } from './toolEdit.js';

export type ApprovalScope = 'once' | 'chat' | 'always' | 'refused';

export interface Approval {
  readonly scope: ApprovalScope;
  /** Why the user refused the call; sent to the model. Null without a reason. */
  readonly reason: string | null;
}

export interface BoundApproval extends Approval {
  /** See `CallTarget`. */
  readonly binding: string;
}

export interface CallTarget {
  /** The tool's name on its server. */
  readonly name: string;
  readonly serverName: string;
  /** SHA-256 (hex) of what an approval covers: the server's configuration, the tool's description and its schema. */
  readonly binding: string;
}

export interface AskedTool extends CallTarget {
  /** Whether the server declares the tool as read-only. */
  readonly saysItOnlyReads: boolean;
  /** Whether the user always allowed the tool, but its description, schema or server has changed since. */
  readonly hasChanged: boolean;
}

interface CallReference {
  readonly callId: string;
}

export type CallEvent =
  /** A call is about to run, or waits for a `tool-approval` event. `argsHash` is the SHA-256 (hex) of its arguments. */
  | (CallReference & AskedTool & { readonly type: 'tool-asked'; readonly argsHash: string })
  /** The user's answer, or an earlier answer that covers the tool. Another window may write this event. */
  | (CallReference & Approval & { readonly type: 'tool-approval'; readonly argsHash: string })
  | (CallReference & { readonly type: 'tool-started'; readonly name: string })
  /** Only shown, never logged. */
  | (CallReference & { readonly type: 'tool-progress'; readonly progress: ToolProgress })
  /** Logged separately so that `result` survives a crash before the tool-results message of its step. */
  | (CallReference & {
      readonly type: 'tool-ended';
      readonly result: ToolResultPart;
      readonly durationMs: number;
      readonly edits: readonly ToolEdit[];
      /** An edit that the tool did not apply. Missing without one. */
      readonly unapplied?: UnappliedEdit;
    });

export interface CallState {
  readonly callId: string;
  /** The question whether it may run. Null for a tool that needs no approval. */
  readonly asked: (AskedTool & { readonly argsHash: string }) | null;
  /** Null until the user answers. */
  readonly approval: Approval | null;
  /** Epoch milliseconds; null until the tool has started. */
  readonly startedAt: number | null;
  /** The latest progress report of the server. Null without one. */
  readonly progress: ToolProgress | null;
  /** Null until the tool has ended. */
  readonly end: CallEnd | null;
  /** Id of the message with the results of its step. Null until that message exists. */
  readonly settledBy: string | null;
}

export interface CallEnd {
  /** Null once a message has the results of the step. */
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

/** Returns whether the user was asked about a call that has not run, whatever the answer is. */
export function mayStart({ asked, startedAt, settledBy }: CallState): boolean {
  return asked !== null && startedAt === null && settledBy === null;
}

/** Returns the tool that a call allows for the rest of the chat, or null. */
export function allowedByCall(call: CallState): CallTarget | null {
  const { asked, approval } = call;
  return approval?.scope !== 'chat' || asked === null ? null : { name: asked.name, serverName: asked.serverName, binding: asked.binding };
}

/** If the tool has changed since the answer, the call needs a new answer. */
export function askedCall(calls: Calls, { callId, argsHash, ...event }: CallEventOf<'tool-asked'>): Calls {
  const { name, serverName, binding, saysItOnlyReads, hasChanged } = event;
  const asked = { name, serverName, binding, saysItOnlyReads, hasChanged, argsHash };
  return changeCall(calls, callId, (call) => ({
    ...call,
    asked,
    approval: call.asked === null || call.asked.binding === binding ? call.approval : null,
  }));
}

/** The first answer counts, from any window. An answer about other arguments is ignored. */
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

/** Only the first end of a call counts. */
export function endedCall(calls: Calls, { callId, result, durationMs, edits, unapplied }: CallEventOf<'tool-ended'>): Calls {
  const end = { result, durationMs, edits, ...(unapplied === undefined ? {} : { unapplied }) };
  return changeCall(calls, callId, (call) => (call.end === null ? { ...call, end } : call));
}

/** Marks the calls of the current step as settled by the message with their results. */
export function settleCalls(calls: Calls, messageId: string): Calls {
  return calls.map((call) =>
    call.settledBy === null ? { ...call, end: call.end === null ? null : { ...call.end, result: null }, settledBy: messageId } : call,
  );
}

export function newCall(callId: string): CallState {
  return { callId, asked: null, approval: null, startedAt: null, progress: null, end: null, settledBy: null };
}

function changeCall(calls: Calls, callId: string, change: (call: CallState) => CallState): Calls {
  // Calls of earlier steps never change. They may have the same id: some servers restart numbering in each reply.
  const at = calls.findLastIndex((call) => call.callId === callId && call.settledBy === null);
  const known = calls[at];
  return known === undefined ? [...calls, change(newCall(callId))] : calls.with(at, change(known));
}
