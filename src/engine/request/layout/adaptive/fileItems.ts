import { changedContent, fenceChange } from '../../../context/fileChange.js';
import { unfenced } from '../../../context/fence.js';
import type { Block, BlockForm } from '../../block.js';
import type { TextDifferences } from '../../../ports.js';
import type { BlockFactory } from '../../blockFactory.js';
import type { LayoutContext } from '../layout.js';
import type { Item, ItemEntry } from './sequence.js';
import type { SentSequence } from './sentSequence.js';

/** Begins the key of a file's item, which ends with its path. */
const FILE_KEY = 'file:';

/** The files of a request as items, and the blocks that tell what has changed of them. */
export class FileItems {
  readonly items: readonly Item[];
  readonly #blocks: ReadonlyMap<string, Block>;
  /** Contents that the last request told, by item and version. */
  readonly #told: ReadonlyMap<string, string>;
  readonly #factory: BlockFactory;
  readonly #differences: TextDifferences;

  constructor(
    files: readonly Block[],
    sent: SentSequence,
    { factory, differences, options }: Pick<LayoutContext, 'factory' | 'differences' | 'options'>,
  ) {
    const sendsChanges = options.fileChanges === 'differences';
    this.#factory = factory;
    this.#differences = differences;
    this.#blocks = new Map(files.map((block) => [block.key, block]));
    this.#told = toldContents(sent, differences);
    this.items = files.map((file) => ({
      key: file.key,
      version: file.hash,
      tokens: file.tokens,
      tokensSince: (version) => (sendsChanges ? (this.#change(file, version)?.tokens ?? null) : null),
    }));
  }

  /** The block of an entry that is new. `before` is the version that the model knows of its item; null for none. */
  block({ kind, key }: ItemEntry, before: string | null): Block {
    const copy = this.#blocks.get(key);
    const block = kind === 'change' && copy !== undefined && before !== null ? this.#change(copy, before) : copy;
    if (block === undefined || block === null) {
      throw new RangeError(`The plan of a request has an entry of ${key} that no block can be made of.`);
    }
    return block;
  }

  /** The form of an entry that no later copy replaces. */
  formOf({ kind, key, version }: ItemEntry): BlockForm {
    const now = this.#blocks.get(key);
    if (now === undefined) {
      return 'carried';
    }
    return kind === 'change' ? 'difference' : now.hash === version ? now.form : 'full';
  }

  /** What has changed of a file since the version that was told; null where only a copy can tell it. */
  #change(file: Block, version: string): Block | null {
    const before = this.#told.get(versionKey(file.key, version));
    const after = contentOf(file);
    if (before === undefined || after === null || file.form !== 'full') {
      return null;
    }
    const text = fenceChange(file.key.slice(FILE_KEY.length), [before, after], this.#differences);
    if (text === null) {
      return null;
    }
    const origin = { key: `${file.key}~change`, role: 'user', category: 'files', item: file.key } as const;
    return this.#factory.formedBlock({ key: origin.key, source: text, form: file.hash }, () => ({
      ...this.#factory.snapshotBlock(origin, { type: 'text', text }),
      form: 'difference',
      copyHash: file.hash,
    }));
  }
}

function versionKey(item: string, version: string): string {
  return `${version} ${item}`;
}

/** The contents that the copies and changes of a sequence tell, by item and version. */
function toldContents({ entries, blocks }: SentSequence, differences: TextDifferences): ReadonlyMap<string, string> {
  const contents = new Map<string, string>();
  const latest = new Map<string, string>();
  for (const entry of entries) {
    const block = entry.kind === 'unit' ? undefined : blocks.get(entry);
    if (entry.kind === 'unit' || block?.part.type !== 'text') {
      continue;
    }
    const before = latest.get(entry.key);
    const content =
      entry.kind === 'copy'
        ? unfenced(block.part.text)
        : before === undefined
          ? null
          : changedContent(block.part.text, before, differences);
    if (content !== null) {
      latest.set(entry.key, content);
      contents.set(versionKey(entry.key, entry.version), content);
    } else {
      latest.delete(entry.key);
    }
  }
  return contents;
}

/** The content of a file's block; null for one that is cut. */
function contentOf({ part }: Block): string | null {
  return part.type === 'text' ? unfenced(part.text) : null;
}
