import { type ContextChip, MOST_CHIPS, type ToolTotal } from '../../../protocol/panel/chips.js';
import type { PanelState } from '../../../protocol/panel/state.js';

/** Minimum number of files in a folder that share one chip while the list of chips is closed. */
const LEAST_FOLDED = 5;

const FOLDER = 'folder:';

/**
 * Returns the visible chips: all when the list is open, or else the first `MOST_CHIPS`, where many files of a folder
 * share one chip. A file with a warning keeps its own chip. `tools` are the numbers of tools in the next request.
 */
export function chipRows(chips: readonly ContextChip[], tools: ToolTotal, isOpen: boolean): Pick<PanelState, 'context' | 'contextTotal'> {
  const closed = folded(chips).slice(0, MOST_CHIPS);
  const own = new Set(closed.map(({ key }) => key));
  const without = chips.filter(({ key }) => !own.has(key));
  return {
    context: isOpen ? chips : closed,
    contextTotal: {
      items: chips.length,
      files: chips.filter(({ key }) => key.startsWith('file:')).length,
      tokens: sumOf(chips),
      folded: without.length,
      foldedWarnings: without.filter(({ warning }) => warning !== null).length,
      ...tools,
    },
  };
}

/** Returns the keys of the context items that a chip of `chipRows` represents. */
export function itemKeys(chips: readonly ContextChip[], chipKey: string): readonly string[] {
  return chipKey.startsWith(FOLDER) ? (foldersOf(chips).get(chipKey.slice(FOLDER.length)) ?? []).map(({ key }) => key) : [chipKey];
}

function folded(chips: readonly ContextChip[]): ContextChip[] {
  const folders = foldersOf(chips);
  return chips.flatMap((chip) => {
    const folder = folderOf(chip);
    const files = folder === null ? undefined : folders.get(folder);
    if (folder === null || files === undefined) {
      return [chip];
    }
    return files[0] === chip
      ? [{ key: FOLDER + folder, name: `${folder}/`, files: files.length, tokens: sumOf(files), warning: null }]
      : [];
  });
}

function foldersOf(chips: readonly ContextChip[]): ReadonlyMap<string, readonly ContextChip[]> {
  const folders = new Map<string, ContextChip[]>();
  for (const chip of chips) {
    const folder = folderOf(chip);
    if (folder !== null) {
      folders.set(folder, [...(folders.get(folder) ?? []), chip]);
    }
  }
  return new Map([...folders].filter(([, files]) => files.length >= LEAST_FOLDED));
}

function folderOf({ key, name, warning }: ContextChip): string | null {
  const end = name.lastIndexOf('/');
  return key.startsWith('file:') && warning === null && end > 0 ? name.slice(0, end) : null;
}

function sumOf(chips: readonly ContextChip[]): number {
  return chips.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
}
