/* The content of a request in order, independent of the wire format. Calls are numbered, because their ids change. */

export type Item =
  | { readonly role: string; readonly kind: 'text'; readonly text: string }
  | { readonly role: string; readonly kind: 'image'; readonly url: string }
  /** `opaque` is what the provider wants back with the text. */
  | { readonly role: string; readonly kind: 'reasoning'; readonly text: string; readonly opaque: string }
  | { readonly role: string; readonly kind: 'call'; readonly call: number; readonly name: string; readonly args: string }
  | {
      readonly role: string;
      readonly kind: 'result';
      readonly call: number;
      readonly failed: boolean;
      readonly content: readonly string[];
    };

/** Numbers calls in order. A result belongs to the latest call with its id. */
export class CallNumbers {
  readonly #latest = new Map<unknown, number>();
  #count = 0;

  call(id: unknown): number {
    this.#count += 1;
    this.#latest.set(id, this.#count);
    return this.#count;
  }

  /** 0 for a result without a call. */
  result(id: unknown): number {
    return this.#latest.get(id) ?? 0;
  }
}

export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

export const LOADS = 'loads ';

export function dataUrl(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}
