import { CATALOGUE, type FailureCode, type FailureParameters } from './failures/catalogue.js';
import type { ErrorKind, FailureEntry } from './failures/entry.js';

/** Kinds where the same request may succeed when it is simply sent again. */
const RETRYABLE: ReadonlySet<ErrorKind> = new Set(['rateLimit', 'overloaded', 'network', 'timeout', 'incomplete']);

/**
 * The root of all expected errors, made by `failure`. `message` is written for the user; the technical reason is
 * `cause`. The kind `internal` marks a defect of Loupe itself.
 */
export class LoupeError extends Error {
  override readonly name = 'LoupeError';
  readonly code: FailureCode;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** How long the server asks to wait before the next request, in ms; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** The model's real input limit in tokens, where the server told it; null otherwise. */
  readonly inputLimit: number | null;

  constructor(code: FailureCode, message: string, options: FailureOptions | undefined) {
    super(message, options);
    const { kind, isLasting }: FailureEntry = CATALOGUE[code];
    this.code = code;
    this.kind = kind;
    this.retryable = RETRYABLE.has(kind) && isLasting !== true;
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.inputLimit = options?.inputLimit ?? null;
  }
}

export interface FailureOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | null;
  readonly inputLimit?: number | null;
}

/** What the user has ended. */
type CancelledCode =
  | 'request.stopped'
  | 'search.cancelled'
  | 'export.cancelled'
  | 'import.cancelled'
  | 'file.addingCancelled'
  | 'file.listingStopped';

type Arguments<C extends FailureCode> = [FailureParameters<C>] extends [never]
  ? [options?: FailureOptions]
  : [parameters: FailureParameters<C>, options?: FailureOptions];

/** The error of that code. The parameters of its sentence, where it has some, come before the options. */
export function failure<C extends FailureCode>(code: C, ...rest: Arguments<C>): LoupeError {
  const { says }: FailureEntry = CATALOGUE[code];
  if (typeof says === 'string') {
    return new LoupeError(code, says, rest[0] as FailureOptions | undefined);
  }
  // `Arguments` holds the parameters to the sentence of the code.
  return new LoupeError(code, says(rest[0] as never), rest[1]);
}

/** Throws the error of that code when the signal has aborted. */
export function refuseAborted(signal: AbortSignal, code: CancelledCode): void {
  if (signal.aborted) {
    throw failure(code);
  }
}

/** An error as the chat log keeps it. `detail` is the chain of causes, for the log channel; null without one. */
export interface ErrorRecord {
  /** A log of another version of Loupe may hold one that this version does not know. */
  readonly code: FailureCode;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly retryable: boolean;
  readonly detail: string | null;
  /** The model's real input limit in tokens, learned from the server; null otherwise. */
  readonly inputLimit: number | null;
}

/** Wraps anything thrown: a `LoupeError` stays as it is, everything else is a defect of ours (`internal`). */
export function toLoupeError(thrown: unknown): LoupeError {
  if (thrown instanceof LoupeError) {
    return thrown;
  }
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return failure('internal.unexpected', { text }, { cause: thrown });
}

export function toErrorRecord(error: LoupeError): ErrorRecord {
  const causes = causeChain(error);
  return {
    code: error.code,
    kind: error.kind,
    message: error.message,
    retryable: error.retryable,
    detail: causes.length === 0 ? null : causes.join('; caused by: '),
    inputLimit: error.inputLimit,
  };
}

/** The error that a record was made from, for the log channel. */
export function recordedError({ code, message, detail, inputLimit }: ErrorRecord): LoupeError {
  return new LoupeError(code, message, { inputLimit, ...(detail === null ? {} : { cause: detail }) });
}

/** The causes, nearest first; each error once, since a chain may turn back on itself. */
function causeChain(error: Error): string[] {
  const seen = new Set<unknown>([error]);
  const chain: string[] = [];
  const follow = (cause: unknown): void => {
    if (cause === undefined || seen.has(cause)) {
      return;
    }
    if (!(cause instanceof Error)) {
      chain.push(typeof cause === 'string' ? cause : `a thrown ${typeof cause}`);
      return;
    }
    seen.add(cause);
    chain.push(`${cause.name}: ${cause.message}`);
    // Several attempts may have failed, such as the connections to the addresses of one host.
    (cause instanceof AggregateError ? cause.errors : []).forEach(follow);
    follow(cause.cause);
  };
  follow(error.cause);
  return chain;
}
