import { applyPiece, joinPieces, pieceOf, type Reply, type ProgressPiece } from '../chat/reply.js';
import type { Clock } from '../ports.js';
import type { ReplyStreamPart } from './model.js';

/** Longest time that received text is in memory only: what a killed host can lose of a reply. */
export const PROGRESS_INTERVAL_MS = 250;

/** Text that is written at once, however little time has passed: bounds the loss with fast models. */
export const PROGRESS_LENGTH = 4 * 1024;

/** A reply as it streams in, and the pieces of it that are not in the log yet. */
export class Progress {
  #reply: Reply = [];
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

  add(part: ReplyStreamPart): ProgressPiece {
    const piece = pieceOf(this.#reply, part);
    this.#reply = applyPiece(this.#reply, piece);
    this.#pending.push(piece);
    this.#pendingLength += 'text' in piece ? piece.text.length : 1;
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
