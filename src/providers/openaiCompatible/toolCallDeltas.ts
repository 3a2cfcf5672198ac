import type { ReplyStreamPart } from '../../engine/run/model.js';
import { parseJson } from '../../engine/json.js';
import { UniqueIds } from '../callIds.js';
import { member, wordsMember } from '../json.js';

/** A tool call of the reply while it arrives. */
interface OpenCall {
  /** Number of its part in the reply. */
  readonly part: number;
  /** From the server; null and '' until it has sent them. */
  readonly position: number | null;
  serverId: string;
  name: string;
  /** All arguments so far. */
  args: string;
  /** Whether the arguments end as a JSON object does. Testing them with each piece would read all of them each time. */
  endsInBrace: boolean;
  /** Whether the call was announced, with the arguments so far. That needs its name. */
  isAnnounced: boolean;
}

/**
 * Puts the pieces of tool calls together. The protocol numbers calls with `index`, and sends id and name in the first
 * piece. Some servers differ: they send no index, index 0 for all calls, whole calls at once, no id, an id twice, the
 * name later, or arguments as an object.
 *
 * A piece continues the call it points to: by index, else by id, else the latest one. It begins another call when it
 * has another id, another name, or a name and arguments although the call's arguments are complete. Some servers make
 * up an id for each piece: a different id without a name begins a call only after complete arguments.
 */
export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];
  /** The latest call by index, and by the server's id. */
  readonly #byPosition = new Map<number, OpenCall>();
  readonly #byServerId = new Map<string, OpenCall>();
  readonly #ids = new UniqueIds(Infinity);
  readonly #nextPart: () => number;

  /** `nextPart` gives the number of the next part of the reply. */
  constructor(nextPart: () => number) {
    this.#nextPart = nextPart;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** The stream parts of one item of `delta.tool_calls`. */
  take(delta: unknown): ReplyStreamPart[] {
    const piece = readPiece(delta);
    const call = this.#continued(piece) ?? this.#open(piece);
    if (call.serverId === '' && piece.id !== '') {
      call.serverId = piece.id;
      this.#byServerId.set(piece.id, call);
    }
    call.name = call.name === '' ? piece.name : call.name;
    call.args += piece.args;
    call.endsInBrace = piece.args.trim() === '' ? call.endsInBrace : piece.args.trimEnd().endsWith('}');
    return call.name === '' ? [] : this.#pass(call, piece.args);
  }

  /** Announces the calls without a name: they cannot run, and the model is told so. */
  end(): ReplyStreamPart[] {
    return this.#calls.filter(({ isAnnounced }) => !isAnnounced).flatMap((call) => this.#pass(call, ''));
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
    const call: OpenCall = { part: this.#nextPart(), position, serverId: '', name: '', args: '', endsInBrace: false, isAnnounced: false };
    this.#calls.push(call);
    if (position !== null) {
      this.#byPosition.set(position, call);
    }
    return call;
  }

  /** `newest` are the arguments of the latest piece. Cutting them from the end of all arguments would copy those each time. */
  #pass(call: OpenCall, newest: string): ReplyStreamPart[] {
    const { part: index, name } = call;
    const announced: ReplyStreamPart[] = call.isAnnounced ? [] : [{ type: 'toolCall', index, id: this.#ids.take(call.serverId), name }];
    const text = call.isAnnounced ? newest : call.args;
    call.isAnnounced = true;
    return text === '' ? announced : [...announced, { type: 'toolCallArgs', index, text }];
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
    return isOtherId && isComplete(call);
  }
  const isOtherName = call.name !== '' && piece.name !== call.name;
  return isOtherId || isOtherName || (piece.args.trim() !== '' && isComplete(call));
}

/** Whether the arguments are complete: nothing can follow a JSON object. */
function isComplete({ args, endsInBrace }: OpenCall): boolean {
  return endsInBrace && parseJson(args) !== undefined;
}
