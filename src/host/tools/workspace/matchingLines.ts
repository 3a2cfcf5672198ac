import type { FileReader } from '../../../engine/context/fileContents.js';
import type { ToolCallOptions } from '../../../engine/ports.js';
import type { SecretGuard } from '../../context/secretFiles.js';
import { LineMatcher, type LineMatch } from './lineMatcher.js';

/** Maximum number of matching lines in a result: about 8,000 tokens. */
const MOST_MATCHES = 200;

/** Maximum number of visible characters of a line. Minified files may have only one line. */
const LINE_CHARACTERS = 240;

/** Number of visible characters before the match in a long line. */
const CHARACTERS_BEFORE = 80;

/** Maximum number of bytes that a search reads. Few repositories have more source code. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Number of files to read in parallel, enough to keep a disk busy. */
const READ_AT_ONCE = 16;

const REPORT_MS = 500;

interface SearchPorts {
  readonly reader: FileReader;
  readonly secrets: Pick<SecretGuard, 'sign'>;
  readonly onProgress: ToolCallOptions['onProgress'];
}

/** Searches files for a pattern. Keeps the matches when the search ends early. */
export class TextSearch {
  /** The paths of files with matches. Each path is followed by its matching lines with their numbers. */
  readonly lines: string[] = [];
  /** The paths of files with matches that may contain secrets. Their lines are not in the result. */
  readonly withheld: string[] = [];
  files = 0;
  /** Why the result is incomplete. Null for a complete result. */
  limit: string | null = null;
  readonly #ports: SearchPorts;
  #matches = 0;
  #bytes = 0;
  #reportedAt = Date.now();

  constructor(ports: SearchPorts) {
    this.#ports = ports;
  }

  /** Searches the files. Skips files that are not text. Rejects when the signal aborts. */
  async in(paths: readonly string[], pattern: RegExp, signal: AbortSignal): Promise<void> {
    const matcher = new LineMatcher(pattern);
    try {
      for (let from = 0; from < paths.length && this.limit === null; from += READ_AT_ONCE) {
        signal.throwIfAborted();
        const some = paths.slice(from, from + READ_AT_ONCE);
        const texts = await Promise.all(some.map((path) => this.#ports.reader.read(path)));
        for (const [at, path] of some.entries()) {
          const read = texts[at];
          if (read?.ok === true) {
            this.#bytes += read.bytes;
            await this.#inText(path, read.content, { matcher, signal });
          }
        }
        this.files += some.length;
        this.#report(paths.length);
      }
    } finally {
      await matcher.end();
    }
  }

  async #inText(path: string, text: string, { matcher, signal }: { matcher: LineMatcher; signal: AbortSignal }): Promise<void> {
    if (this.limit !== null) {
      return;
    }
    // Asks for one line more than allowed, to detect whether there are more matches.
    const found = await matcher.in(text, MOST_MATCHES - this.#matches + 1, signal);
    if (found.length > 0 && (await this.#ports.secrets.sign(path, text)) !== null) {
      this.withheld.push(path);
      return;
    }
    const shown = found.slice(0, MOST_MATCHES - this.#matches);
    if (shown.length > 0) {
      const texts = text.split('\n');
      this.lines.push(path, ...shown.map((match) => `${String(match.line)}: ${excerpt(texts[match.line - 1] ?? '', match)}`));
      this.#matches += shown.length;
    }
    if (found.length > shown.length) {
      this.limit = `There are more than ${String(MOST_MATCHES)} lines. Use a longer query, a folder or a pattern.`;
    } else if (this.#bytes > MOST_BYTES) {
      this.limit = `The search read ${String(MOST_BYTES / (1024 * 1024))} MB and ended at ${path}. Use a folder or a pattern.`;
    }
  }

  #report(total: number): void {
    if (Date.now() - this.#reportedAt >= REPORT_MS) {
      this.#reportedAt = Date.now();
      this.#ports.onProgress({ done: this.files, total, text: 'files', asks: false });
    }
  }
}

/** Returns a line. Cuts a long line around the match. */
function excerpt(line: string, { column }: LineMatch): string {
  const text = line.trimEnd();
  if (text.length <= LINE_CHARACTERS) {
    return text;
  }
  const from = Math.max(0, column - CHARACTERS_BEFORE);
  const part = text.slice(from, from + LINE_CHARACTERS);
  return `${from === 0 ? '' : '…'}${part}${from + LINE_CHARACTERS < text.length ? '…' : ''}`;
}
