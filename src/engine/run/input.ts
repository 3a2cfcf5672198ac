import type { UsageEstimate } from '../accounting/billedUsage.js';
import type { Persistence } from '../chat/event.js';
import type { ReplyCause } from '../chat/slices/runs.js';
import type { NewEvent } from '../chat/slices/table.js';
import type { UserMessage } from '../chat/message.js';
import type { Reply } from '../chat/reply.js';
import type { LoupeError } from '../errors.js';
import type { ToolExecutor } from '../ports.js';
import type { Manifest } from '../request/manifest.js';
import type { Model, ModelClient, WireRequest } from './model.js';

/** Events that must be logged or shown before the run continues. */
export interface RunStep {
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
  /** Index of the last block with a breakpoint; null without one. */
  readonly cacheControlIndex: number | null;
  /**
   * The usage as Loupe counts it, all figures `estimated`, for figures that the provider does not report. Lets other tasks run
   * meanwhile.
   */
  estimateUsage(reply: Reply): Promise<UsageEstimate>;
}

export interface RunInput {
  readonly runId: string;
  readonly cause: ReplyCause;
  readonly userMessage: UserMessage;
  /** Whether the user message is new, so that the run must log it. */
  readonly isNew: boolean;
  readonly tools: ToolExecutor;
  /**
   * Resolves the context and composes the next request from everything logged so far. Rejects with a `LoupeError` when
   * nothing can be sent: an unknown model, a request over the budget. An abort of the signal ends what it waits for.
   */
  prepare(attemptId: string, signal: AbortSignal): Promise<PreparedRequest>;
  /** Stores a blob and resolves with its SHA-256 (hex) once it is on the disk. Rejects with `storage`. */
  readonly keepBlob: (bytes: Uint8Array) => Promise<string>;
  /** Logs an error that does not end the run. */
  readonly reportError: (error: LoupeError) => void;
  /** Aborted with `STOP` by the user, and with `SHUT_DOWN` when the extension host shuts down. */
  readonly signal: AbortSignal;
}

export const STOP = 'stop';
export const SHUT_DOWN = 'shut-down';
