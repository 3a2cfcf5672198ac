import { assertNever } from '../../assertNever.js';
import { isObject, parseOthersJson, type JsonObject } from '../../json.js';
import type { ReplyStreamPart } from '../../model/model.js';
import type { AssistantPart, SplitOff } from '../../model/part.js';

/**
 * A piece of a streaming reply. `offset` is the piece's position in the text of its part, in UTF-16 units. It makes
 * folding idempotent: a repeated piece changes nothing. A piece of reasoning that goes on where a text ends makes that text
 * reasoning: some servers tell only by a tag at its end what it was.
 */
export type ProgressPiece =
  | { readonly type: 'text' | 'reasoning' | 'toolCallArgs'; readonly index: number; readonly offset: number; readonly text: string }
  | { readonly type: 'reasoningSigned'; readonly index: number; readonly opaque: string }
  | ({ readonly type: 'toolCall'; readonly index: number; readonly id: string; readonly name: string } & SplitOff);

/** A part of a reply while it arrives. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque: string | null }
  | ({ readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly rawArgs: string } & SplitOff);

/** The parts by their index in the stream; `undefined` for an index that never came. */
export type Reply = readonly (ReplyPart | undefined)[];

/** A reply that still streams. It changes in place: a copy per piece would make the cost quadratic in the number of parts. */
export type GrowingReply = (ReplyPart | undefined)[];

const MIB = 1024 * 1024;

/**
 * The size of a reply that Loupe bears: of what the server sends at a time (a whole answer, an event of a stream), and of all images
 * that come with it. Far above what models send. It bounds memory when a server never stops.
 */
export const MAX_REPLY_BYTES = 16 * MIB;

/**
 * Longest text of a reply, in UTF-16 units: about seven times what the largest output limits of today's models (128,000 tokens)
 * allow. In UTF-8 it has 4 to 12 MiB. It bounds the length of the message's log line, and the work that is done at a time with it.
 */
export const MAX_REPLY_LENGTH = 4 * MIB;

/**
 * Most parts of a reply. An index needs a limit because all parts before it are allocated. The largest output limits of
 * today's models are 128,000 tokens, so even a reply that begins a new part at every second token fits.
 */
export const MAX_REPLY_PARTS = 65_536;

/**
 * Adds a piece to the reply; parts are replaced, never changed. A piece changes nothing when it is a repeat, leaves a
 * gap, does not match the type of its part, or has too large an index.
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
    case 'toolCall':
      return named(known, piece);
    case 'toolCallArgs':
      return known?.type === 'toolCall' ? (grown(known.rawArgs, piece, (rawArgs) => ({ ...known, rawArgs })) ?? part) : part;
    default:
      return assertNever(piece);
  }
}

/** The text or reasoning with a piece of it; null when the piece changes nothing. */
function continued(known: ReplyPart | undefined, piece: TextPiece): ReplyPart | null {
  if (known?.type === 'text' && piece.type === 'reasoning') {
    return piece.offset === known.text.length ? { type: 'reasoning', text: known.text + piece.text, opaque: null } : null;
  }
  if (known === undefined || known.type === 'toolCall' || known.type !== piece.type) {
    return null;
  }
  return grown(known.text, piece, (text) => ({ ...known, text }));
}

/** The call with the name of a piece: names may come in pieces. A shorter one is an earlier piece once more. */
function named(known: ReplyPart | undefined, { id, name }: Extract<ProgressPiece, { readonly type: 'toolCall' }>): ReplyPart | undefined {
  return known?.type === 'toolCall' && known.id === id && name.length > known.name.length ? { ...known, name } : known;
}

/** The empty part that a piece begins; undefined for a piece that can only continue a part. */
function startOf(piece: ProgressPiece): ReplyPart | undefined {
  switch (piece.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
    case 'reasoningSigned':
      return { type: 'reasoning', text: '', opaque: null };
    case 'toolCall':
      return { type: 'toolCall', id: piece.id, name: piece.name, rawArgs: '', ...(piece.isSplitOff === true ? { isSplitOff: true } : {}) };
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

/** The progress piece for a stream part that continues `reply`. */
export function pieceOf(reply: Reply, part: ReplyStreamPart): ProgressPiece {
  const known = reply[part.index];
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...part, offset: known === undefined || known.type === 'toolCall' ? 0 : known.text.length };
    case 'toolCallArgs':
      return { ...part, offset: known?.type === 'toolCall' ? known.rawArgs.length : 0 };
    case 'reasoningSigned':
    case 'toolCall':
      return part;
    default:
      return assertNever(part);
  }
}

/** Joins pieces that continue each other, so that a batch has as few as possible. */
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

/** How a reply ended: `complete` by itself, `cutOff` at the output limit or early, `stopped` by the user. */
export type ReplyEnding = 'complete' | 'cutOff' | 'stopped';

/**
 * The message parts of a reply. Reasoning records its `origin`, the only place it may be replayed to. Tool calls with
 * incomplete arguments depend on the ending:
 *
 * - `stopped`: they are left out.
 * - `cutOff`: they stay with null for arguments, so that the model learns of it.
 *
 * Empty arguments count as incomplete unless the reply is `complete`.
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

/** The text of a reply, without reasoning and calls. */
export function replyText(reply: Reply): string {
  return reply.flatMap((part) => (part?.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** Tool arguments as an object, empty for empty text; null when they are no JSON object. */
function parseArgs(raw: string): JsonObject | null {
  if (raw.trim() === '') {
    return {};
  }
  const value = parseOthersJson(raw);
  return isObject(value) ? value : null;
}
