import type { Block, BlockForm, Category } from '../../../model/block.js';
import { sumTokens } from '../../../sumTokens.js';
import type { BlockFactory } from '../../blockFactory.js';
import type { Item, ItemEntry } from './sequence.js';
import type { SentSequence } from './sentSequence.js';

/** The pieces of the system prompt for which Loupe can write notes, by the prefixes of their keys. */
const KINDS: ReadonlyMap<string, { readonly name: string; readonly category: Category }> = new Map([
  ['fragment:', { name: 'the instructions from', category: 'system' }],
  ['rule:', { name: 'the rules of', category: 'rules' }],
  ['reference:', { name: 'the reference', category: 'references' }],
  ['resource:', { name: 'the resource', category: 'references' }],
  ['skill:', { name: 'the skill', category: 'skills' }],
]);

/** The notes in a request about pieces of the system prompt that have changed since the prompt was sent. */
export interface SystemNotes {
  /** The system prompt as it was sent. */
  readonly system: readonly Block[];
  /** The notes as items: one for each piece that differs from the sent system prompt or has an earlier note. */
  readonly items: readonly Item[];
  block(entry: ItemEntry): Block;
}

/**
 * Keeps the system prompt of the last request, and reports changed fragments, rules, references and skills in notes.
 * `kept`: the tokens that only the sent system prompt keeps in the cache. Returns null in these cases:
 * - Nothing has changed.
 * - Another part of the system prompt has changed or cannot be read.
 * - A new system prompt would save at least as many tokens as it would lose (`kept`).
 */
export function systemNotes(
  { system: sent, entries }: Pick<SentSequence, 'system' | 'entries'>,
  now: readonly Block[],
  { kept, factory }: { readonly kept: number; readonly factory: BlockFactory },
): SystemNotes | null {
  if (sent === null || !isSameApartFromPieces(sent, now)) {
    return null;
  }
  const [before, after] = [piecesIn(sent), piecesIn(now)];
  const told = entries.filter(({ kind, key }) => kind === 'copy' && isPiece(key)).map(({ key }) => key);
  const changed = [...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key));
  const notes = new Map(
    [...new Set([...told, ...changed])].map((key) => [key, note(key, { before: before.has(key), text: after.get(key) ?? null }, factory)]),
  );
  // The sent pieces stay in the prompt in addition to the notes. A new system prompt has the pieces as they are now.
  const added = sumTokens([...notes.values(), ...sent.filter(({ key }) => notes.has(key))]);
  const spared = sumTokens(now.filter(({ key }) => notes.has(key)));
  if (notes.size === 0 || Math.max(0, added - spared) >= kept) {
    return null;
  }
  return {
    system: sent.map((block) => (isPiece(block.key) ? { ...block, form: formOf(block, after) } : block)),
    items: [...notes].map(([key, block]) => ({
      key,
      version: block.hash,
      tokens: block.tokens,
      tokensSince: () => null,
      place: 'context',
    })),
    block({ key }) {
      const block = notes.get(key);
      if (block === undefined) {
        throw new RangeError(`The request plan has an entry for ${key} without a block.`);
      }
      return block;
    },
  };
}

function isSameApartFromPieces(sent: readonly Block[], now: readonly Block[]): boolean {
  const texts = (blocks: readonly Block[]): readonly string[] =>
    blocks.filter(({ key }) => !isPiece(key)).map((block) => `${block.key} ${textOf(block)}`);
  const [before, after] = [texts(sent), texts(now)];
  return before.length === after.length && before.every((text, at) => text === after[at]);
}

/** Returns the form of a piece in the sent system prompt. A note may replace or remove the piece. */
function formOf(block: Block, after: ReadonlyMap<string, string>): BlockForm {
  const now = after.get(block.key);
  return now === undefined ? 'carried' : now === textOf(block) ? 'full' : 'superseded';
}

function piecesIn(system: readonly Block[]): ReadonlyMap<string, string> {
  return new Map(system.filter(({ key }) => isPiece(key)).map((block) => [block.key, textOf(block)]));
}

/** Returns the text of a piece without the line break at its beginning. */
function textOf({ part }: Block): string {
  return part.type === 'text' ? part.text.trim() : '';
}

function isPiece(key: string): boolean {
  return [...KINDS.keys()].some((begin) => key.startsWith(begin));
}

/** Returns the text of a piece or note without the line that introduces a note. */
export function textInNote(text: string): string {
  return text.replace(/^(?:Changed|New) from here on: [^\n]*\n\n/, '');
}

/** Makes the note for a piece. `before`: whether the sent system prompt has it. `text`: null for a removed piece. */
function note(key: string, { before, text }: { readonly before: boolean; readonly text: string | null }, factory: BlockFactory): Block {
  const begin = key.slice(0, key.indexOf(':') + 1);
  const { name, category } = KINDS.get(begin) ?? { name: 'the instructions from', category: 'system' };
  const what = `${name} ${key.slice(begin.length)}`;
  const says = text === null ? `No longer valid from here on: ${what}` : `${before ? 'Changed' : 'New'} from here on: ${what}\n\n${text}`;
  return factory.snapshotBlock({ key, role: 'user', category, item: key }, { type: 'text', text: says });
}
