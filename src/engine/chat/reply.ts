import { assertNever } from '../assertNever.js';
import { isObject, parseJson, type JsonObject } from '../json.js';
import type { ReplyStreamPart } from '../run/model.js';
import type { AssistantPart } from './message.js';

/**
 * A piece of a reply as it streams. `offset` is the length in UTF-16 units of the part's text before the piece,
 * which makes folding idempotent: a piece that is known already changes nothing.
 */
export type ProgressPiece =
  | { readonly type: 'text' | 'reasoning' | 'toolCallArgs'; readonly index: number; readonly offset: number; readonly text: string }
  | { readonly type: 'reasoningSigned'; readonly index: number; readonly opaque: string }
  | { readonly type: 'toolCall'; readonly index: number; readonly id: string; readonly name: string };

/** A part of a reply while it arrives. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque: string | null }
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly rawArgs: string };

/** The parts by their index in the stream; one that never came is `undefined`. */
export type Reply = readonly (ReplyPart | undefined)[];

/** A reply that still arrives. It grows in place: a copy for each piece would cost the square of the number of parts. */
export type GrowingReply = (ReplyPart | undefined)[];

/**
 * Most parts of a reply. The largest output limits of today's models are 128,000 tokens: a reply fits that changes
 * between text and reasoning at every other one. The number of a part makes room for all before it, so it is bounded.
 */
export const MAX_REPLY_PARTS = 65_536;

/**
 * Puts a piece into the reply; parts are replaced, never changed. A piece that is known already, that does not continue
 * what is there, that is of another kind than the part of its index, or whose index is too large, changes nothing.
 */
export function applyPiece(reply: GrowingReply, piece: ProgressPiece): void {
  const before = reply[piece.index];
  const after = piece.index < MAX_REPLY_PARTS ? extend(before, piece) : before;
  if (after === before) {
    return;
  }
  while (reply.length < piece.index) {
    reply.push(undefined);
  }
  reply[piece.index] = after;
}

function extend(part: ReplyPart | undefined, piece: ProgressPiece): ReplyPart | undefined {
  const known = part ?? startOf(piece);
  switch (piece.type) {
    case 'text':
    case 'reasoning':
      return known?.type === piece.type ? (grown(known.text, piece, (text) => ({ ...known, text })) ?? part) : part;
    case 'reasoningSigned':
      return known?.type === 'reasoning' && known.opaque !== piece.opaque ? { ...known, opaque: piece.opaque } : part;
    case 'toolCall':
      return known;
    case 'toolCallArgs':
      return known?.type === 'toolCall' ? (grown(known.rawArgs, piece, (rawArgs) => ({ ...known, rawArgs })) ?? part) : part;
    default:
      return assertNever(piece);
  }
}

/** The part that a piece begins; undefined for one that only continues. */
function startOf(piece: ProgressPiece): ReplyPart | undefined {
  switch (piece.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
    case 'reasoningSigned':
      return { type: 'reasoning', text: '', opaque: null };
    case 'toolCall':
      return { type: 'toolCall', id: piece.id, name: piece.name, rawArgs: '' };
    case 'toolCallArgs':
      return undefined;
    default:
      return assertNever(piece);
  }
}

/** The part with the longer text; null when the piece adds nothing or leaves a gap. */
function grown(text: string, piece: TextPiece, withText: (text: string) => ReplyPart): ReplyPart | null {
  const end = piece.offset + piece.text.length;
  return piece.offset > text.length || end <= text.length ? null : withText(text.slice(0, piece.offset) + piece.text);
}

/** The progress piece for a part of the stream that continues `reply`. */
export function pieceOf(reply: Reply, part: ReplyStreamPart): ProgressPiece {
  const known = reply[part.index];
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...part, offset: known?.type === part.type ? known.text.length : 0 };
    case 'toolCallArgs':
      return { ...part, offset: known?.type === 'toolCall' ? known.rawArgs.length : 0 };
    case 'reasoningSigned':
    case 'toolCall':
      return part;
    default:
      return assertNever(part);
  }
}

/** Joins pieces that continue each other, so that a batch is written as few as possible. */
export function joinPieces(pieces: readonly ProgressPiece[]): ProgressPiece[] {
  const joined: ProgressPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && 'offset' in last && 'offset' in piece && continues(last, piece)) {
      joined[joined.length - 1] = { ...last, text: last.text + piece.text };
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

type TextPiece = Extract<ProgressPiece, { readonly offset: number }>;

function continues(last: TextPiece, piece: TextPiece): boolean {
  return last.type === piece.type && last.index === piece.index && last.offset + last.text.length === piece.offset;
}

/** How a reply came to its end: by itself, at the output limit, or because the user stopped it. */
export type ReplyEnding = 'complete' | 'cutOff' | 'stopped';

/**
 * The message parts of a reply. Reasoning keeps the protocol and model it may be replayed to. Of a reply that was
 * stopped, tool calls are left out whose arguments had not arrived whole; of one that was cut off they stay, with
 * null for arguments, so that the model is told. No argument bytes at all mean no arguments only when it is complete.
 */
export function replyParts(reply: Reply, origin: { protocol: string; model: string }, ending: ReplyEnding): AssistantPart[] {
  const parts: AssistantPart[] = [];
  for (const part of reply) {
    if (part === undefined) {
      continue;
    }
    if (part.type === 'toolCall') {
      const args = ending !== 'complete' && part.rawArgs.trim() === '' ? null : parseArgs(part.rawArgs);
      if (ending !== 'stopped' || args !== null) {
        parts.push({ ...part, args });
      }
    } else {
      parts.push(part.type === 'text' ? part : { ...part, ...origin });
    }
  }
  return parts;
}

/** Tool arguments as an object; no bytes at all mean no arguments. Null when they are no JSON object. */
function parseArgs(raw: string): JsonObject | null {
  if (raw.trim() === '') {
    return {};
  }
  const value = parseJson(raw);
  return isObject(value) ? value : null;
}
