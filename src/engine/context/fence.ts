import { firstLines, lineCount } from './lines.js';
import { isWebAddress } from './paths.js';

/*
 * The form of a file in a prompt. A web page has its address in place of a path:
 *
 *     src/a.ts
 *     ```ts
 *     export const a = 1;
 *     ```
 *
 * The fence is longer than any run of backticks in the content, so that no content closes it early. The text between
 * the fences is exactly the content. The closing fence needs its own line: if the content has no newline at its end,
 * one is added, and the line `\ No newline at end of file` follows the fence, as in diffs. So two contents never look
 * alike.
 *
 * A cut file has marks around the fence, outside the content:
 *
 *     src/a.ts
 *     [BEGIN src/a.ts: the first 120 of 480 lines]
 *     ```ts
 *     ...
 *     ```
 *     [END src/a.ts: the other 360 lines do not fit into this request]
 */

/** Written after the closing fence when the content has no newline at its end. */
export const NO_FINAL_NEWLINE = '\\ No newline at end of file';

const SHORTEST_FENCE = 3;

/** Languages for fences, by file name or by extension. Other extensions are also the name of their language. */
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

/** Allowed languages of a fence. They must not contain backticks or white space. */
const SAFE_LANGUAGE = /^[a-z0-9+#_-]{1,20}$/;

/** Matches a path that would break its line or could be read as the start of a fence. */
const UNSAFE_PATH = /[\p{Cc}`]|^\s*~/u;

/** Returns a file in its prompt form, without a newline at the end. */
export function fenceFile(path: string, content: string): string {
  return `${shownPath(path)}\n${fenced(path, content)}`;
}

/** Returns the first `lines` lines of a file in their prompt form, without a newline at the end. */
export function fenceFirstLines(path: string, content: string, lines: number): string {
  const name = shownPath(path);
  const all = lineCount(content);
  const begin = `[BEGIN ${name}: the first ${String(lines)} of ${String(all)} lines]`;
  const rest = all - lines === 1 ? 'the last line does' : `the other ${String(all - lines)} lines do`;
  const end = `[END ${name}: ${rest} not fit into this request]`;
  return `${name}\n${begin}\n${fenced(path, firstLines(content, lines))}\n${end}`;
}

/** Returns the path, or a JSON string for an unsafe path. */
export function shownPath(path: string): string {
  return UNSAFE_PATH.test(path) ? JSON.stringify(path) : path;
}

function fenced(path: string, content: string): string {
  return fencedText(isWebAddress(path) ? 'markdown' : languageOf(path), content);
}

/** Returns a text in a fence, without a newline at the end. */
export function fencedText(language: string, text: string): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text}${text === '' || text.endsWith('\n') ? fence : `\n${fence}\n${NO_FINAL_NEWLINE}`}`;
}

/** Returns the fenced text after the first line of `block`: the inverse of `fenceFile`. Null if the form differs. */
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

/** Returns the shortest fence that is longer than each run of backticks in `content`: at least three. */
export function fenceFor(content: string): string {
  let longest = SHORTEST_FENCE - 1;
  for (const run of content.matchAll(/`+/g)) {
    longest = Math.max(longest, run[0].length);
  }
  return '`'.repeat(longest + 1);
}

/** Returns the language for the fence of a file: from `LANGUAGES`, or the extension in lower case, or else ''. */
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
