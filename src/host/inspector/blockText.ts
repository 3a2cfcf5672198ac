import type { WirePart } from '../../engine/request/block.js';
import { partFields } from '../request/requestParts.js';

const TEXTS = new WeakMap<WirePart, string>();

/** The text of a block as it is read: several values stand below their names. A part never changes, and its text is made once. */
export function blockText(part: WirePart): string {
  const known = TEXTS.get(part);
  if (known !== undefined) {
    return known;
  }
  const text =
    part.type === 'image'
      ? `An image (${part.mimeType}).`
      : partFields(part)
          .map(({ name, value }) => {
            const written = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
            return name === null ? written : `${name}:\n${written}`;
          })
          .join('\n\n');
  TEXTS.set(part, text);
  return text;
}
