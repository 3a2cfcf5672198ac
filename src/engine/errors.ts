/** What went wrong, in the terms the user's next step depends on. */
export type ErrorKind =
  | 'auth'
  | 'rateLimit'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'incomplete'
  | 'protocol'
  | 'contextOverflow'
  | 'modelGone'
  | 'refused'
  | 'cancelled'
  | 'toolFailed'
  | 'storage'
  | 'invalidInput'
  | 'internal';

/** Kinds where the same request may succeed when it is simply sent again. */
const RETRYABLE: ReadonlySet<ErrorKind> = new Set(['rateLimit', 'overloaded', 'network', 'timeout', 'incomplete']);

/**
 * The root of all expected errors. `message` is written for the user; the technical reason is `cause`.
 * `internal` marks a defect of Loupe itself.
 */
export class LoupeError extends Error {
  override readonly name = 'LoupeError';
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** How long the server asks to wait before the next request, in ms; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** The model's real input limit in tokens, where the server told it; null otherwise. */
  readonly inputLimit: number | null;

  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.retryable = RETRYABLE.has(kind);
    this.retryAfterMs = options?.retryAfterMs ?? null;
    this.inputLimit = options?.inputLimit ?? null;
  }
}

export interface ErrorOptions {
  readonly cause?: unknown;
  readonly retryAfterMs?: number | null;
  readonly inputLimit?: number | null;
}

/** An error as the chat log keeps it. `detail` is the chain of causes, for the log channel; null without one. */
export interface ErrorRecord {
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
  return new LoupeError('internal', `Something unexpected failed in Loupe: ${text}`, { cause: thrown });
}

export function toErrorRecord(error: LoupeError): ErrorRecord {
  const causes = causeChain(error);
  return {
    kind: error.kind,
    message: error.message,
    retryable: error.retryable,
    detail: causes.length === 0 ? null : causes.join('; caused by: '),
    inputLimit: error.inputLimit,
  };
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
