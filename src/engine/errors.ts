import { CATALOGUE, type FailureCode, type FailureParameters } from './failures/catalogue.js';
import type { ErrorKind, FailureEntry } from './failures/entry.js';

/** Kinds of failures after which the same request may succeed. */
const RETRYABLE: ReadonlySet<ErrorKind> = new Set(['rateLimit', 'overloaded', 'network', 'timeout', 'incomplete']);

/**
 * The root class of all expected errors; `failure` makes them. `message` is written for the user, `cause` is the technical
 * reason. The kind `internal` marks a defect of Loupe.
 */
export class LoupeError extends Error {
  override readonly name = 'LoupeError';
  readonly code: FailureCode;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** Whether nothing is wrong, but there was nothing to act on. */
  readonly isHarmless: boolean;
  /** How long the server asks to wait before the next request, in ms; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** The model's real input limit in tokens, if the server reported it; null otherwise. */
  readonly inputLimit: number | null;
  /** The member of the request that the server refused, if that was it; null otherwise. */
  readonly refusedMember: string | null;

  constructor(code: FailureCode, message: string, options: FailureOptions | undefined) {
    super(message, options);
    const { kind, isLasting, passesAnew, isHarmless }: FailureEntry = CATALOGUE[code];
    this.code = code;
    this.kind = kind;
    this.retryable = (RETRYABLE.has(kind) && isLasting !== true) || passesAnew === true;
    this.isHarmless = isHarmless === true;
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.inputLimit = options?.inputLimit ?? null;
    this.refusedMember = options?.refusedMember ?? null;
  }
}

export interface FailureOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | null;
  readonly inputLimit?: number | null;
  readonly refusedMember?: string | null;
}

/** The codes of cancelled operations. */
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

/** Makes the error of a code. The arguments are the parameters of its sentence, if it has any, then the options. */
export function failure<C extends FailureCode>(code: C, ...rest: Arguments<C>): LoupeError {
  const { says }: FailureEntry = CATALOGUE[code];
  if (typeof says === 'string') {
    return new LoupeError(code, says, rest[0] as FailureOptions | undefined);
  }
  // `Arguments` makes sure that the parameters fit the sentence.
  return new LoupeError(code, says(rest[0] as never), rest[1]);
}

/** Throws the error of `code` when the signal has aborted. */
export function refuseAborted(signal: AbortSignal, code: CancelledCode): void {
  if (signal.aborted) {
    throw failure(code);
  }
}

/** An error as the chat log keeps it. `detail` is the chain of causes, for the log channel; null without one. */
export interface ErrorRecord {
  /** The log of another version of Loupe may hold an unknown code. */
  readonly code: FailureCode;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly retryable: boolean;
  readonly detail: string | null;
  /** The model's real input limit in tokens, if the server reported it; null otherwise. */
  readonly inputLimit: number | null;
  /** The member of the request that the server refused; missing when it refused none. */
  readonly refusedMember?: string;
}

/** Wraps anything thrown. A `LoupeError` stays as it is; everything else is a defect of Loupe (`internal`). */
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
    ...(error.refusedMember === null ? {} : { refusedMember: error.refusedMember }),
  };
}

/** The error that a record was made from, for the log channel. */
export function recordedError({ code, message, detail, inputLimit, refusedMember }: ErrorRecord): LoupeError {
  return new LoupeError(code, message, { inputLimit, refusedMember: refusedMember ?? null, ...(detail === null ? {} : { cause: detail }) });
}

/** The causes, nearest first. Each error appears once, because a chain of causes may have a cycle. */
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
    // Several causes may be joined, such as the failed connections to the addresses of one host.
    (cause instanceof AggregateError ? cause.errors : []).forEach(follow);
    follow(cause.cause);
  };
  follow(error.cause);
  return chain;
}
