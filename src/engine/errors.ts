import { FAILURES, type FailureCode, type FailureParameters } from './failures/failures.js';
import type { ErrorKind, FailureEntry } from './failures/entry.js';

/** Kinds of failures after which the same request may succeed. */
const RETRYABLE: ReadonlySet<ErrorKind> = new Set(['rateLimit', 'overloaded', 'network', 'timeout', 'incomplete']);

/**
 * The base class of all expected errors; `failure` creates them. `message` is for the user, `cause` is the technical
 * reason. An error of kind `internal` is a defect of Loupe.
 */
export class LoupeError extends Error {
  override readonly name = 'LoupeError';
  readonly code: FailureCode;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** True if there was nothing to do, for example because a question was already closed. This is no real failure. */
  readonly isHarmless: boolean;
  /** How long the server asked Loupe to wait before the next request, in ms. Null if the server gave no time. */
  readonly retryAfterMs: number | null;
  /** The model's real input limit in tokens. Null if the server did not report it. */
  readonly inputLimit: number | null;
  /** The request member that the server refused. Null if the error has another reason. */
  readonly refusedMember: string | null;
  /** The name in the request of the tool that the server refused. Null if the error has another reason. */
  readonly refusedTool: string | null;

  constructor(code: FailureCode, message: string, options: FailureOptions | undefined) {
    super(message, options);
    const { kind, isLasting, passesAnew, isHarmless }: FailureEntry = FAILURES[code];
    this.code = code;
    this.kind = kind;
    this.retryable = (RETRYABLE.has(kind) && isLasting !== true) || passesAnew === true;
    this.isHarmless = isHarmless === true;
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.inputLimit = options?.inputLimit ?? null;
    this.refusedMember = options?.refusedMember ?? null;
    this.refusedTool = options?.refusedTool ?? null;
  }
}

export interface FailureOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | null;
  readonly inputLimit?: number | null;
  readonly refusedMember?: string | null;
  readonly refusedTool?: string | null;
}

type CancelledCode =
  | 'request.stopped'
  | 'search.cancelled'
  | 'export.cancelled'
  | 'import.cancelled'
  | 'file.addingCancelled'
  | 'file.listingStopped'
  | 'symbols.cancelled'
  | 'page.cancelled';

type Arguments<C extends FailureCode> = [FailureParameters<C>] extends [never]
  ? [options?: FailureOptions]
  : [parameters: FailureParameters<C>, options?: FailureOptions];

/** Creates an error from a code. If the code's sentence has parameters, pass them first, then the options. */
export function failure<C extends FailureCode>(code: C, ...rest: Arguments<C>): LoupeError {
  const { says }: FailureEntry = FAILURES[code];
  if (typeof says === 'string') {
    return new LoupeError(code, says, rest[0] as FailureOptions | undefined);
  }
  // The type `Arguments` ensures that the parameters fit the sentence.
  return new LoupeError(code, says(rest[0] as never), rest[1]);
}

export function failIfAborted(signal: AbortSignal, code: CancelledCode): void {
  if (signal.aborted) {
    throw failure(code);
  }
}

/** An error as stored in the chat log. `detail` has all causes as text, for the log channel. Null without causes. */
export interface ErrorRecord {
  /** The code may be unknown here if another version of Loupe wrote the log. */
  readonly code: FailureCode;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly retryable: boolean;
  readonly detail: string | null;
  /** The model's real input limit in tokens. Null if the server did not report it. */
  readonly inputLimit: number | null;
  /** The request member that the server refused. Missing if the error has another reason. */
  readonly refusedMember?: string;
  /** The name in the request of the tool that the server refused. Missing if the error has another reason. */
  readonly refusedTool?: string;
}

/** Returns a thrown `LoupeError` unchanged. Any other thrown value is a defect of Loupe: `internal.unexpected`. */
export function toLoupeError(thrown: unknown): LoupeError {
  if (thrown instanceof LoupeError) {
    return thrown;
  }
  return failure('internal.unexpected', { text: messageOf(thrown) }, { cause: thrown });
}

/** Returns the message of a failure that is no defect of Loupe, such as a failure of VS Code or an extension. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the error of a failed operation. Throws the error of an operation that the user cancelled. */
export function failureOrCancel(thrown: unknown): LoupeError {
  const error = toLoupeError(thrown);
  if (error.kind === 'cancelled') {
    throw error;
  }
  return error;
}

/** Returns a handler of rejections that logs them. */
export function logFailure(ports: { logError(error: LoupeError): void }): (thrown: unknown) => void {
  return (thrown) => {
    ports.logError(toLoupeError(thrown));
  };
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
    ...(error.refusedTool === null ? {} : { refusedTool: error.refusedTool }),
  };
}

/** Creates an error from its record, for the log channel. */
export function recordedError({ code, message, detail, inputLimit, refusedMember, refusedTool }: ErrorRecord): LoupeError {
  const refused = { refusedMember: refusedMember ?? null, refusedTool: refusedTool ?? null };
  return new LoupeError(code, message, { inputLimit, ...refused, ...(detail === null ? {} : { cause: detail }) });
}

/** Returns the causes of an error, nearest first. Each error appears once, because causes may form a cycle. */
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
    // One error can have several causes, such as the failed connections to the addresses of one host.
    (cause instanceof AggregateError ? cause.errors : []).forEach(follow);
    follow(cause.cause);
  };
  follow(error.cause);
  return chain;
}
