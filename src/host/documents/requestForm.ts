import type { Json } from '../../engine/json.js';
import type { PartField, RequestPart } from '../request/requestParts.js';

/*
 * A request in two: the values of its parts, and its form, which is all the rest. The form is the body as indented JSON
 * in which `⟨3⟩` stands for the value of part 3 and `⟨3.2⟩` for its second value. It is made from the bytes that are
 * sent, so what no part has stands in it: nothing can be missing. A text that a protocol puts together from parts is
 * written as a sum: `"Error: " + ⟨7⟩`. In a JSON text ⟨ stands between quotes, so that no content looks like this.
 */

/** Shorter values stand in the form as they are: a reference would hide more than it saves. In characters of JSON. */
const LEAST_REFERRED = 32;

/** Base64 of an image, or an opaque reasoning: nobody reads it. In characters; a signature of a provider has up to a few thousand. */
const LEAST_ENCODED = 8_192;
const ENCODED = /^(?:data:[^,]*,)?[A-Za-z0-9+/]*={0,2}$/;

const LONE_SURROGATES = /\p{Surrogate}/gu;

interface Referred extends PartField {
  /** `⟨3⟩`, `⟨3.2⟩`. */
  readonly reference: string;
}

/** The number of field `field` of part `part`, both from 0: `3`, `3.2`. */
export function fieldNumber(part: number, field: number): string {
  return `${String(part + 1)}${field === 0 ? '' : `.${String(field + 1)}`}`;
}

/** The form of a body with these parts. */
export function requestForm(body: string, parts: readonly RequestPart[]): string {
  return new Form(parts).print(JSON.parse(body) as Json, '');
}

class Form {
  /** By the JSON of their values. Equal values are taken in turn. */
  readonly #referred = new Map<string, Referred[]>();
  readonly #texts: readonly (Referred & { readonly value: string })[];

  constructor(parts: readonly RequestPart[]) {
    const all = parts.flatMap(({ fields }, part) =>
      fields.map((field, index) => ({ ...field, reference: `⟨${fieldNumber(part, index)}⟩` })),
    );
    for (const field of all) {
      for (const json of sentForms(field.value)) {
        this.#referred.set(json, [...(this.#referred.get(json) ?? []), field]);
      }
    }
    this.#texts = all.filter((field): field is Referred & { readonly value: string } => isLongText(field.value));
  }

  print(value: Json, indent: string): string {
    const json = JSON.stringify(value);
    if (json.length >= LEAST_REFERRED) {
      const reference = this.#referenceTo(json);
      if (reference !== null) {
        return reference;
      }
    }
    if (typeof value === 'string') {
      return this.#text(value);
    }
    if (typeof value !== 'object' || value === null || json.length <= 2) {
      return json;
    }
    const inner = `${indent}  `;
    const members = Array.isArray(value)
      ? value.map((item) => this.print(item as Json, inner))
      : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${this.print(member, inner)}`);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    return `${open ?? ''}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close ?? ''}`;
  }

  #referenceTo(json: string): string | null {
    const fields = this.#referred.get(json);
    const field = fields !== undefined && fields.length > 1 ? fields.shift() : fields?.[0];
    return field?.reference ?? null;
  }

  #text(text: string): string {
    const pieces = text.length < LEAST_REFERRED ? [] : this.#pieces(text);
    if (pieces.length > 0) {
      return pieces.join(' + ');
    }
    return text.length >= LEAST_ENCODED && ENCODED.test(text)
      ? `⟨${text.length.toLocaleString('en-US')} characters of encoded data⟩`
      : JSON.stringify(text);
  }

  /** A text as a sum of the texts of parts and of what stands between them; empty when it holds none. */
  #pieces(text: string): string[] {
    const pieces: string[] = [];
    let at = 0;
    for (const { value, reference } of this.#texts) {
      const found = value.length > text.length - at ? -1 : text.indexOf(value, at);
      if (found !== -1) {
        pieces.push(...(found === at ? [] : [JSON.stringify(text.slice(at, found))]), reference);
        at = found + value.length;
      }
    }
    return pieces.length === 0 || at === text.length ? pieces : [...pieces, JSON.stringify(text.slice(at))];
  }
}

/** The JSON of a value as a body may have it: some protocols replace half a surrogate pair, which is not valid Unicode. */
function sentForms(value: Json): ReadonlySet<string> {
  const json = JSON.stringify(value);
  return new Set([json, typeof value === 'string' ? JSON.stringify(value.replace(LONE_SURROGATES, '\uFFFD')) : json]);
}

function isLongText(value: Json): value is string {
  return typeof value === 'string' && value.length >= LEAST_REFERRED;
}
