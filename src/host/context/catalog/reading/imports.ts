import { dirname, join } from 'node:path/posix';
import { remarksOn, type CatalogItem } from '../../../../engine/context/catalogItem.js';
import type { FileRead } from '../../../../engine/context/fileContents.js';
import { signOfSecrets } from '../../../../engine/context/fileDoubt.js';
import { isUserPath } from '../../files/userFiles.js';
import { computedOnce } from '../computedOnce.js';
import { frontMatter } from './frontMatter.js';
import { mentionsIn, withoutComments, type Mention, type MentionStyle } from './mentions.js';

/* Adds the texts of the files that a rule imports. */

/** Maximum depth of nested imports, as in Claude Code. */
const MOST_DEEP = 5;

/** Maximum number of files and bytes that the rules of all requests import, or another rule: about 64,000 tokens. */
const MOST_FILES = 100;
const MOST_BYTES = 256 * 1024;

/** The files in the prompt of the same requests. Each of them is imported once. */
export class ImportedFiles {
  readonly #paths: Set<string>;
  readonly #texts: Set<string>;
  #files = 0;
  #bytes = 0;

  /** `rules`: the rules in all requests, which need no import. */
  constructor(rules: readonly CatalogItem[], imported: ImportedFiles | null) {
    this.#paths = new Set([...rules.map(({ source }) => source), ...(imported === null ? [] : imported.#paths)]);
    this.#texts = new Set([...rules.map(({ text }) => text ?? ''), ...(imported === null ? [] : imported.#texts)]);
  }

  /** Returns whether the path is new. Then adds the path. */
  addPath(path: string): boolean {
    const isNew = !this.#paths.has(path);
    this.#paths.add(path);
    return isNew;
  }

  addText(text: string): boolean {
    const isNew = !this.#texts.has(text);
    this.#texts.add(text);
    return isNew;
  }

  /** Returns whether a file of this size is within the limits. Then counts the file. */
  takes(bytes: number): boolean {
    const isWithin = this.#files < MOST_FILES && this.#bytes + bytes <= MOST_BYTES;
    this.#files += isWithin ? 1 : 0;
    this.#bytes += isWithin ? bytes : 0;
    return isWithin;
  }
}

export interface Importing {
  readonly style: MentionStyle;
  /** Path prefix of the rule's workspace folder. */
  readonly prefix: string;
  readonly read: (path: string) => Promise<FileRead>;
  readonly imported: ImportedFiles;
  /** Lets other work run if the last pause was long ago. */
  readonly pause: () => Promise<void>;
}

/** The text of a file without front matter, and the files that it mentions. */
interface ReadText {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

interface ImportingFile extends ReadText {
  readonly source: string;
}

/** Returns the files that a rule mentions. Loupe looks for them once in an unchanged rule. */
const mentionsOf = computedOnce((style: MentionStyle) =>
  computedOnce(({ text }: Pick<CatalogItem, 'text'>) => mentionsIn(text ?? '', style)),
);

export function hasMentions(item: CatalogItem, style: MentionStyle): boolean {
  return mentionsOf(style)(item).length > 0;
}

/** Returns the rule with the texts of the files that it imports, the nearest first, and remarks on the other ones. */
export async function withImports(item: CatalogItem, importing: Importing): Promise<CatalogItem> {
  const parts = [item.text ?? ''];
  const remarks: string[] = [];
  let files: readonly ImportingFile[] = [{ source: item.source, text: item.text ?? '', mentions: mentionsOf(importing.style)(item) }];
  for (let depth = 1; files.length > 0; depth += 1) {
    const next: ImportingFile[] = [];
    for (const mention of files.flatMap(({ source, mentions }) => mentions.map((each) => ({ ...each, source, depth })))) {
      const found = await importedFile(mention, importing);
      if (typeof found === 'string') {
        remarks.push(found);
      } else if (found !== null) {
        parts.push(`From ${found.source}:\n\n${found.text}`);
        next.push(found);
      }
      await importing.pause();
    }
    files = next;
  }
  return { ...item, text: parts.join('\n\n'), remarks: [...item.remarks, ...remarksOn(item.source, remarks)] };
}

interface FoundMention extends Mention {
  /** The file with the mention. */
  readonly source: string;
  readonly depth: number;
}

/** Returns the file, a sentence why it is not imported, or null for a file that is already there or for a mere name. */
async function importedFile(mention: FoundMention, importing: Importing): Promise<ImportingFile | string | null> {
  const { path, isPath, source, depth } = mention;
  const place = placeOf(mention, importing);
  if (place === null) {
    return `${source} imports ${path}. Loupe imports only files of ${isUserPath(source) ? 'your rule folders' : 'the workspace'}.`;
  }
  if (depth > MOST_DEEP) {
    return isPath ? `${skipped(place, mention)}: it is more than ${String(MOST_DEEP)} files deep.` : null;
  }
  if (!importing.imported.addPath(place)) {
    return null;
  }
  const found = await importing.read(place);
  if (!found.ok) {
    return isPath ? `${source} imports ${place}. ${found.reason}` : null;
  }
  return accepted(place, found, mention, importing);
}

/** Returns the path of a mentioned file. Null if it is elsewhere: workspace files cannot import files of the user. */
function placeOf({ path, source }: FoundMention, { style, prefix }: Importing): string | null {
  const isOfUser = isUserPath(source);
  if (path.startsWith('/') || (isUserPath(path) && !isOfUser)) {
    return null;
  }
  const place = isUserPath(path) ? join(path) : join(style.from === 'rule' ? dirname(source) : prefix, path);
  return isUserPath(place) === isOfUser ? place : null;
}

function accepted(place: string, file: TextRead, mention: FoundMention, { style, imported }: Importing): ImportingFile | string | null {
  const read = TEXTS(style).get(file) ?? readText(place, file, style);
  TEXTS(style).set(file, read);
  if (read === 'secrets') {
    return `${skipped(place, mention)}, because it may contain secrets.`;
  }
  if (!imported.addText(read.text)) {
    return null;
  }
  const limit = `${String(MOST_FILES)} files and ${String(MOST_BYTES / 1024)} KB`;
  return imported.takes(file.bytes) ? { source: place, ...read } : `${skipped(place, mention)}, because imports are limited to ${limit}.`;
}

type TextRead = FileRead & { readonly ok: true };

/** The texts of imported files, by the result of reading the file. So Loupe parses an unchanged file once. */
const TEXTS = computedOnce((_: MentionStyle) => new WeakMap<TextRead, ReadText | 'secrets'>());

function readText(place: string, { content }: TextRead, style: MentionStyle): ReadText | 'secrets' {
  if (signOfSecrets(place, content) !== null) {
    return 'secrets';
  }
  const body = /\.mdc?$/.test(place) ? frontMatter(content).body : content.trim();
  const text = style.dropsComments ? withoutComments(body) : body;
  return { text, mentions: mentionsIn(text, style) };
}

function skipped(place: string, { source }: FoundMention): string {
  return `Loupe skips the import of ${place} in ${source}`;
}
