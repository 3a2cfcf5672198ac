import { createHash } from 'node:crypto';
import type { ReceivedRequest, Reply, ReplyHandler, ReplyPart } from './options.js';
import type { TokenCounter } from './tokens.js';

/** Code points per piece of a stream. Small, so that clients have to join pieces. */
const PIECE_CODE_POINTS = 24;

/** A part of a reply with all defaults filled in. */
export type FinishedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string }
  | { readonly type: 'toolCall'; readonly text: string; readonly name: string; readonly id: string };

export interface FinishedReply {
  readonly parts: readonly FinishedPart[];
  readonly stop: NonNullable<Reply['stop']>;
  readonly output: number;
  /** Thinking tokens as part of the output. */
  readonly thinking: number;
  readonly serviceTier: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly halfWay: NonNullable<Reply['halfWay']> | null;
}

/** One reply for each request. A further request fails. */
export function inTurn(...replies: readonly Reply[]): ReplyHandler {
  let next = 0;
  return () => {
    const reply = replies[next];
    next += 1;
    if (reply === undefined) {
      throw new Error(`There are ${replies.length} replies; this is request ${next}.`);
    }
    return reply;
  };
}

export function describeSizes({ blocks, marks, use }: ReceivedRequest): Reply {
  const text =
    `${blocks} blocks, ${marks} marks: ${use.read} tokens read, ${use.written5m} written for 5 minutes, ` +
    `${use.written1h} for an hour, ${use.fresh} fresh.`;
  return { parts: [{ type: 'text', text }] };
}

/** `number` of the request keeps the ids of calls unique. */
export function finish(reply: Reply, number: number, counter: TokenCounter): FinishedReply {
  const parts = reply.parts.map((part, index) => finishPart(part, `${number}_${index}`));
  const tokensOf = (part: FinishedPart): number => counter.count(part.type === 'toolCall' ? part.name + part.text : part.text);
  const sum = (counted: readonly FinishedPart[]): number => counted.reduce((total, part) => total + tokensOf(part), 0);
  return {
    parts,
    stop: reply.stop ?? (parts.some(({ type }) => type === 'toolCall') ? 'toolCalls' : 'end'),
    output: reply.outputTokens ?? sum(parts),
    thinking: sum(parts.filter(({ type }) => type === 'thinking')),
    serviceTier: reply.serviceTier ?? null,
    headers: reply.headers ?? {},
    halfWay: reply.halfWay ?? null,
  };
}

function finishPart(part: ReplyPart, suffix: string): FinishedPart {
  switch (part.type) {
    case 'text':
      return part;
    case 'thinking':
      return { type: 'thinking', text: part.thinking, signature: part.signature ?? sign(part.thinking) };
    case 'toolCall': {
      const text = typeof part.args === 'string' ? part.args : JSON.stringify(part.args);
      return { type: 'toolCall', text, name: part.name, id: part.id ?? `call_${suffix}` };
    }
  }
}

function sign(thinking: string): string {
  return createHash('sha256').update(thinking).digest('base64');
}

export function pieces(text: string): string[] {
  const points = Array.from(text);
  const count = Math.ceil(points.length / PIECE_CODE_POINTS);
  return Array.from({ length: count }, (_, index) => points.slice(index * PIECE_CODE_POINTS, (index + 1) * PIECE_CODE_POINTS).join(''));
}
