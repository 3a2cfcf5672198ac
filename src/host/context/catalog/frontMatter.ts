import { parseDocument } from 'yaml';
import type { Remark } from '../../../engine/context/catalogItem.js';

/** A Markdown file, divided. */
export interface FrontMatter {
  readonly values: ReadonlyMap<string, unknown>;
  readonly body: string;
  /** Why the values cannot be read, with the line in the file, from 1; null when they can. */
  readonly problem: { readonly line: number; readonly text: string } | null;
}

const FENCED = /^---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n|$)/s;

/** A pattern where YAML wants quotes: other editors write `globs: *.ts` and `**` as they are. */
const BARE_PATTERN = /^([ \t]*[\w-]+:[ \t]+)([!&{][^\n]*\*[^\n]*|\*[^\n]*)$/gm;

/** Where the front matter of a text stands: what is before its lines, they, and the rest; null for a text without. */
export function frontMatterIn(text: string): { readonly before: string; readonly yaml: string; readonly after: string } | null {
  const begin = text.startsWith('\uFEFF') ? 1 : 0;
  const [all, yaml = ''] = FENCED.exec(text.slice(begin)) ?? [];
  if (all === undefined) {
    return null;
  }
  const from = begin + all.indexOf('\n') + 1;
  const to = yaml === '' ? from : text.indexOf('\n', from + yaml.length) + 1;
  return { before: text.slice(0, from), yaml, after: text.slice(to) };
}

/** Divides a file into the values between its first lines of `---` and the rest. A file without has none. */
export function frontMatter(text: string): FrontMatter {
  const content = text.replace(/^\uFEFF/, '');
  const found = FENCED.exec(content);
  if (found === null) {
    return { values: new Map(), body: content.trim(), problem: null };
  }
  const [all, yaml = ''] = found;
  const body = content.slice(all.length).trim();
  const document = parseDocument(yaml.replaceAll(BARE_PATTERN, (_, key: string, pattern: string) => key + JSON.stringify(pattern.trim())));
  const [error] = document.errors;
  if (error !== undefined) {
    const [reason = ''] = error.message.split(/ at line |:?\n/);
    // The first line of the file is the fence.
    return { values: new Map(), body, problem: { line: (error.linePos?.[0].line ?? 1) + 1, text: reason } };
  }
  const values: unknown = document.toJS({ maxAliasCount: 0 });
  if (values !== null && typeof values === 'object' && !Array.isArray(values)) {
    return { values: new Map(Object.entries(values)), body, problem: null };
  }
  // Lines of `---` may also stand for themselves: nothing of the text is lost.
  return yaml.trim() === ''
    ? { values: new Map(), body, problem: null }
    : { values: new Map(), body: content.trim(), problem: { line: 2, text: 'it holds no keys with values' } };
}

/** A value that is text; null for none, an empty one, and any other. */
export function textIn(values: FrontMatter['values'], key: string): string | null {
  const value = values.get(key);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** What is wrong with the front matter of a file, for the user: nothing, or one sentence. */
export function frontMatterRemarks(source: string, { problem }: Pick<FrontMatter, 'problem'>): readonly Remark[] {
  if (problem === null) {
    return [];
  }
  const { line, text } = problem;
  return [{ text: `The front matter of ${source} cannot be read: line ${String(line)}, ${text}.`, path: source, line }];
}
