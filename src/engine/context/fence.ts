import { firstLines, lineCount } from './lines.js';

/*
 * The form of a file in a prompt:
 *
 *     src/a.ts
 *     ```ts
 *     export const a = 1;
 *     ```
 *
 * The fence has more backticks than any run of them in the content, so that no content closes it early. Between the fences
 * is exactly the file's content. If the content does not end with a newline, one is added, because the closing fence needs
 * a line of its own. Then the line `\ No newline at end of file` follows the closing fence, as in diffs. So two different
 * contents never look the same.
 *
 * A file that is cut has marks around the fence, where no content can stand:
 *
 *     src/a.ts
 *     [BEGIN src/a.ts: the first 120 of 480 lines]
 *     ```ts
 *     ...
 *     ```
 *     [END src/a.ts: the other 360 lines do not fit into this request]
 */

/** Follows the closing fence when the content does not end with a newline. */
export const NO_FINAL_NEWLINE = '\\ No newline at end of file';

const SHORTEST_FENCE = 3;

/** Languages by file name, or by extension where the extension is not the language's own short name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  mjs: 'js',
  cjs: 'js',
  mts: 'ts',
  cts: 'ts',
  yml: 'yaml',
  htm: 'html',
  bash: 'sh',
  zsh: 'sh',
};

/** Allowed languages of a fence: above all, they hold no backticks and no white space. */
const SAFE_LANGUAGE = /^[a-z0-9+#_-]{1,20}$/;

/** Matches a path that would break its line or could be read as the start of a fence. */
const UNSAFE_PATH = /[\p{Cc}`]|^\s*~/u;

/** A file in its form for a prompt. No newline at the end. */
export function fenceFile(path: string, content: string): string {
  return `${shownPath(path)}\n${fenced(path, content)}`;
}

/** The first `lines` lines of a file in their form for a prompt. No newline at the end. */
export function fenceFirstLines(path: string, content: string, lines: number): string {
  const name = shownPath(path);
  const all = lineCount(content);
  const begin = `[BEGIN ${name}: the first ${String(lines)} of ${String(all)} lines]`;
  const rest = all - lines === 1 ? 'the last line does' : `the other ${String(all - lines)} lines do`;
  const end = `[END ${name}: ${rest} not fit into this request]`;
  return `${name}\n${begin}\n${fenced(path, firstLines(content, lines))}\n${end}`;
}

/** An unsafe path is written as a JSON string. */
export function shownPath(path: string): string {
  return UNSAFE_PATH.test(path) ? JSON.stringify(path) : path;
}

function fenced(path: string, content: string): string {
  return fencedText(languageOf(path), content);
}

/** A text in a fence, as it stands behind its first line in a prompt. No newline at the end. */
export function fencedText(language: string, text: string): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text}${text === '' || text.endsWith('\n') ? fence : `\n${fence}\n${NO_FINAL_NEWLINE}`}`;
}

/** The text in a fence behind the first line of `block`: the inverse of `fenceFile`. Null for a block that is not of this form. */
export function unfenced(block: string): string | null {
  const match = /^[^\n]*\n(`{3,})[^\n]*\n/.exec(block);
  const fence = match?.[1];
  if (match === null || fence === undefined) {
    return null;
  }
  const body = block.slice(match[0].length);
  if (body === fence || body.endsWith(`\n${fence}`)) {
    return body.slice(0, -fence.length);
  }
  const end = `\n${fence}\n${NO_FINAL_NEWLINE}`;
  return body.endsWith(end) ? body.slice(0, -end.length) : null;
}

/** The shortest fence of at least three backticks that is longer than each run of backticks in `content`. */
export function fenceFor(content: string): string {
  let longest = SHORTEST_FENCE - 1;
  for (const run of content.matchAll(/`+/g)) {
    longest = Math.max(longest, run[0].length);
  }
  return '`'.repeat(longest + 1);
}

/** The fence's language: from `LANGUAGES`, or the extension in lower case; '' for none. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1) : '';
  const key = extension === '' ? name : extension;
  if (Object.hasOwn(LANGUAGES, key)) {
    return LANGUAGES[key] ?? '';
  }
  return SAFE_LANGUAGE.test(extension) ? extension : '';
}
