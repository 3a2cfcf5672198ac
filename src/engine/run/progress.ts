import {
  applyPiece,
  joinPieces,
  pieceOf,
  type Reply,
  type ProgressPiece,
  MAX_REPLY_IMAGE_BYTES,
  MAX_REPLY_LENGTH,
  MAX_REPLY_PARTS,
  type GrowingReply,
  type StoredStreamPart,
} from '../chat/message/reply.js';
import { assertNever } from '../assertNever.js';
import { failure } from '../errors.js';
import type { Clock } from '../ports.js';

/** Maximum time in ms for which received text is only in memory. A crash of the extension host can lose this text. */
export const PROGRESS_INTERVAL_MS = 250;

/** Length of text, in UTF-16 units, that Loupe writes before the interval ends. Limits the loss with fast models. */
export const PROGRESS_LENGTH = 4 * 1024;

const MIB = 1024 * 1024;

/** A streaming reply, and its pieces that are not in the log yet. */
export class Progress {
  readonly #reply: GrowingReply = [];
  #length = 0;
  #imageBytes = 0;
  #pending: ProgressPiece[] = [];
  #pendingLength = 0;
  /** First and last arrival time of each text or reasoning part, by index. Text may later become reasoning. */
  readonly #times = new Map<number, { readonly from: number; readonly to: number }>();
  #timer: { readonly due: Promise<'due'>; readonly cancel: AbortController } | null = null;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get reply(): Reply {
    return this.#reply;
  }

  /** How long each reasoning part took to arrive, in ms. */
  get reasoningMs(): readonly number[] {
    return [...this.#times]
      .filter(([index]) => this.#reply[index]?.type === 'reasoning')
      .sort(([a], [b]) => a - b)
      .map(([, { from, to }]) => Math.max(0, to - from));
  }

  get isFull(): boolean {
    return this.#pendingLength >= PROGRESS_LENGTH;
  }

  /** Resolves when the pending pieces must be written; null when nothing is pending. */
  get due(): Promise<'due'> | null {
    return this.#timer?.due ?? null;
  }

  /** Adds a piece to the reply. Throws a `protocol` error when the reply is over a limit; earlier parts stay. */
  add(part: StoredStreamPart): ProgressPiece {
    const piece = pieceOf(this.#reply, part);
    this.#limitImages(piece);
    const length = lengthOf(piece);
    if (this.#length + length > MAX_REPLY_LENGTH || piece.index >= MAX_REPLY_PARTS) {
      throw failure('request.endlessReply', { characters: Math.floor(MAX_REPLY_LENGTH / 1_000_000), parts: MAX_REPLY_PARTS });
    }
    applyPiece(this.#reply, piece);
    this.#time(piece);
    this.#pending.push(piece);
    this.#length += length;
    this.#pendingLength += length;
    this.#timer ??= this.#startTimer();
    return piece;
  }

  #limitImages(piece: ProgressPiece): void {
    this.#imageBytes += piece.type === 'image' ? (piece.image.bytes ?? 0) : 0;
    if (this.#imageBytes > MAX_REPLY_IMAGE_BYTES) {
      throw failure('request.endlessImages', { limit: MAX_REPLY_IMAGE_BYTES / MIB });
    }
  }

  /** Records when a piece arrived. A signature may arrive much later and does not count as time of its reasoning. */
  #time({ type, index }: ProgressPiece): void {
    const known = this.#times.get(index);
    if (type === 'reasoning' || type === 'text' || (type === 'reasoningSigned' && known === undefined)) {
      const now = this.#clock.now();
      this.#times.set(index, { from: known?.from ?? now, to: now });
    }
  }

  /** Returns the pending pieces, joined, and empties the list. */
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

/** Returns the length in UTF-16 units, at least 1. Otherwise empty pieces could fill the memory without limit. */
function lengthOf(piece: ProgressPiece): number {
  switch (piece.type) {
    case 'text':
    case 'reasoning':
    case 'toolCallArgs':
      return Math.max(1, piece.text.length);
    case 'reasoningSigned':
      return Math.max(1, piece.opaque.length);
    case 'image':
      return 1;
    case 'toolCall':
      return Math.max(1, piece.id.length + piece.name.length);
    default:
      return assertNever(piece);
  }
}
