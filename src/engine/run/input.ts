import type { PricesOfModel } from '../model/price.js';
import type { UsageEstimate } from '../chat/billedUsage.js';
import type { Persistence } from '../chat/event.js';
import type { ReplyCause } from '../chat/slices/runs.js';
import type { NewEvent } from '../chat/slices/table.js';
import type { Approval, BoundApproval } from '../chat/calls/calls.js';
import type { AssistantMessage, UserMessage } from '../chat/message/message.js';
import type { ImagePart, ToolResultPart } from '../model/part.js';
import type { Reply } from '../chat/message/reply.js';
import type { LoupeError } from '../errors.js';
import type { Sha256, ToolProgress } from '../ports.js';
import type { RunTools } from '../tools/offered.js';
import type { Manifest } from '../record/manifest.js';
import type { Model, ModelClient, ReceivedImage, WireRequest } from '../model/model.js';

/** Events that must be logged or shown before the run continues. */
export interface RunEvents {
  readonly events: readonly NewEvent[];
  readonly persistence: Persistence;
}

/** A request ready to be sent. Its blobs are already stored. */
export interface PreparedRequest {
  readonly attemptId: string;
  readonly model: Model;
  readonly client: ModelClient;
  readonly manifest: Manifest;
  readonly wire: WireRequest;
  /** Index of the last block with a breakpoint. Null without a breakpoint. */
  readonly cacheControlIndex: number | null;
  /** The prices of other models of the same provider, by model id. Null when unknown. */
  readonly pricesOf: PricesOfModel;
  /** Returns figures that the provider does not report, as counted by Loupe (`estimated`). Lets other tasks run. */
  estimateUsage(reply: Reply): Promise<UsageEstimate>;
}

/** The last reply of an interrupted run, if some of its calls still need the user's answer. */
export interface OpenStep {
  readonly reply: AssistantMessage;
  /** The results of the calls that have ended, by call id. */
  readonly results: ReadonlyMap<string, ToolResultPart>;
  /** The user's later answers, by call id. */
  readonly approvals: ReadonlyMap<string, BoundApproval>;
  /** Whether the reply reached its output limit. */
  readonly isCutOff: boolean;
}

/** The user's input while a run calls tools, in this VS Code window or another one. */
export interface RunControl {
  /** Resolves to the user's logged answer about a call. It may never resolve, so race it against the run's signal. */
  approvalOf(callId: string): Promise<Approval>;
  /** Resolves to the user's answer whether to continue the run. It may never resolve, like `approvalOf`. */
  continueDecision(): Promise<boolean>;
  stopOf(callId: string): AbortSignal;
  progressed(callId: string, progress: ToolProgress): void;
}

export interface RunInput {
  readonly runId: string;
  readonly cause: ReplyCause;
  readonly userMessage: UserMessage;
  /** Whether the user message is new, so that the run must log it. */
  readonly isNew: boolean;
  /** The interrupted step with tool calls, which the run finishes first. Null without such a step. */
  readonly open: OpenStep | null;
  readonly tools: RunTools;
  readonly control: RunControl;
  readonly sha256: Sha256;
  /**
   * Resolves the context and builds the next request from everything in the log. Rejects with a `LoupeError` when
   * nothing can be sent, for example because the model is unknown. An abort of the signal ends its waits.
   */
  prepare(attemptId: string, signal: AbortSignal): Promise<PreparedRequest>;
  /** Stores a blob and resolves with its SHA-256 (hex) once the blob is on the disk. Rejects with a `storage` error. */
  readonly keepBlob: (bytes: Uint8Array) => Promise<string>;
  /** Stores an image of a reply. Never rejects: reports an error, and returns the name of the missing blob. */
  readonly keepImage: (image: Omit<ReceivedImage, 'index'>) => Promise<ImagePart>;
  /** Writes an error that does not end the run to the log channel of the extension. */
  readonly reportError: (error: LoupeError) => void;
  /** Aborted with `STOP` by the user, and with `SHUT_DOWN` when the extension host shuts down. */
  readonly signal: AbortSignal;
}

export const STOP = 'stop';
export const SHUT_DOWN = 'shut-down';
