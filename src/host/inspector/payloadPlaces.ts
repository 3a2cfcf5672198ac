import type { WirePart } from '../../engine/model/block.js';
import type { HeldBlock } from './heldRequest.js';

/*
 * Where the blocks of a request stand in its body. Each protocol writes them in its own way, but all write their texts, calls and
 * definitions as JSON, in the order of the blocks; tools, system prompt and messages may have any order among each other.
 */

/** So many blocks are looked for in vain, each through the rest of the body: a protocol that writes none of them is not searched for ever. */
const MOST_MISSES = 20;

const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The place of each block in the body, in characters; null where it was not found. */
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

interface Found {
  readonly at: number;
  readonly to: number;
}

function placeOf(body: string, part: WirePart, from: number): Found | null {
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

/** What to look for, the surest first. Forms that are as sure as each other stand together: the first in the body counts. */
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

/** Some protocols replace half a surrogate pair, which is not valid Unicode, and some write a text behind words of their own. */
function textForms(text: string): readonly (readonly string[])[] {
  const written = [...new Set([JSON.stringify(text), JSON.stringify(text.replace(LONE_SURROGATES, '\uFFFD'))])];
  const inner = text === '' ? [] : [written.map((json) => json.slice(1, -1))];
  return [written.flatMap((json) => [`"text":${json}`, `"content":${json}`]), written, ...inner];
}
