import type { ReplyStreamPart } from '../../engine/run/model.js';
import { member, textMember } from './members.js';

/** A tool call of the reply while it arrives. */
interface OpenCall {
  /** Number of its part in the reply. */
  readonly part: number;
  /** What the server said of it; null and empty while it has not. */
  readonly position: number | null;
  serverId: string;
  name: string;
  /** All of the arguments so far. */
  args: string;
  /** How much of `args` was passed on; null while the name is missing, without which a call is not announced. */
  passed: number | null;
}

/**
 * Puts the pieces of tool calls together. The protocol numbers calls with `index` and gives id and name in the first
 * piece; servers that do not keep to it send no index, the index 0 for all calls, whole calls at once, no id, an id
 * twice, the name later, or arguments as an object.
 *
 * A piece continues the call that it points to (by index, else by id, else the latest one) unless that cannot be:
 * another id, another name, or a name together with more arguments behind arguments that are whole already.
 */
export class ToolCallDeltas {
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();
  readonly #nextPart: () => number;

  /** `nextPart` gives the number of a new part of the reply. */
  constructor(nextPart: () => number) {
    this.#nextPart = nextPart;
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** What one item of `delta.tool_calls` adds to the reply. */
  take(delta: unknown): ReplyStreamPart[] {
    const piece = readPiece(delta);
    const call = this.#continued(piece) ?? this.#open(piece);
    call.serverId = call.serverId === '' ? piece.id : call.serverId;
    call.name = call.name === '' ? piece.name : call.name;
    call.args += piece.args;
    return call.name === '' ? [] : this.#pass(call);
  }

  /** Announces the calls whose name never came: without one the call cannot run, and the model is told so. */
  end(): ReplyStreamPart[] {
    return this.#calls.filter(({ passed }) => passed === null).flatMap((call) => this.#pass(call));
  }

  #continued(piece: Piece): OpenCall | undefined {
    const call = this.#pointedTo(piece);
    if (call === undefined) {
      return undefined;
    }
    const isOther =
      (piece.id !== '' && call.serverId !== '' && piece.id !== call.serverId) ||
      (piece.name !== '' && call.name !== '' && piece.name !== call.name) ||
      (piece.name !== '' && piece.args.trim() !== '' && isWhole(call.args));
    return isOther ? undefined : call;
  }

  #pointedTo({ position, id, name }: Piece): OpenCall | undefined {
    if (position !== null) {
      return this.#calls.findLast((call) => call.position === position);
    }
    if (id !== '') {
      return this.#calls.findLast((call) => call.serverId === id);
    }
    const latest = this.#calls.at(-1);
    // A name without index and id begins a call, unless the latest one still waits for its name.
    return name === '' || latest?.name === '' ? latest : undefined;
  }

  #open({ position }: Piece): OpenCall {
    const call: OpenCall = { part: this.#nextPart(), position, serverId: '', name: '', args: '', passed: null };
    this.#calls.push(call);
    return call;
  }

  #pass(call: OpenCall): ReplyStreamPart[] {
    const { part: index, name, args } = call;
    const announced: ReplyStreamPart[] =
      call.passed === null ? [{ type: 'toolCall', index, id: this.#uniqueId(call.serverId), name }] : [];
    const text = args.slice(call.passed ?? 0);
    call.passed = args.length;
    return text === '' ? announced : [...announced, { type: 'toolCallArgs', index, text }];
  }

  /** The server's own id, or one made up; with a number behind it where the reply has the id already. */
  #uniqueId(serverId: string): string {
    const base = serverId === '' ? 'call' : serverId;
    let id = base;
    for (let number = 2; this.#ids.has(id); number += 1) {
      id = `${base}_${number}`;
    }
    this.#ids.add(id);
    return id;
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
    id: textMember(delta, 'id'),
    name: textMember(called, 'name'),
    args: typeof args === 'string' ? args : JSON.stringify(args),
  };
}

/** Whether these arguments are complete: nothing can follow a JSON object. */
function isWhole(args: string): boolean {
  if (!args.trimEnd().endsWith('}')) {
    return false;
  }
  try {
    JSON.parse(args);
    return true;
  } catch {
    // Still in the middle of it.
    return false;
  }
}
