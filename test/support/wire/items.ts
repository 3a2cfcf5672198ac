/*
 * What a request says, in order and without the form of any wire: what the prompt and each body are read as, so that
 * they can be compared. Calls are told apart by their number in the request, since ids are changed for the wire.
 */

export type Item =
  | { readonly role: string; readonly kind: 'text'; readonly text: string }
  | { readonly role: string; readonly kind: 'image'; readonly url: string }
  /** `opaque` is what the provider wants back beside the text. */
  | { readonly role: string; readonly kind: 'reasoning'; readonly text: string; readonly opaque: string }
  | { readonly role: string; readonly kind: 'call'; readonly call: number; readonly name: string; readonly args: string }
  | {
      readonly role: string;
      readonly kind: 'result';
      readonly call: number;
      readonly failed: boolean;
      readonly content: readonly string[];
    };

/** Numbers calls in the order in which they come. A result is of the latest call with its id. */
export class CallNumbers {
  readonly #latest = new Map<unknown, number>();
  #count = 0;

  call(id: unknown): number {
    this.#count += 1;
    this.#latest.set(id, this.#count);
    return this.#count;
  }

  /** 0 for a result of no call. */
  result(id: unknown): number {
    return this.#latest.get(id) ?? 0;
  }
}

/** JSON with the members of every object in the order of their names. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** Begins what a reference to a tool says. */
export const LOADS = 'loads ';

export function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}
