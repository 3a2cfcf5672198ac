import { fenceFile, fenceFirstLines } from '../context/fence.js';
import { type FileContents, itemOfContent } from '../context/fileContents.js';
import type { ContextRecord, FileCut } from '../record/manifest.js';
import { itemKey } from '../record/item.js';
import { lineCount } from '../context/lines.js';
import type { Sha256 } from '../ports.js';
import type { Block } from '../model/block.js';
import type { BlockFactory } from './blockFactory.js';

/** Number of lines that a request shows of each cut file or page, by path or address. 0: the file is dropped. */
export type ShownLines = ReadonlyMap<string, number>;

export const ALL_SHOWN: ShownLines = new Map();

export interface NamedFile {
  readonly path: string;
  readonly content: string;
}

/** Returns the block of the first `lines` lines of a file; for null, of the whole file. Returns null for 0 lines. */
export function shownFile({ path, content }: NamedFile, lines: number | null, factory: BlockFactory): Block | null {
  if (lines === 0) {
    return null;
  }
  const key = itemKey(itemOfContent(path));
  const origin = { key, role: 'user', category: 'files', item: key } as const;
  return factory.formedBlock({ key, source: content, form: String(lines) }, () =>
    lines === null
      ? factory.snapshotBlock(origin, { type: 'text', text: fenceFile(path, content) })
      : { ...factory.snapshotBlock(origin, { type: 'text', text: fenceFirstLines(path, content, lines) }), form: 'cut' },
  );
}

export function cutFiles(files: FileContents, shownLines: ShownLines, factory: BlockFactory): ReadonlyMap<string, FileCut> {
  const cuts = [...shownLines].flatMap(([path, lines]): (readonly [string, FileCut])[] => {
    const content = files.get(path);
    if (content === undefined) {
      return [];
    }
    const tokensOf = (shown: number | null): number => shownFile({ path, content }, shown, factory)?.tokens ?? 0;
    const cut = { lines, ofLines: lineCount(content), tokens: tokensOf(lines), ofTokens: tokensOf(null) };
    return [[itemKey(itemOfContent(path)), { hash: factory.sha256(content), ...cut }]];
  });
  return new Map(cuts);
}

/** Returns the cuts of an earlier request, for unchanged files. `records` are the context records of that request. */
export function previousShownLines(records: readonly ContextRecord[], files: FileContents, sha256: Sha256): ShownLines {
  const shown = records.flatMap(({ item, leftOut, cut }): (readonly [string, number])[] => {
    const before = leftOut?.code === 'noRoom' ? { hash: leftOut.hash, lines: 0 } : cut;
    const content = files.get(item.name);
    const isSame =
      (item.type === 'file' || item.type === 'page') && before !== undefined && content !== undefined && sha256(content) === before.hash;
    return isSame ? [[item.name, before.lines]] : [];
  });
  return shown.length === 0 ? ALL_SHOWN : new Map(shown);
}
