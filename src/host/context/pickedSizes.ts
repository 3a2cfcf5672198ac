import { itemKey } from '../../engine/record/item.js';
import { counted } from '../../protocol/numbers.js';
import type { SelectedText } from './addSelection.js';
import { boundedCount, type FileTokens, type KnownTokens } from './itemTokens.js';
import type { PickRow } from './pickRows.js';

/** Maximum number of files to read for the sizes of the open editors, or of what the user selected. */
const MOST_READ = 50;

export interface PickedSizesPorts {
  /** Null while the next request is not known. */
  readonly known: KnownTokens | null;
  readonly tokens: Pick<FileTokens, 'of'>;
}

/** Finds the tokens of the rows in the list of files to add. */
export class PickedSizes {
  readonly #selection: SelectedText | null;
  readonly #ports: PickedSizesPorts;

  constructor(selection: SelectedText | null, ports: PickedSizesPorts) {
    this.#selection = selection;
    this.#ports = ports;
  }

  /** Returns the tokens of a row whose file the next request contains. Null for all other rows. */
  held(row: PickRow): number | null {
    return row.type === 'file' ? (this.#ports.known?.ofItems.get(itemKey({ type: 'file', name: row.path })) ?? null) : null;
  }

  /** Returns the tokens of files by path, without those that are too many to read or cannot be read. */
  async ofFiles(paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const counted = await Promise.all(
      paths.slice(0, MOST_READ).map(async (path) => [path, await this.#of({ type: 'file', path })] as const),
    );
    return new Map(counted.flatMap(([path, tokens]) => (tokens === null ? [] : [[path, tokens] as const])));
  }

  /** Returns the selected rows in words: `3 selected: ≈ 1,240 tokens, 1 of unknown size`. */
  async words(rows: readonly PickRow[]): Promise<string> {
    const selected = `${String(rows.length)} selected`;
    if (rows.length > MOST_READ) {
      return selected;
    }
    const sizes = await Promise.all(rows.map((row) => this.#of(row)));
    const known = sizes.filter((size) => size !== null);
    if (known.length === 0) {
      return selected;
    }
    const unknown = rows.length - known.length;
    const sum = `≈ ${counted(
      known.reduce((total, size) => total + size, 0),
      'token',
    )}`;
    return `${selected}: ${sum}${unknown === 0 ? '' : `, ${String(unknown)} of unknown size`}`;
  }

  async #of(row: PickRow): Promise<number | null> {
    const { known, tokens } = this.#ports;
    if (known === null) {
      return null;
    }
    switch (row.type) {
      case 'file':
        return this.held(row) ?? (await tokens.of(row.path, known.counter));
      case 'selection':
        return this.#selection === null ? null : boundedCount(this.#selection.text, known.counter);
      default:
        return null;
    }
  }
}
