import type { ReplyStreamPart } from '../../engine/model/model.js';
import { CallArguments } from '../callArguments.js';
import { UniqueIds } from '../callIds.js';
import { member, wordsMember } from '../json.js';
import { callSeal } from './reasoning.js';

interface PartialCall {
  /** The call's index as the server sends it. Null until received. */
  readonly position: number | null;
  /** Whether the server sent the call inside the arguments of the previous call, as another JSON object. */
  readonly isSplitOff: boolean;
  serverId: string;
  name: string;
  readonly args: CallArguments;
  /** Arguments that arrived before the name, and that the reader has not returned yet. */
  unsaid: string;
  /** Index and id of the call's part in the reply. Null until the name has arrived. */
  announced: { readonly index: number; readonly id: string } | null;
}

/**
 * Assembles tool calls from pieces. The protocol numbers calls with `index` and sends id and name in the first piece.
 * Some servers differ: no index, index 0 for all calls, whole calls at once, no id, a repeated id, the name late or in
 * pieces, arguments as an object.
 *
 * A piece belongs to the call with its index, otherwise to the call with its id, otherwise to the latest call. A piece
 * starts another call in these cases:
 * - The id is different. Some servers invent an id for each piece, so an id without a name starts a call only after
 * complete arguments other than `{}`.
 * - The name is different.
 * - The piece has a name and arguments, after complete arguments of the call. An equal call with its id is a repeat.
 * - The piece continues the arguments with a second object. The next call then has the same tool.
 * An empty piece starts no call. A call with only an id is ignored.
 */
export class ToolCallDeltas {
  readonly #calls: PartialCall[] = [];
  /** The latest call for each index and for each id of the server. */
  readonly #byPosition = new Map<number, PartialCall>();
  readonly #byServerId = new Map<string, PartialCall>();
  readonly #ids = new UniqueIds(Infinity);
  readonly #nextPart: () => number;
  #latest: PartialCall | null = null;
  #hasCall = false;

  /** `nextPart` returns the index of the reply's next part. */
  constructor(nextPart: () => number) {
    this.#nextPart = nextPart;
  }

  get isEmpty(): boolean {
    return !this.#hasCall;
  }

  /** Id of the call of the latest piece. Null until the name of the call has arrived. */
  get latestId(): string | null {
    return this.#latest?.announced?.id ?? null;
  }

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

  #takeArguments(first: PartialCall, piece: CallPiece): ReplyStreamPart[] {
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

  /** Returns the held arguments and the calls without a name. The model gets an error for a call without a name. */
  end(): ReplyStreamPart[] {
    return this.#calls
      .filter((call) => !isEmpty(call))
      .flatMap((call) => {
        const rest = call.args.end();
        return call.announced === null ? this.#announce(call, rest) : this.#pass(call, rest);
      });
  }

  #continued(piece: CallPiece): PartialCall | undefined {
    const call = this.#pointedTo(piece);
    return call === undefined || startsAnother(piece, call) ? undefined : call;
  }

  #pointedTo({ position, id, name }: CallPiece): PartialCall | undefined {
    if (position !== null) {
      return this.#byPosition.get(position);
    }
    if (id !== '') {
      return this.#byServerId.get(id);
    }
    const latest = this.#calls.at(-1);
    // A name without index and id starts a call, unless the latest call still has no name.
    return name === '' || latest?.name === '' ? latest : undefined;
  }

  #open({ position }: CallPiece, isSplitOff: boolean): PartialCall {
    const call: PartialCall = { position, isSplitOff, serverId: '', name: '', args: new CallArguments(), unsaid: '', announced: null };
    this.#calls.push(call);
    if (position !== null) {
      this.#byPosition.set(position, call);
    }
    return call;
  }

  #pass(call: PartialCall, newest: string): ReplyStreamPart[] {
    if (call.announced !== null) {
      return newest === '' ? [] : [{ type: 'toolCallArgs', index: call.announced.index, text: newest }];
    }
    if (call.name !== '') {
      return this.#announce(call, newest);
    }
    call.unsaid += newest;
    return [];
  }

  #announce(call: PartialCall, newest: string): ReplyStreamPart[] {
    const { name, unsaid, serverId } = call;
    const announced = { index: this.#nextPart(), id: this.#ids.take(serverId) };
    call.announced = announced;
    const text = unsaid + newest;
    const begin: ReplyStreamPart = { type: 'toolCall', ...announced, name, ...(call.isSplitOff ? { isSplitOff: true } : {}) };
    return text === '' ? [begin] : [begin, { type: 'toolCallArgs', index: announced.index, text }];
  }
}

interface CallPiece {
  readonly position: number | null;
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

function readPiece(delta: unknown): CallPiece {
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

/** Whether an item of `delta.tool_calls` has no content, so that it neither starts nor continues a call. */
export function isEmptyItem(item: unknown): boolean {
  return saysNothing(readPiece(item)) && callSeal(item) === undefined;
}

function saysNothing({ id, name, args }: CallPiece): boolean {
  return id === '' && name === '' && args.trim() === '';
}

function isEmpty({ name, unsaid, args }: PartialCall): boolean {
  return name === '' && unsaid === '' && args.is('');
}

/** Whether a piece that refers to `call` starts another call instead. */
function startsAnother(piece: CallPiece, call: PartialCall): boolean {
  const isOtherId = piece.id !== '' && call.serverId !== '' && piece.id !== call.serverId;
  if (piece.name === '') {
    return isOtherId && call.args.isComplete && !call.args.isEmptyObject;
  }
  const isOtherName = call.name !== '' && piece.name !== call.name && !continuesName(piece, call);
  return isOtherId || isOtherName || (piece.args.trim() !== '' && !isContinuation(piece, call) && call.args.isComplete);
}

/** Whether a piece continues the call's name: the index is the same, and no arguments have arrived. */
function continuesName({ position }: CallPiece, { position: known, args, unsaid }: PartialCall): boolean {
  return position !== null && position === known && unsaid === '' && args.is('');
}

/** Returns the name after another piece. Some servers repeat the whole name or the name so far. */
function nameWith({ name }: CallPiece, { name: known }: PartialCall): string {
  if (name === '') {
    return known;
  }
  return name.startsWith(known) ? name : known + name;
}

/** Whether a piece repeats the call or replaces its empty object. Two different calls never have the same id. */
function isContinuation({ id, args }: CallPiece, call: PartialCall): boolean {
  return id !== '' && id === call.serverId && (call.args.is(args) || call.args.isEmptyObject);
}
