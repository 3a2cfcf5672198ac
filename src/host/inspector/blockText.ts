import { loadedText } from '../../engine/chat/message/message.js';
import type { Json, JsonObject } from '../../engine/json.js';
import type { WirePart } from '../../engine/model/block.js';
import type { HeldBlock } from './heldRequest.js';

const TEXTS = new WeakMap<WirePart, string>();

/** Returns the text of a block, with a heading for each named field. Cached by part, because a part never changes. */
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

/** Returns the indexes of the blocks that contain the words. Ignores upper and lower case. Null for an empty search. */
export function foundBlocks(blocks: readonly HeldBlock[], words: string): readonly number[] | null {
  if (words.trim() === '') {
    return null;
  }
  const pattern = new RegExp(words.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return blocks.flatMap(({ part }, at) => (part !== null && pattern.test(blockText(part)) ? [at] : []));
}

interface PartField {
  /** The name of the field, used as a heading. Null for the main text. */
  readonly name: string | null;
  readonly value: Json;
}

/** Returns the fields of a part in display order. */
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

/** Returns each argument with several lines as a separate field, because such a text is hard to read in JSON. */
function argumentFields(args: JsonObject): readonly PartField[] {
  const isLong = ([, value]: readonly [string, Json]): boolean => typeof value === 'string' && value.includes('\n');
  const entries = Object.entries(args);
  const long = entries.filter(isLong);
  const short = entries.filter((entry) => !isLong(entry));
  const rest = short.length === 0 && long.length > 0 ? [] : [{ name: null, value: Object.fromEntries(short) }];
  return [...rest, ...long.map(([name, value]) => ({ name, value }))];
}
