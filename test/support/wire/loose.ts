/* Reads unchecked JSON. The validators share no code with what they check, so that they do not repeat its mistakes. */

export type Loose = Readonly<Record<string, unknown>>;

/** A JSON object and its place in the body in the notation of the APIs' errors: `messages.1.content.0`. */
export interface Located {
  readonly at: string;
  readonly value: Loose;
}

export function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

export function isCount(value: unknown, least: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least;
}

export function unknownMembers({ at, value }: Located, known: ReadonlySet<string>): string[] {
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => `${at}.${name}: no such member`);
}

/** Returns the objects of an array, and reports other items. */
export function objectsOf(at: string, items: readonly unknown[], faults: string[]): Located[] {
  return items.flatMap((value, index) => {
    const place = `${at}.${index}`;
    if (isLoose(value)) {
      return [{ at: place, value }];
    }
    faults.push(`${place}: is no object`);
    return [];
  });
}

export function repeated(items: readonly string[]): string[] {
  return items.filter((item, index) => items.indexOf(item) !== index);
}

/** Standard Base64: padded, without line breaks, not empty. */
export function isBase64(data: string): boolean {
  return data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

/**
 * Returns the places of texts with half a surrogate pair. A strict JSON parser refuses the whole body: `The request
 * body is not valid JSON: no low surrogate in string` (Anthropic), `lone leading surrogate in hex escape` (servers that
 * use serde).
 */
export function surrogateFaults(at: string, value: unknown): string[] {
  if (isText(value)) {
    return /\p{Surrogate}/u.test(value) ? [`${at}: holds half a surrogate pair`] : [];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, item]) => [...surrogateFaults(at, name), ...surrogateFaults(`${at}.${name}`, item)]);
}
