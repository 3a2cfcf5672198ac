import { createHash } from 'node:crypto';
import { failure } from '../engine/errors.js';
import type { Prompt, WireMessage } from '../engine/model/prompt.js';

const NAMELESS = 'call';

/**
 * Gives each tool call an id that protocols accept: unique in the request, made of letters, digits, `_` and `-`, with
 * in the form of `ids`. Returns the ids of calls and results by block key. A result gets the id
 * of its call in the previous message. Replaces a valid id only if an earlier call has the same id. Later calls never
 * change earlier ids, so the start of a growing conversation stays cached.
 */
export function wireCallIds(prompt: Prompt, ids: CallIds): ReadonlyMap<string, string> {
  const byBlock = new Map<string, string>();
  let before: readonly IdOfBlock[] = [];
  for (const message of prompt.messages) {
    const calls = idsOf(message, 'toolCall');
    for (const { key, id } of idsOf(message, 'toolResult')) {
      const call = before.find((candidate) => candidate.id === id);
      byBlock.set(key, (call === undefined ? undefined : byBlock.get(call.key)) ?? ids.take(cleaned(id)));
    }
    for (const { key, id } of calls) {
      byBlock.set(key, ids.take(cleaned(id)));
    }
    before = calls;
  }
  return byBlock;
}

function cleaned(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Returns the id that the request body contains for a tool call or result. */
export function wireId(key: string, ids: ReadonlyMap<string, string>): string {
  const id = ids.get(key);
  if (id === undefined) {
    throw failure('internal.defect', { text: `The tool call or result ${key} has no id for the wire.` });
  }
  return id;
}

interface IdOfBlock {
  readonly key: string;
  readonly id: string;
}

function idsOf({ blocks }: WireMessage, type: 'toolCall' | 'toolResult'): IdOfBlock[] {
  return blocks.flatMap(({ key, part }) => {
    const id = part.type === 'toolCall' ? part.id : part.type === 'toolResult' ? part.callId : null;
    return id === null || part.type !== type ? [] : [{ key, id }];
  });
}

/** Gives unique ids. */
export interface CallIds {
  take(wanted: string): string;
}

/** The form of ids that Mistral requires: "must be a-z, A-Z, 0-9, with a length of 9". */
const NINE = /^[A-Za-z0-9]{9}$/;

/** Keeps an id of nine letters and digits. For another id, takes nine digits of its hash. */
export class NineCharacterIds implements CallIds {
  readonly #taken = new Set<string>();

  take(wanted: string): string {
    let id = wanted;
    for (let number = 1; !NINE.test(id) || this.#taken.has(id); number += 1) {
      id = createHash('sha256')
        .update(`${wanted} ${String(number)}`)
        .digest('hex')
        .slice(0, 9);
    }
    this.#taken.add(id);
    return id;
  }
}

/** Creates unique ids of at most `maxLength` characters (16 or more). A repeated id gets a number as a suffix. */
export class UniqueIds implements CallIds {
  readonly #maxLength: number;
  readonly #taken = new Set<string>();
  /** The last suffix of each id. Without this map, the search for a free suffix takes quadratic time. */
  readonly #numbers = new Map<string, number>();

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  take(wanted: string): string {
    const name = wanted === '' ? NAMELESS : wanted.slice(0, this.#maxLength);
    let id = name;
    let number = this.#numbers.get(name) ?? 1;
    while (this.#taken.has(id)) {
      number += 1;
      const suffix = `_${String(number)}`;
      id = `${name.slice(0, this.#maxLength - suffix.length)}${suffix}`;
    }
    this.#numbers.set(name, number);
    this.#taken.add(id);
    return id;
  }
}
