import type { WirePart } from '../../engine/model/block.js';
import type { HeldBlock } from './heldRequest.js';

/*
 * Finds the blocks of a request in its body. Each protocol has its own format, but all write texts, calls and
 * definitions as JSON in block order. Tools, system prompt and messages are searched separately, because their order
 * differs.
 */

/** The number of failed searches after which the search ends. Each one reads the rest of the body. */
const MOST_MISSES = 20;

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Returns the offset of each block in the body, in characters; null when not found. */
export function payloadPlaces(body: string, blocks: readonly HeldBlock[]): readonly (number | null)[] {
  const from = new Map<string, number>();
  let misses = 0;
  return blocks.map(({ part, role }) => {
    const region = role === 'tools' || role === 'system' ? role : 'messages';
    const found = part === null || misses === MOST_MISSES ? null : placeOf(body, part, from.get(region) ?? 0);
    if (found === null) {
      misses += part === null || misses === MOST_MISSES ? 0 : 1;
      return null;
    }
    from.set(region, found.to);
    return found.at;
  });
}

interface BlockPlace {
  readonly at: number;
  readonly to: number;
}

function placeOf(body: string, part: WirePart, from: number): BlockPlace | null {
  for (const forms of formsOf(part)) {
    const places = forms.flatMap((form) => {
      const at = body.indexOf(form, from);
      return at === -1 ? [] : [{ at, to: at + form.length }];
    });
    const [first, ...others] = places;
    if (first !== undefined) {
      return others.reduce((least, each) => (each.at < least.at ? each : least), first);
    }
  }
  return null;
}

/** Returns the texts to search for, most reliable group first. Within a group the first match in the body counts. */
function formsOf(part: WirePart): readonly (readonly string[])[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return textForms(part.text);
    case 'image':
      return [[`"${part.mimeType}"`, `"data:${part.mimeType}`]];
    case 'toolCall':
      return [[JSON.stringify(part.id)], [`"name":${JSON.stringify(part.name)}`]];
    case 'toolResult':
      return [
        [JSON.stringify(part.callId)],
        ...part.content.flatMap((content) => (content.type === 'text' ? textForms(content.text) : [])),
      ];
    case 'toolDefinition':
      return [[`"name":${JSON.stringify(part.name)}`]];
  }
}

/** Returns the forms of a text. Some protocols replace lone surrogates (invalid Unicode) or add text before it. */
function textForms(text: string): readonly (readonly string[])[] {
  const written = [...new Set([JSON.stringify(text), JSON.stringify(text.replace(LONE_SURROGATES, '\uFFFD'))])];
  const inner = text === '' ? [] : [written.map((json) => json.slice(1, -1))];
  return [written.flatMap((json) => [`"text":${json}`, `"content":${json}`]), written, ...inner];
}
