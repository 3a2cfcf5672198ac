import type { Block } from '../../block.js';
import type { BlockFactory } from '../../blockFactory.js';
import type { Item, ItemEntry } from './sequence.js';
import type { SentSequence } from './sentSequence.js';

/** Begins the key of a fragment of the system prompt, which ends with its id. */
const FRAGMENT_KEY = 'fragment:';

/** What a request says of instructions that have changed since its system prompt was sent. */
export interface FragmentNotes {
  /** The system prompt as it was sent. */
  readonly system: readonly Block[];
  /** Each fragment of which another text was told, or has to be, than that of the system prompt. */
  readonly items: readonly Item[];
  /** The note of an entry that is new. */
  block(entry: ItemEntry): Block;
}

/**
 * Keeps the system prompt of the last request, and tells in notes which of its fragments have changed since. Null where
 * the prompt is the same, where another part of it has changed or cannot be read, and where notes would be longer than what they
 * keep in the cache: `alive` tokens of the messages.
 */
export function fragmentNotes(
  { system: sent, entries }: Pick<SentSequence, 'system' | 'entries'>,
  now: readonly Block[],
  { alive, factory }: { readonly alive: number; readonly factory: BlockFactory },
): FragmentNotes | null {
  if (sent === null || !isSameApartFromFragments(sent, now)) {
    return null;
  }
  const [before, after] = [fragmentsIn(sent), fragmentsIn(now)];
  const told = entries.filter(({ kind, key }) => kind === 'copy' && key.startsWith(FRAGMENT_KEY)).map(({ key }) => key);
  const changed = [...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key));
  const notes = new Map([...new Set([...told, ...changed])].map((key) => [key, note(key, after.get(key) ?? null, factory)]));
  const tokens = [...notes.values()].reduce((sum, block) => sum + block.tokens, 0);
  if (notes.size === 0 || tokens >= alive) {
    return null;
  }
  return {
    system: sent,
    items: [...notes].map(([key, block]) => ({ key, version: block.hash, tokens: block.tokens, tokensSince: () => null })),
    block({ key }) {
      const block = notes.get(key);
      if (block === undefined) {
        throw new RangeError(`The plan of a request has an entry of ${key} that no block can be made of.`);
      }
      return block;
    },
  };
}

/** Whether the block tells of a fragment: it needs no header. */
export function isFragmentNote({ item }: Pick<Block, 'item'>): boolean {
  return item?.startsWith(FRAGMENT_KEY) === true;
}

function isSameApartFromFragments(sent: readonly Block[], now: readonly Block[]): boolean {
  const texts = (blocks: readonly Block[]): readonly string[] =>
    blocks.filter(({ key }) => !key.startsWith(FRAGMENT_KEY)).map((block) => `${block.key} ${textOf(block)}`);
  const [before, after] = [texts(sent), texts(now)];
  return before.length === after.length && before.every((text, at) => text === after[at]);
}

function fragmentsIn(system: readonly Block[]): ReadonlyMap<string, string> {
  return new Map(system.filter(({ key }) => key.startsWith(FRAGMENT_KEY)).map((block) => [block.key, textOf(block)]));
}

/** The text of a piece of the system prompt, without the line break that joins it to the next one. */
function textOf({ part }: Block): string {
  return part.type === 'text' ? part.text.trimEnd() : '';
}

/** Says what a fragment reads now; null when it was taken out. */
function note(key: string, text: string | null, factory: BlockFactory): Block {
  const name = key.slice(FRAGMENT_KEY.length);
  const says =
    text === null
      ? `The instructions from ${name} in the system prompt no longer apply.`
      : `The instructions from ${name} have changed. From here on these apply instead of earlier ones:\n\n${text}`;
  return factory.snapshotBlock({ key, role: 'user', category: 'system', item: key }, { type: 'text', text: says });
}
