import { changedContent, fenceChange } from '../../../context/fileChange.js';
import { unfenced } from '../../../context/fence.js';
import type { Block, BlockForm } from '../../../model/block.js';
import { nameInKey } from '../../../record/item.js';
import type { TextDifferences } from '../../../ports.js';
import type { BlockFactory } from '../../blockFactory.js';
import type { ContentGroups } from '../../gather.js';
import { isWorkspace, workspaceEnd } from '../../workspace.js';
import type { LayoutContext } from '../layout.js';
import type { Item, ItemEntry } from './sequence.js';
import type { SentSequence } from './sentSequence.js';

/** A cache of file changes since earlier versions, by the file's block. Previews need them at each keystroke. */
const changes = new WeakMap<Block, Map<string, Block | null>>();

interface PlacedCopy extends Pick<Item, 'place'> {
  readonly block: Block;
}

/** Returns the copies to send, with notes about the parts of earlier workspace messages that are no longer valid. */
export function placedCopies(
  { pages, files, picks, workspace, instruction }: ContentGroups,
  { byItem }: SentSequence,
  factory: BlockFactory,
): PlacedCopy[] {
  const placed = (blocks: readonly Block[], place: PlacedCopy['place']): PlacedCopy[] => blocks.map((block) => ({ block, place }));
  const now = new Set(workspace.map(({ key }) => key));
  const ended = instruction === null ? [...byItem.keys()].filter((key) => isWorkspace(key) && !now.has(key)) : [];
  return [
    ...placed(
      [pages, files].flatMap((group) => group?.files ?? []),
      'context',
    ),
    ...placed(picks, 'pick'),
    ...placed(workspace, 'workspace'),
    ...placed(
      ended.map((key) => workspaceEnd(key, factory)),
      'workspaceEnd',
    ),
  ];
}

/** The items of a request: files, pages, picks and the workspace message. Also makes the blocks of changes. */
export class CopyItems {
  readonly items: readonly Item[];
  readonly #blocks: ReadonlyMap<string, Block>;
  readonly #sent: SentSequence;
  readonly #factory: BlockFactory;
  readonly #differences: TextDifferences;

  constructor(
    copies: readonly PlacedCopy[],
    sent: SentSequence,
    { factory, differences, options }: Pick<LayoutContext, 'factory' | 'differences' | 'options'>,
  ) {
    const sendsChanges = options.fileChanges === 'differences';
    this.#factory = factory;
    this.#differences = differences;
    this.#blocks = new Map(copies.map(({ block }) => [block.key, block]));
    this.#sent = sent;
    this.items = copies.map(({ block: copy, place }) => ({
      key: copy.key,
      version: copy.hash,
      tokens: copy.tokens,
      tokensSince: (version) => (sendsChanges && copy.category === 'files' ? (this.#change(copy, version)?.tokens ?? null) : null),
      place,
    }));
  }

  /** Returns the block of a new entry. `before`: the version of the item that the model received last, or null. */
  block({ kind, key }: ItemEntry, before: string | null): Block {
    const copy = this.#blocks.get(key);
    const block = kind === 'change' && copy !== undefined && before !== null ? this.#change(copy, before) : copy;
    if (block === undefined || block === null) {
      throw new RangeError(`The request plan has an entry for ${key} without a block.`);
    }
    return block;
  }

  /** Returns the form of an entry that no later copy replaces. */
  formOf({ kind, key, version }: ItemEntry): BlockForm {
    const now = this.#blocks.get(key);
    if (now === undefined) {
      return 'carried';
    }
    return kind === 'change' ? 'difference' : now.hash === version ? now.form : 'full';
  }

  /** Returns the change of a file since a version that was sent, or null when a full copy is needed. */
  #change(file: Block, version: string): Block | null {
    const found = changes.get(file) ?? new Map<string, Block | null>();
    const change = found.has(version) ? (found.get(version) ?? null) : this.#changeBlock(file, version);
    found.set(version, change);
    changes.set(file, found);
    return change;
  }

  #changeBlock(file: Block, version: string): Block | null {
    const before = this.#sentContent(file.key, version);
    const after = contentOf(file);
    if (before === null || after === null || file.form !== 'full') {
      return null;
    }
    const text = fenceChange(nameInKey(file.key), [before, after], this.#differences);
    if (text === null) {
      return null;
    }
    const origin = { key: `${file.key}~change`, role: 'user', category: 'files', item: file.key } as const;
    return { ...this.#factory.snapshotBlock(origin, { type: 'text', text }), form: 'difference', copyHash: file.hash };
  }

  /** Returns the content of a version of a file in the last request, or null when it cannot be read. */
  #sentContent(key: string, version: string): string | null {
    let content: string | null = null;
    for (const entry of this.#sent.byItem.get(key) ?? []) {
      const part = this.#sent.blocks.get(entry)?.part;
      const text = part?.type === 'text' ? part.text : '';
      content = entry.kind === 'copy' ? unfenced(text) : content === null ? null : changedContent(text, content, this.#differences);
      if (entry.version === version) {
        return content;
      }
    }
    return null;
  }
}

function contentOf({ part }: Block): string | null {
  return part.type === 'text' ? unfenced(part.text) : null;
}
