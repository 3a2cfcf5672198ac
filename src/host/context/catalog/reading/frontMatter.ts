import type { Remark } from '../../../../engine/context/catalogItem.js';
import { NO_KEY, readKeys, type FrontMatterFault } from './frontMatterYaml.js';

export interface FrontMatter {
  readonly values: ReadonlyMap<string, unknown>;
  readonly body: string;
  readonly faults: readonly FrontMatterFault[];
}

/** Matches front matter, also after blank lines. The groups are the blank lines and the YAML lines. */
const FENCED = /^((?:[ \t]*\r?\n)*)---[ \t]*\r?\n(?:(.*?)\r?\n)?---[ \t]*(?:\r?\n|$)/s;

/** Matches a line that begins a key. Other lines between two `---` lines are text: the lines separate its parts. */
const KEY = /^["']?[\w.-]+["']?:(?:\s|$)/m;

/** Returns the YAML lines of front matter, with the text before and after. Null for a text without front matter. */
export function frontMatterIn(text: string): { readonly before: string; readonly yaml: string; readonly after: string } | null {
  const begin = text.startsWith('\uFEFF') ? 1 : 0;
  const [all, blank = '', yaml = ''] = FENCED.exec(text.slice(begin)) ?? [];
  if (all === undefined) {
    return null;
  }
  const from = begin + all.indexOf('\n', blank.length) + 1;
  const to = yaml === '' ? from : text.indexOf('\n', from + yaml.length) + 1;
  return { before: text.slice(0, from), yaml, after: text.slice(to) };
}

/** Splits a text into the values of its front matter (between two `---` lines) and the remaining text. */
export function frontMatter(text: string): FrontMatter {
  const content = text.replace(/^\uFEFF/, '');
  const found = FENCED.exec(content);
  if (found === null) {
    return { values: new Map(), body: content.trim(), faults: [] };
  }
  const [all, blank = '', yaml = ''] = found;
  const firstLine = blank.split('\n').length;
  const { values, faults } = readKeys(yaml, firstLine + 1);
  if (values.size > 0 || yaml.trim() === '' || (KEY.test(yaml) && faults.some(({ reason }) => reason !== NO_KEY))) {
    return { values, body: content.slice(all.length).trim(), faults };
  }
  // Keeps the whole text, because the `---` lines may belong to the text.
  return {
    values,
    body: content.trim(),
    faults: [{ line: firstLine + 1, reason: 'the front matter has no key with a value', isRead: false }],
  };
}

/** Returns a value that is a text. Null for a missing or empty value, and for other types. */
export function textIn(values: FrontMatter['values'], key: string): string | null {
  const value = values.get(key);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Returns a sentence for each problem of a file's front matter. */
export function frontMatterRemarks(source: string, { faults }: Pick<FrontMatter, 'faults'>): readonly Remark[] {
  return faults.map(({ line, reason, isRead }) => ({
    text: isRead
      ? `Line ${String(line)} of ${source} is not valid YAML: ${reason}. Loupe uses the value of the line as written.`
      : `Loupe cannot read the front matter of ${source}, line ${String(line)}: ${reason}.`,
    path: source,
    line,
  }));
}
