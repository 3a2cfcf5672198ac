import type { Prompt, WireMessage } from '../engine/request/prompt.js';

/** How a protocol wants the ids of tool calls. */
export interface CallIdRule {
  /** In characters; room for a word and a number is needed, 16 or more. */
  readonly maxLength: number;
}

/** Stands for an id that is empty. */
const NAMELESS = 'call';

/**
 * Ids for the tool calls of a prompt as protocols want them: unique in the whole request, of letters, digits, `_` and
 * `-`, and not too long. Gives the wire id for each call and result by the key of its block; a result takes the id of
 * the call that it answers in the message directly before. An id that is fine already stays as it is, unless an earlier
 * call has it. What comes later changes no id, so that the prefix of a growing conversation keeps its bytes.
 */
export function wireCallIds(prompt: Prompt, rule: CallIdRule): ReadonlyMap<string, string> {
  const ids = new UniqueIds(rule.maxLength);
  const byBlock = new Map<string, string>();
  let before: readonly IdOfBlock[] = [];
  for (const message of prompt.messages) {
    const calls = idsOf(message, 'toolCall');
    for (const { key, id } of idsOf(message, 'toolResult')) {
      const call = before.find((candidate) => candidate.id === id);
      byBlock.set(key, (call === undefined ? undefined : byBlock.get(call.key)) ?? ids.take(id));
    }
    for (const { key, id } of calls) {
      byBlock.set(key, ids.take(id));
    }
    before = calls;
  }
  return byBlock;
}

interface IdOfBlock {
  readonly key: string;
  readonly id: string;
}

function idsOf({ blocks }: WireMessage, type: 'toolCall' | 'toolResult'): IdOfBlock[] {
  return blocks.flatMap(({ key, part }) => {
    if (part.type === 'toolCall' && type === 'toolCall') {
      return [{ key, id: part.id }];
    }
    return part.type === 'toolResult' && type === 'toolResult' ? [{ key, id: part.callId }] : [];
  });
}

/** Gives ids away, each once. One that is taken gets a number behind it, the next that is free. */
class UniqueIds {
  readonly #maxLength: number;
  readonly #taken = new Set<string>();
  /** The last number that an id got, so that a thousand equal ids are not tried a million times. */
  readonly #numbers = new Map<string, number>();

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  take(wanted: string): string {
    const name = wanted === '' ? NAMELESS : wanted.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, this.#maxLength);
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
