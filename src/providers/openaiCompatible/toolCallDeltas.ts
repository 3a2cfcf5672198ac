import type { ReplyStreamPart } from '../../engine/model/model.js';
import { CallArguments } from '../callArguments.js';
import { UniqueIds } from '../callIds.js';
import { member, wordsMember } from '../json.js';
import { callSeal } from './reasoning.js';

/** A tool call of the reply while it arrives. */
interface OpenCall {
  /** From the server; null and '' until it has sent them. */
  readonly position: number | null;
  /** Whether its arguments came in those of the call before. */
  readonly isSplitOff: boolean;
  serverId: string;
  name: string;
  readonly args: CallArguments;
  /** Arguments that came before the name. */
  unsaid: string;
  /** Its part and its id in the reply; null before it is announced, with the arguments so far. That needs its name. */
  announced: { readonly index: number; readonly id: string } | null;
}

/**
 * Puts the pieces of tool calls together. The protocol numbers calls with `index`, and sends id and name in the first
 * piece. Some servers differ: they send no index, index 0 for all calls, whole calls at once, no id, an id twice, the
 * name later or in pieces, or arguments as an object.
 *
 * A piece continues the call it points to: by index, else by id, else the latest one. It begins another call when it
 * has another id, another name, or a name and arguments although the call's arguments are complete; the same call once
 * more is a repeat. Some servers make up an id for each piece: a different id without a name begins a call only after
 * complete arguments. Arguments that go on with a second object are another call of the same tool. A piece that says
 * nothing begins no call, and a call of which nothing but an id came is none.
 */
export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];
  /** The latest call by index, and by the server's id. */
  readonly #byPosition = new Map<number, OpenCall>();
  readonly #byServerId = new Map<string, OpenCall>();
  readonly #ids = new UniqueIds(Infinity);
  readonly #nextPart: () => number;
  #latest: OpenCall | null = null;
  /** Whether a name or arguments came. */
  #hasCall = false;

  /** `nextPart` gives the number of the next part of the reply. */
  constructor(nextPart: () => number) {
    this.#nextPart = nextPart;
  }

  get isEmpty(): boolean {
    return !this.#hasCall;
  }

  /** Id in the reply of the call that the latest piece was of; null while it has none. */
  get latestId(): string | null {
    return this.#latest?.announced?.id ?? null;
  }

  /** The stream parts of one item of `delta.tool_calls`. */
  take(delta: unknown): ReplyStreamPart[] {
    const piece = readPiece(delta);
    const continued = this.#continued(piece);
    if (continued === undefined && saysNothing(piece)) {
      return [];
    }
    this.#hasCall ||= piece.name !== '' || piece.args.trim() !== '';
    const call = continued ?? this.#open(piece, false);
    if (call.serverId === '' && piece.id !== '') {
      call.serverId = piece.id;
      this.#byServerId.set(piece.id, call);
    }
    const before = call.name;
    call.name = nameWith(piece, call);
    this.#latest = call;
    const { announced, name } = call;
    const renamed: ReplyStreamPart[] = announced === null || name === before ? [] : [{ type: 'toolCall', ...announced, name }];
    return [...renamed, ...this.#takeArguments(call, piece)];
  }

  #takeArguments(first: OpenCall, piece: Piece): ReplyStreamPart[] {
    let call = first;
    let { text, next } = call.args.take(piece.args);
    const parts = this.#pass(call, text);
    while (next !== '') {
      const { name } = call;
      call = this.#open(piece, true);
      call.name = name;
      if (piece.id !== '') {
        this.#byServerId.set(piece.id, call);
      }
      ({ text, next } = call.args.take(next));
      parts.push(...this.#pass(call, text));
    }
    this.#latest = call;
    return parts;
  }

  /** Tells what was held back, and announces the calls without a name: they cannot run, and the model is told so. */
  end(): ReplyStreamPart[] {
    return this.#calls
      .filter((call) => !isEmpty(call))
      .flatMap((call) => {
        const rest = call.args.end();
        return call.announced === null ? this.#announce(call, rest) : this.#pass(call, rest);
      });
  }

  #continued(piece: Piece): OpenCall | undefined {
    const call = this.#pointedTo(piece);
    return call === undefined || startsAnother(piece, call) ? undefined : call;
  }

  #pointedTo({ position, id, name }: Piece): OpenCall | undefined {
    if (position !== null) {
      return this.#byPosition.get(position);
    }
    if (id !== '') {
      return this.#byServerId.get(id);
    }
    const latest = this.#calls.at(-1);
    // A name without index and id begins a call, unless the latest call still waits for its name.
    return name === '' || latest?.name === '' ? latest : undefined;
  }

  #open({ position }: Piece, isSplitOff: boolean): OpenCall {
    const call: OpenCall = { position, isSplitOff, serverId: '', name: '', args: new CallArguments(), unsaid: '', announced: null };
    this.#calls.push(call);
    if (position !== null) {
      this.#byPosition.set(position, call);
    }
    return call;
  }

  #pass(call: OpenCall, newest: string): ReplyStreamPart[] {
    if (call.announced !== null) {
      return newest === '' ? [] : [{ type: 'toolCallArgs', index: call.announced.index, text: newest }];
    }
    if (call.name !== '') {
      return this.#announce(call, newest);
    }
    call.unsaid += newest;
    return [];
  }

  #announce(call: OpenCall, newest: string): ReplyStreamPart[] {
    const { name, unsaid, serverId } = call;
    const announced = { index: this.#nextPart(), id: this.#ids.take(serverId) };
    call.announced = announced;
    const text = unsaid + newest;
    const begin: ReplyStreamPart = { type: 'toolCall', ...announced, name, ...(call.isSplitOff ? { isSplitOff: true } : {}) };
    return text === '' ? [begin] : [begin, { type: 'toolCallArgs', index: announced.index, text }];
  }
}

interface Piece {
  readonly position: number | null;
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

function readPiece(delta: unknown): Piece {
  const position = member(delta, 'index');
  const called = member(delta, 'function');
  const args = member(called, 'arguments') ?? '';
  return {
    position: typeof position === 'number' ? position : null,
    id: wordsMember(delta, 'id') ?? '',
    name: wordsMember(called, 'name') ?? '',
    args: typeof args === 'string' ? args : JSON.stringify(args),
  };
}

/** Whether an item of `delta.tool_calls` neither begins nor continues a call. */
export function isEmptyItem(item: unknown): boolean {
  return saysNothing(readPiece(item)) && callSeal(item) === undefined;
}

function saysNothing({ id, name, args }: Piece): boolean {
  return id === '' && name === '' && args.trim() === '';
}

/** Whether neither a name nor arguments came. */
function isEmpty({ name, unsaid, args }: OpenCall): boolean {
  return name === '' && unsaid === '' && args.is('');
}

/** Whether a piece that points to `call` belongs to another one. */
function startsAnother(piece: Piece, call: OpenCall): boolean {
  const isOtherId = piece.id !== '' && call.serverId !== '' && piece.id !== call.serverId;
  if (piece.name === '') {
    return isOtherId && call.args.isComplete && !call.args.isEmptyObject;
  }
  const isOtherName = call.name !== '' && piece.name !== call.name && !continuesName(piece, call);
  return isOtherId || isOtherName || (piece.args.trim() !== '' && !isContinuation(piece, call) && call.args.isComplete);
}

/** Whether a piece has more of the name: it is numbered as the call is, whose arguments have not begun. */
function continuesName({ position }: Piece, { position: known, args, unsaid }: OpenCall): boolean {
  return position !== null && position === known && unsaid === '' && args.is('');
}

/** The name of the call with what a piece of it adds. Some servers repeat the name, or all of it so far. */
function nameWith({ name }: Piece, { name: known }: OpenCall): string {
  if (name === '') {
    return known;
  }
  return name.startsWith(known) ? name : known + name;
}

/** Whether a piece is the whole call once more, or has the arguments in place of an empty object: two calls never share an id. */
function isContinuation({ id, args }: Piece, call: OpenCall): boolean {
  return id !== '' && id === call.serverId && (call.args.is(args) || call.args.isEmptyObject);
}
