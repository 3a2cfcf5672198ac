import { loadedText } from '../../engine/chat/message/message.js';
import type { Json, JsonObject } from '../../engine/json.js';
import type { WirePart } from '../../engine/model/block.js';
import type { HeldBlock } from './heldRequest.js';

const TEXTS = new WeakMap<WirePart, string>();

/** The text of a block as it is read: several values stand below their names. A part never changes, and its text is made once. */
export function blockText(part: WirePart): string {
  const known = TEXTS.get(part);
  if (known !== undefined) {
    return known;
  }
  const text = partFields(part)
    .map(({ name, value }) => {
      const written = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
      return name === null ? written : `${name}:\n${written}`;
    })
    .join('\n\n');
  TEXTS.set(part, text);
  return text;
}

/** The places of the blocks whose text holds some words, in any case; null where nothing is looked for. */
export function foundBlocks(blocks: readonly HeldBlock[], words: string): readonly number[] | null {
  if (words.trim() === '') {
    return null;
  }
  const pattern = new RegExp(words.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return blocks.flatMap(({ part }, at) => (part !== null && pattern.test(blockText(part)) ? [at] : []));
}

/** A text or a value that a part of a request holds. */
interface PartField {
  /** Its name in the part; null for the main one. */
  readonly name: string | null;
  readonly value: Json;
}

/** The values that a part holds, in the order they are read. */
function partFields(part: WirePart): readonly PartField[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [{ name: null, value: part.text }];
    case 'image':
      return [{ name: null, value: `An image (${part.mimeType}).` }];
    case 'toolCall':
      return argumentFields(part.args);
    case 'toolResult':
      return part.content.flatMap((content) =>
        content.type === 'image' ? [] : [{ name: null, value: content.type === 'text' ? content.text : loadedText(content) }],
      );
    case 'toolDefinition':
      return [
        { name: null, value: part.description },
        { name: 'parameters', value: part.schema },
      ];
  }
}

/** Arguments of several lines, such as a file to write, are fields of their own: as JSON they are hard to read. */
function argumentFields(args: JsonObject): readonly PartField[] {
  const isLong = ([, value]: readonly [string, Json]): boolean => typeof value === 'string' && value.includes('\n');
  const entries = Object.entries(args);
  const long = entries.filter(isLong);
  const short = entries.filter((entry) => !isLong(entry));
  const rest = short.length === 0 && long.length > 0 ? [] : [{ name: null, value: Object.fromEntries(short) }];
  return [...rest, ...long.map(([name, value]) => ({ name, value }))];
}
