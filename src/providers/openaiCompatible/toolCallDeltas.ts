import type { ReplyStreamPart } from '../../engine/run/model.js';
import { UniqueIds } from '../callIds.js';
import { member, wordsMember } from '../json.js';
import { CallArguments } from './callArguments.js';

/** A tool call of the reply while it arrives. */
interface OpenCall {
  /** Number of its part in the reply. */
  readonly part: number;
  /** From the server; null and '' until it has sent them. */
  readonly position: number | null;
  serverId: string;
  name: string;
  readonly args: CallArguments;
  /** Arguments that came before the name. */
  unsaid: string;
  /** Its id in the reply; null before it is announced, with the arguments so far. That needs its name. */
  id: string | null;
}

/**
 * Puts the pieces of tool calls together. The protocol numbers calls with `index`, and sends id and name in the first
 * piece. Some servers differ: they send no index, index 0 for all calls, whole calls at once, no id, an id twice, the
 * name later or in pieces, or arguments as an object.
 *
 * A piece continues the call it points to: by index, else by id, else the latest one. It begins another call when it
 * has another id, another name, or a name and arguments although the call's arguments are complete; the same call once
 * more is a repeat. Some servers make up an id for each piece: a different id without a name begins a call only after
 * complete arguments.
 */
export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];
  /** The latest call by index, and by the server's id. */
  readonly #byPosition = new Map<number, OpenCall>();
  readonly #byServerId = new Map<string, OpenCall>();
  readonly #ids = new UniqueIds(Infinity);
  readonly #nextPart: () => number;
  #latest: OpenCall | null = null;

  /** `nextPart` gives the number of the next part of the reply. */
  constructor(nextPart: () => number) {
    this.#nextPart = nextPart;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Id in the reply of the call that the latest piece was of; null while it has none. */
  get latestId(): string | null {
    return this.#latest?.id ?? null;
  }

  /** The stream parts of one item of `delta.tool_calls`. */
  take(delta: unknown): ReplyStreamPart[] {
    const piece = readPiece(delta);
    const call = this.#continued(piece) ?? this.#open(piece);
    if (call.serverId === '' && piece.id !== '') {
      call.serverId = piece.id;
      this.#byServerId.set(piece.id, call);
    }
    const before = call.name;
    call.name = nameWith(piece, call);
    this.#latest = call;
    const renamed: ReplyStreamPart[] =
      call.id === null || call.name === before ? [] : [{ type: 'toolCall', index: call.part, id: call.id, name: call.name }];
    return [...renamed, ...this.#pass(call, call.args.take(piece.args))];
  }

  /** Tells what was held back, and announces the calls without a name: they cannot run, and the model is told so. */
  end(): ReplyStreamPart[] {
    return this.#calls.flatMap((call) => {
      const rest = call.args.end();
      return call.id === null ? this.#announced(call, rest) : this.#pass(call, rest);
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

  #open({ position }: Piece): OpenCall {
    const call: OpenCall = { part: this.#nextPart(), position, serverId: '', name: '', args: new CallArguments(), unsaid: '', id: null };
    this.#calls.push(call);
    if (position !== null) {
      this.#byPosition.set(position, call);
    }
    return call;
  }

  #pass(call: OpenCall, newest: string): ReplyStreamPart[] {
    if (call.id !== null) {
      return newest === '' ? [] : [{ type: 'toolCallArgs', index: call.part, text: newest }];
    }
    if (call.name !== '') {
      return this.#announced(call, newest);
    }
    call.unsaid += newest;
    return [];
  }

  #announced(call: OpenCall, newest: string): ReplyStreamPart[] {
    const { part: index, name, unsaid } = call;
    call.id = this.#ids.take(call.serverId);
    const text = unsaid + newest;
    const announced: ReplyStreamPart = { type: 'toolCall', index, id: call.id, name };
    return text === '' ? [announced] : [announced, { type: 'toolCallArgs', index, text }];
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

/** Whether a piece that points to `call` belongs to another one. */
function startsAnother(piece: Piece, call: OpenCall): boolean {
  const isOtherId = piece.id !== '' && call.serverId !== '' && piece.id !== call.serverId;
  if (piece.name === '') {
    return isOtherId && call.args.isComplete;
  }
  const isOtherName = call.name !== '' && piece.name !== call.name && !continuesName(piece, call);
  return isOtherId || isOtherName || (piece.args.trim() !== '' && !isRepeat(piece, call) && call.args.isComplete);
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

/** Whether a piece is the whole call once more: two calls never share an id. */
function isRepeat({ id, args }: Piece, call: OpenCall): boolean {
  return id !== '' && id === call.serverId && call.args.is(args);
}
