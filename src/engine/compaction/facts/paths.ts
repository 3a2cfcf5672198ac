import type { FoundFact, Piece } from '../fact.js';
import type { Line } from './lines.js';

/** The longest path that Windows allows by default. Longer texts that look like paths are data. */
const LONGEST_PATH = 260;

/** Matches a possible path in prose. Parentheses are allowed only around a whole folder: "app/(shop)/page.tsx". */
const CANDIDATE = /[^\s"'`<>(){}|,;=“”„«»*?!]+(?:(?<=\/)\([\w.@-]{1,60}\)(?=\/)[^\s"'`<>(){}|,;=“”„«»*?!]+)*/g;
const CODE_SPAN = /`([^`\n]+)`/g;

/** A slash, or a dot inside a word. Paths have such a sign, except some known file names. Most words have no sign. */
const PATH_SIGN = /[/\\]|\.\w/;

/** Punctuation and Markdown marks before a path. */
const EDGE_START = /^(?:[[_]|~(?!\/))*(?=[^[_])/;
const EDGE_END = new Set(['.', ',', ':', ';', ']', '_', '…']);

const LINE_NUMBER = /:\d{1,7}(?::\d{1,5})?$/;
const WINDOWS = /^(?:[A-Za-z]:[\\/][^\\/:]|\\\\[\w.-]+\\[^\\])/;
const HOME_OR_RELATIVE = /^(?:\.{1,2}|~|@)\/[\p{L}\p{N}._@[(-]/u;
const ABSOLUTE = /^\/[\p{L}\p{N}._@[(-]{2,}/u;
const SEGMENTS = /^[\p{L}\p{N}\\/._@+~$()[\]: -]+$/u;
const NUMERIC = /^v?[\d./\\:-]+\w?$/;
const EXTENSION = /\.([A-Za-z][A-Za-z0-9]{0,9})$/;
const DOT_FILE = /^\.[a-z][a-z0-9]{2,}(?:[.-]?[a-z]+)*$/;
const MEMBER_OWNERS = new Set(['this', 'console', 'process', 'module', 'window', 'document', 'math', 'import', 'self', 'e', 'i']);

/** Extensions that make a name without a folder a file. Other names with a dot are usually code ("object.member"). */
const FILE_EXTENSIONS = new Set(
  'astro avif bash bat c cc cfg cjs clj cmake cpp cs css csv cts cxx dart db dll doc docx ex exe exs fish gif go gql gradle graphql h hpp hs htm html ico ini ipynb jar java jpeg jpg js json json5 jsonc jsonl jsx kt kts less lock lua md mdx mjs mk mts nix pdf php pl png prisma properties proto ps1 py pyi r rb rs rst sass scala scss sh sln sql sqlite svelte svg swift tex tf toml ts tsv tsx ttf txt vsix vue wasm webp woff woff2 xlsx xml yaml yml zig zip zsh'.split(
    ' ',
  ),
);

/** Product names that look like file names. */
const PRODUCTS = new Set(
  'node.js next.js vue.js nuxt.js three.js d3.js express.js react.js angular.js ember.js backbone.js chart.js moment.js socket.io asp.net'.split(
    ' ',
  ),
);

const KNOWN_FILES = new Set(
  'Makefile Dockerfile Jenkinsfile Procfile Gemfile Rakefile Vagrantfile Caddyfile CODEOWNERS LICENSE'.split(' '),
);

/** If `a` is one of these folders, `a/b` in prose is a path, not a choice such as "and/or". */
const ROOTS = new Set(
  'src test tests lib app apps packages docs build dist out scripts bin config webview public assets internal cmd pkg include vendor node_modules .github .vscode'.split(
    ' ',
  ),
);

/** Matches lines of code that name modules, not files of the conversation. */
const IMPORT = /^\s*(?:import|export|from|#include|using|use|require|@import)\b/;

/** Returns the file paths in prose, code spans and code, with their line numbers. */
export function pathFacts(lines: readonly Line[]): FoundFact[] {
  return lines.flatMap((line) => (line.isCode && IMPORT.test(line.text) ? [] : pathsOf(line)));
}

/** Whether the text is a path. In a code span, a slash between plain names is enough. */
export function isPath(text: string, isCodeSpan: boolean): boolean {
  const path = text.replace(LINE_NUMBER, '');
  if (path.length > LONGEST_PATH || path.length < 3 || path.includes('://') || path.startsWith('www.') || NUMERIC.test(path)) {
    return false;
  }
  if (WINDOWS.test(path)) {
    return true;
  }
  if (!SEGMENTS.test(path) || path.includes(':') || path.includes('//')) {
    return false;
  }
  return /[\\/]/.test(path) ? isSlashedPath(path, isCodeSpan) : isFileName(path);
}

function isSlashedPath(path: string, isCodeSpan: boolean): boolean {
  const segments = path.split(/[\\/]/);
  const last = path.slice(path.search(/[^\\/]*$/));
  const hasExtension = EXTENSION.test(last);
  if (path.includes(' ') || (hasExtension && last.includes('@'))) {
    return false;
  }
  if (path.startsWith('/')) {
    return ABSOLUTE.test(path);
  }
  if (path.includes('\\')) {
    return isFileName(last) || isInFolder(segments, false);
  }
  if (path.startsWith('@')) {
    // A name with "@" and without an extension is an npm package.
    return hasExtension && segments.length > 1;
  }
  return HOME_OR_RELATIVE.test(path) || hasFileName(last) || isInFolder(segments, isCodeSpan);
}

function hasFileName(last: string): boolean {
  const extension = EXTENSION.exec(last)?.[1];
  const isOneCase = extension !== undefined && (extension === extension.toLowerCase() || extension === extension.toUpperCase());
  return isOneCase || KNOWN_FILES.has(last) || DOT_FILE.test(last);
}

/** Whether the folder names show a path, even if the last part does not look like a file name. */
function isInFolder(segments: readonly string[], isCodeSpan: boolean): boolean {
  const endsWithSlash = segments.at(-1) === '' && segments.length > 1;
  return ROOTS.has(segments[0] ?? '') || endsWithSlash || (isCodeSpan && segments.every((one) => /^[\w.-]+$/.test(one)));
}

function isFileName(name: string): boolean {
  if (KNOWN_FILES.has(name)) {
    return true;
  }
  const extension = EXTENSION.exec(name)?.[1]?.toLowerCase();
  if (name.startsWith('.')) {
    return DOT_FILE.test(name);
  }
  const owner = name.slice(0, name.indexOf('.')).toLowerCase();
  return extension !== undefined && FILE_EXTENSIONS.has(extension) && !PRODUCTS.has(name.toLowerCase()) && !MEMBER_OWNERS.has(owner);
}

function pathsOf(line: Line): FoundFact[] {
  const found: FoundFact[] = [];
  const spans = line.isCode ? [] : codeSpansOf(line);
  for (const { text, at } of spans) {
    if (isPath(text, !/\s/.test(text))) {
      found.push({ kind: 'path', text, at });
    }
  }
  const whole = new Set(found.map(({ at }) => at));
  const spanOf = new Map(spans.map((span) => [span.at, span.text]));
  for (const match of line.text.matchAll(CANDIDATE)) {
    if (!PATH_SIGN.test(match[0]) && !KNOWN_FILES.has(match[0])) {
      continue;
    }
    const { text, at } = withoutEdges(match[0], line.at + match.index);
    if (text.length <= LONGEST_PATH && !whole.has(at) && isPath(text, spanOf.get(at) === text)) {
      found.push({ kind: 'path', text, at });
    }
  }
  return found;
}

export function codeSpansOf(line: Line): Piece[] {
  return line.text.includes('`')
    ? [...line.text.matchAll(CODE_SPAN)].map((match) => ({ text: match[1] ?? '', at: line.at + match.index + 1 }))
    : [];
}

function withoutEdges(text: string, at: number): Piece {
  const start = EDGE_START.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && EDGE_END.has(text.charAt(end - 1)) && !(text.charAt(end - 1) === ']' && text.slice(start, end).includes('['))) {
    end -= 1;
  }
  return { text: text.slice(start, end), at: at + start };
}
