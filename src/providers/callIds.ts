import { failure } from '../engine/errors.js';
import type { Prompt, WireMessage } from '../engine/request/prompt.js';

/** Stands for an id that is empty. */
const NAMELESS = 'call';

/**
 * Ids for the tool calls of a prompt as protocols want them: unique in the whole request, of letters, digits, `_` and
 * `-`, and of `maxLength` characters at most, which are 16 or more. Gives the wire id for each call and result by the key
 * of its block; a result takes the id of the call that it answers in the message directly before. An id that is fine
 * already stays as it is, unless an earlier call has it. What comes later changes no id, so that the prefix of a growing
 * conversation keeps its bytes.
 */
export function wireCallIds(prompt: Prompt, maxLength: number): ReadonlyMap<string, string> {
  const ids = new UniqueIds(maxLength);
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

/** The wire id of the call or result of that block. */
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

/** Gives ids away, each once. One that is taken gets a number behind it, the next that is free. None is longer than `maxLength`. */
export class UniqueIds {
  readonly #maxLength: number;
  readonly #taken = new Set<string>();
  /** The last number that an id got, so that a thousand equal ids are not tried a million times. */
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
