import { assertNever } from '../../assertNever.js';
import { isObject, parseForeignJson, type JsonObject } from '../../json.js';
import type { ReceivedImage, ReplyStreamPart } from '../../model/model.js';
import type { AssistantPart, ImagePart, SplitMarker } from '../../model/part.js';

/**
 * A piece of a streaming reply. `offset` is the position of the piece in its part, in UTF-16 units. Because of
 * `offset`, a piece that arrives twice changes nothing. Some servers mark reasoning only by a tag at its end. So if a
 * reasoning piece continues a text part, the whole part becomes reasoning.
 */
export type ProgressPiece =
  | { readonly type: 'text' | 'reasoning' | 'toolCallArgs'; readonly index: number; readonly offset: number; readonly text: string }
  | { readonly type: 'reasoningSigned'; readonly index: number; readonly opaque: string }
  /** A whole image. Its bytes are already stored. */
  | { readonly type: 'image'; readonly index: number; readonly image: ImagePart }
  | ({ readonly type: 'toolCall'; readonly index: number; readonly id: string; readonly name: string } & SplitMarker);

/** A part of a reply during streaming. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | ImagePart
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque: string | null }
  | ({ readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly rawArgs: string } & SplitMarker);

/** Parts by their index in the stream. `undefined` for an index that never arrived. */
export type Reply = readonly (ReplyPart | undefined)[];

/** A reply during streaming. The array is changed in place: copies would cost quadratic time in the number of parts. */
export type GrowingReply = (ReplyPart | undefined)[];

const MIB = 1024 * 1024;

/**
 * Maximum number of bytes that Loupe accepts from a server. Applies to a whole response and to one event of a
 * stream. Models send far less. The limit protects the memory if a server never stops.
 */
export const MAX_REPLY_BYTES = 16 * MIB;

/**
 * Maximum length of a reply's text in UTF-16 units: about seven times the text of the largest output limit of current
 * models (128,000 tokens). In UTF-8 this is 4 to 12 MiB. This limits the size of a log line and the time to process it.
 */
export const MAX_REPLY_LENGTH = 4 * MIB;

/** Maximum bytes of all images of a reply: several of the largest images that models make. Protects the disk. */
export const MAX_REPLY_IMAGE_BYTES = 64 * MIB;

/**
 * Maximum number of parts in a reply. Loupe allocates an array up to the index of a part, so the index needs a limit. A
 * reply of 128,000 tokens, the largest output limit of current models, can begin a new part every 2 tokens.
 */
export const MAX_REPLY_PARTS = 65_536;

/**
 * Adds a piece to the reply. Parts are replaced, never changed. A piece has no effect in these cases: it was already
 * added, it would leave a gap, its part has another type, or its index is over the limit.
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
      return continued(known, piece) ?? part;
    case 'reasoningSigned':
      return known?.type === 'reasoning' && known.opaque !== piece.opaque ? { ...known, opaque: piece.opaque } : part;
    case 'image':
      return part ?? piece.image;
    case 'toolCall':
      return named(known, piece);
    case 'toolCallArgs':
      return known?.type === 'toolCall' ? (grown(known.rawArgs, piece, (rawArgs) => ({ ...known, rawArgs })) ?? part) : part;
    default:
      return assertNever(piece);
  }
}

function continued(known: ReplyPart | undefined, piece: TextPiece): ReplyPart | null {
  if (known?.type === 'text' && piece.type === 'reasoning') {
    return piece.offset === known.text.length ? { type: 'reasoning', text: known.text + piece.text, opaque: null } : null;
  }
  if (known === undefined || known.type === 'toolCall' || known.type === 'image' || known.type !== piece.type) {
    return null;
  }
  return grown(known.text, piece, (text) => ({ ...known, text }));
}

/** Returns the tool call with the name of a piece. A later piece of the same call may have a longer name. */
function named(known: ReplyPart | undefined, { id, name }: Extract<ProgressPiece, { readonly type: 'toolCall' }>): ReplyPart | undefined {
  return known?.type === 'toolCall' && known.id === id && name.length > known.name.length ? { ...known, name } : known;
}

/** Returns the empty part that a piece starts, or undefined if the piece can only continue a part. */
function startOf(piece: ProgressPiece): ReplyPart | undefined {
  switch (piece.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
    case 'reasoningSigned':
      return { type: 'reasoning', text: '', opaque: null };
    case 'toolCall':
      return { type: 'toolCall', id: piece.id, name: piece.name, rawArgs: '', ...(piece.isSplitOff === true ? { isSplitOff: true } : {}) };
    case 'image':
    case 'toolCallArgs':
      return undefined;
    default:
      return assertNever(piece);
  }
}

/** Returns the part with the text of the piece added, or null if the piece adds nothing or leaves a gap. */
function grown(text: string, piece: TextPiece, withText: (text: string) => ReplyPart): ReplyPart | null {
  const end = piece.offset + piece.text.length;
  return piece.offset > text.length || end <= text.length ? null : withText(text.slice(0, piece.offset) + piece.text);
}

/** A part of a stream whose image, if it is one, is stored. */
export type StoredStreamPart = Exclude<ReplyStreamPart, ReceivedImage> | Extract<ProgressPiece, { readonly type: 'image' }>;

/** Converts a stream part that continues `reply` to a progress piece. */
export function pieceOf(reply: Reply, part: StoredStreamPart): ProgressPiece {
  const known = reply[part.index];
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...part, offset: known !== undefined && 'text' in known ? known.text.length : 0 };
    case 'toolCallArgs':
      return { ...part, offset: known?.type === 'toolCall' ? known.rawArgs.length : 0 };
    case 'reasoningSigned':
    case 'image':
    case 'toolCall':
      return part;
    default:
      return assertNever(part);
  }
}

/** Joins pieces that continue each other, so that fewer pieces are sent. */
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

/** How a reply ended: `complete`, `cutOff` (at the output limit or too early), or `stopped` (by the user). */
export type ReplyEnding = 'complete' | 'cutOff' | 'stopped';

/**
 * Returns the message parts of a reply. Reasoning parts record `origin`, because only that protocol and model may
 * receive the reasoning again. Tool calls with incomplete arguments depend on the ending:
 *
 * - `stopped`: these calls are dropped.
 * - `cutOff`: these calls are kept with null arguments, so that the model sees what failed.
 *
 * Empty arguments are treated as incomplete unless the reply is `complete`.
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
      parts.push(part.type === 'reasoning' ? { ...part, ...origin } : part);
    }
  }
  return parts;
}

/** Returns the text of a reply without reasoning and calls. */
export function replyText(reply: Reply): string {
  return reply.flatMap((part) => (part?.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** Parses tool arguments. An empty text gives an empty object. Null if the text is not a JSON object. */
function parseArgs(raw: string): JsonObject | null {
  if (raw.trim() === '') {
    return {};
  }
  const value = parseForeignJson(raw);
  return isObject(value) ? value : null;
}
