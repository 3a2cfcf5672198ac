import type { ToolProgress } from '../../ports.js';
import type { ToolResultPart } from '../../model/part.js';
import type { FoldStamp } from '../order/stamp.js';
import type { ToolEdit, UnappliedEdit } from './toolEdit.js';

/** How far an approval reaches. */
export type ApprovalScope = 'once' | 'chat' | 'always' | 'refused';

/** The answer to the question whether a call may run. */
export interface Approval {
  readonly scope: ApprovalScope;
  /** What the model is told about a refusal; null without a reason. */
  readonly reason: string | null;
}

/** An answer, and the tool that it was about. */
export interface BoundApproval extends Approval {
  /** See `CallTarget`. */
  readonly binding: string;
}

/** What a call of a tool would run. */
export interface CallTarget {
  /** As its server names the tool. */
  readonly name: string;
  readonly serverName: string;
  /** SHA-256 (hex) of all that the user allows with a tool: the configuration of its server, its description and its schema. */
  readonly binding: string;
}

/** What the user is asked about. */
export interface AskedTool extends CallTarget {
  /** Whether its server says that it only reads. */
  readonly saysItOnlyReads: boolean;
  /** Whether the user had allowed it always, when its description, its schema or its server was another. */
  readonly hasChanged: boolean;
}

interface OfCall {
  readonly callId: string;
}

export type CallEvent =
  /** A call is about to run, or waits for approval until a `tool-approval` follows. `argsHash` is the SHA-256 (hex) of its arguments. */
  | (OfCall & AskedTool & { readonly type: 'tool-asked'; readonly argsHash: string })
  /** The answer, or what was answered before for the tool. Another window may write it. */
  | (OfCall & Approval & { readonly type: 'tool-approval'; readonly argsHash: string })
  | (OfCall & { readonly type: 'tool-started'; readonly name: string })
  /** Only shown: it is never written into the log. */
  | (OfCall & { readonly type: 'tool-progress'; readonly progress: ToolProgress })
  /** Logged apart so that `result` survives a crash before the tool-results message of its round. */
  | (OfCall & {
      readonly type: 'tool-ended';
      readonly result: ToolResultPart;
      readonly durationMs: number;
      readonly edits: readonly ToolEdit[];
      /** The edit that it did not make; only there where there is one. */
      readonly unapplied?: UnappliedEdit;
    });

/** A call of a run, as far as it has come. */
export interface CallState {
  readonly callId: string;
  /** The question whether it may run; null for a tool that needs no approval. */
  readonly asked: (AskedTool & { readonly argsHash: string }) | null;
  /** Null until the question is answered. */
  readonly approval: Approval | null;
  /** Epoch milliseconds; null until the tool has started. */
  readonly startedAt: number | null;
  /** What its server reported last; null without. */
  readonly progress: ToolProgress | null;
  /** Null until the tool has ended. */
  readonly end: CallEnd | null;
  /** The message with the results of its round; null before there is one. */
  readonly settledBy: string | null;
}

export interface CallEnd {
  /** Null once a message has the results of the round. */
  readonly result: ToolResultPart | null;
  readonly durationMs: number;
  readonly edits: readonly ToolEdit[];
  readonly unapplied?: UnappliedEdit;
}

type Calls = readonly CallState[];
type Of<T extends CallEvent['type']> = Extract<CallEvent, { readonly type: T }> & FoldStamp;

/** Whether a call waits for the user. */
export function isWaiting(call: CallState): boolean {
  return mayStart(call) && call.approval === null;
}

/** Whether a call was asked about and has not run, whatever the answer is. */
export function mayStart({ asked, startedAt, settledBy }: CallState): boolean {
  return asked !== null && startedAt === null && settledBy === null;
}

/** What a call allows for the rest of the chat; null for nothing. */
export function allowedByCall(call: CallState): CallTarget | null {
  const { asked, approval } = call;
  return approval?.scope !== 'chat' || asked === null ? null : { name: asked.name, serverName: asked.serverName, binding: asked.binding };
}

/** A call whose tool has changed meanwhile is asked about again: the answer was about another tool. */
export function askedCall(calls: Calls, { callId, argsHash, ...event }: Of<'tool-asked'>): Calls {
  const { name, serverName, binding, saysItOnlyReads, hasChanged } = event;
  const asked = { name, serverName, binding, saysItOnlyReads, hasChanged, argsHash };
  return changed(calls, callId, (call) => ({
    ...call,
    asked,
    approval: call.asked === null || call.asked.binding === binding ? call.approval : null,
  }));
}

/** The first answer counts, whichever window gave it; one about other arguments does not. */
export function answeredCall(calls: Calls, { callId, argsHash, scope, reason }: Of<'tool-approval'>): Calls {
  return changed(calls, callId, (call) =>
    call.approval === null && call.asked?.argsHash === argsHash ? { ...call, approval: { scope, reason } } : call,
  );
}

export function startedCall(calls: Calls, { callId, at }: Of<'tool-started'>): Calls {
  return changed(calls, callId, (call) => ({ ...call, startedAt: at }));
}

export function progressedCall(calls: Calls, { callId, progress }: Of<'tool-progress'>): Calls {
  return changed(calls, callId, (call) => ({ ...call, progress }));
}

/** A call that has ended does not change any more. */
export function endedCall(calls: Calls, { callId, result, durationMs, edits, unapplied }: Of<'tool-ended'>): Calls {
  const end = { result, durationMs, edits, ...(unapplied === undefined ? {} : { unapplied }) };
  return changed(calls, callId, (call) => (call.end === null ? { ...call, end } : call));
}

/** The calls once a message has the results of their round. */
export function settledCalls(calls: Calls, messageId: string): Calls {
  return calls.map((call) =>
    call.settledBy === null ? { ...call, end: call.end === null ? null : { ...call.end, result: null }, settledBy: messageId } : call,
  );
}

/** A call that nothing is known of. */
export function newCall(callId: string): CallState {
  return { callId, asked: null, approval: null, startedAt: null, progress: null, end: null, settledBy: null };
}

function changed(calls: Calls, callId: string, change: (call: CallState) => CallState): Calls {
  // Only a call of the newest round changes. An earlier one may have the same id: some servers count in each reply anew.
  const at = calls.findLastIndex((call) => call.callId === callId && call.settledBy === null);
  const known = calls[at];
  return known === undefined ? [...calls, change(newCall(callId))] : calls.with(at, change(known));
}
