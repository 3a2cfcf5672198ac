import { canonicalJson } from '../../json.js';
import type { ToolCallPart } from '../../model/part.js';

/**
 * Finds the calls that a model repeats because it got a reference to their result and wants the full text. These are
 * replies with only such calls, directly after the replies that got the references. Replies without calls do not count.
 */
export class AskedCalls {
  /** The calls of the previous reply with calls whose results were replaced, and those of the current reply. */
  #previous: ReadonlySet<string> = new Set();
  #current = new Set<string>();
  /** Calls that were answered together in full. A loop that repeats the same calls in each reply stays short. */
  readonly #together = new Set<string>();
  #isAsked = false;

  /** Whether the model asks for the full results of the current reply. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Begins the next reply. `held`: the calls that the request contains. */
  beginReply(held: readonly ToolCallPart[]): void {
    if (held.length === 0) {
      return;
    }
    [this.#previous, this.#current] = [this.#current, new Set()];
    const calls = held.map(callKey);
    const isFirst = calls.length === 1 || !calls.some((call) => this.#together.has(call));
    this.#isAsked = isFirst && calls.every((call) => this.#previous.has(call));
    for (const call of this.#isAsked && calls.length > 1 ? calls : []) {
      this.#together.add(call);
    }
  }

  /** Notes that the result of a call of the current reply was replaced. */
  replaced(call: ToolCallPart): void {
    this.#current.add(callKey(call));
  }
}

const CALL_KEYS = new WeakMap<ToolCallPart, string>();

/** Identifies tool and arguments of a call. Cached, because arguments can be long. */
export function callKey(call: ToolCallPart): string {
  const key = CALL_KEYS.get(call) ?? `${call.name} ${canonicalJson(call.args ?? {})}`;
  CALL_KEYS.set(call, key);
  return key;
}
