import { applyPiece, joinPieces, pieceOf, type Reply, type ProgressPiece, MAX_REPLY_PARTS, type GrowingReply } from '../chat/reply.js';
import { assertNever } from '../assertNever.js';
import { failure } from '../errors.js';
import type { Clock } from '../ports.js';
import type { ReplyStreamPart } from './model.js';

/** Longest time that received text is in memory only: what a killed host can lose of a reply. */
export const PROGRESS_INTERVAL_MS = 250;

/** Text that is written at once, however little time has passed: bounds the loss with fast models. */
export const PROGRESS_LENGTH = 4 * 1024;

const MIB = 1024 * 1024;

/**
 * Longest reply, in UTF-16 units: some seven times what the largest output limits of today's models (128,000 tokens)
 * bring. It bounds the memory that a server without measure takes, and the line that the message becomes.
 */
export const MAX_REPLY_LENGTH = 4 * MIB;

/** A reply as it streams in, and the pieces of it that are not in the log yet. */
export class Progress {
  readonly #reply: GrowingReply = [];
  #length = 0;
  #pending: ProgressPiece[] = [];
  #pendingLength = 0;
  #timer: { readonly due: Promise<'due'>; readonly cancel: AbortController } | null = null;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get reply(): Reply {
    return this.#reply;
  }

  /** True when so much is pending that it is to be written now. */
  get isFull(): boolean {
    return this.#pendingLength >= PROGRESS_LENGTH;
  }

  /** Resolves when what is pending is to be written; never while nothing is. */
  get due(): Promise<'due'> | null {
    return this.#timer?.due ?? null;
  }

  /** Throws `protocol` when the reply has no measure; what had arrived stays. */
  add(part: ReplyStreamPart): ProgressPiece {
    const piece = pieceOf(this.#reply, part);
    const length = lengthOf(piece);
    if (this.#length + length > MAX_REPLY_LENGTH || piece.index >= MAX_REPLY_PARTS) {
      throw failure('request.endlessReply', { characters: MAX_REPLY_LENGTH / MIB, parts: MAX_REPLY_PARTS });
    }
    applyPiece(this.#reply, piece);
    this.#pending.push(piece);
    this.#length += length;
    this.#pendingLength += length;
    this.#timer ??= this.#startTimer();
    return piece;
  }

  /** The pieces to write; afterwards nothing is pending. */
  take(): ProgressPiece[] {
    const pieces = joinPieces(this.#pending);
    this.#pending = [];
    this.#pendingLength = 0;
    this.#timer?.cancel.abort();
    this.#timer = null;
    return pieces;
  }

  #startTimer(): { readonly due: Promise<'due'>; readonly cancel: AbortController } {
    const cancel = new AbortController();
    const due = this.#clock.sleep(PROGRESS_INTERVAL_MS, cancel.signal).then(() => 'due' as const);
    return { due, cancel };
  }
}

/** In UTF-16 units; no piece counts for nothing, so that neither memory nor what waits to be written is without bound. */
function lengthOf(piece: ProgressPiece): number {
  switch (piece.type) {
    case 'text':
    case 'reasoning':
    case 'toolCallArgs':
      return Math.max(1, piece.text.length);
    case 'reasoningSigned':
      return Math.max(1, piece.opaque.length);
    case 'toolCall':
      return Math.max(1, piece.id.length + piece.name.length);
    default:
      return assertNever(piece);
  }
}
