import type { UsageEstimate } from '../accounting/billedUsage.js';
import type { Persistence } from '../chat/event.js';
import type { ReplyCause } from '../chat/slices/runs.js';
import type { EventDraft } from '../chat/slices/table.js';
import type { UserMessage } from '../chat/message.js';
import type { Reply } from '../chat/reply.js';
import type { LoupeError } from '../errors.js';
import type { ToolExecutor } from '../ports.js';
import type { Manifest } from '../request/manifest.js';
import type { Model, ModelClient, WireRequest } from './model.js';

/** Events that a run wants logged or shown before it goes on. */
export interface RunStep {
  readonly drafts: readonly EventDraft[];
  readonly persistence: Persistence;
}

/** A request ready to be sent; its blobs are stored already. */
export interface PreparedRequest {
  readonly attemptId: string;
  readonly model: Model;
  readonly client: ModelClient;
  readonly manifest: Manifest;
  readonly wire: WireRequest;
  /** Position of the last breakpoint among the request's blocks; null without one. */
  readonly cacheControlIndex: number | null;
  /** The usage as counted here, all figures `estimated`, for what the provider does not report. */
  estimateUsage(reply: Reply): UsageEstimate;
}

export interface RunInput {
  readonly runId: string;
  readonly cause: ReplyCause;
  readonly userMessage: UserMessage;
  /** True when the user message is to be logged: it is new. */
  readonly isNew: boolean;
  readonly tools: ToolExecutor;
  /**
   * Resolves the context and assembles the next request from everything logged so far. Rejects with a
   * `LoupeError` when nothing can be sent: no such model, over the budget.
   */
  prepare(attemptId: string): Promise<PreparedRequest>;
  /** Keeps content outside the log and gives its SHA-256 (hex); on the disk when it resolves. Rejects with `storage`. */
  readonly keepBlob: (bytes: Uint8Array) => Promise<string>;
  /** For the log: a failure that the run goes on after. */
  readonly reportError: (error: LoupeError) => void;
  /** Aborted with `STOP` by the user, with `SHUT_DOWN` when the host goes down. */
  readonly signal: AbortSignal;
}

export const STOP = 'stop';
export const SHUT_DOWN = 'shut-down';
