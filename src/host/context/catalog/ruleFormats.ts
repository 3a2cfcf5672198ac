import type { IncludeMode } from '../../../engine/context/item.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { frontMatter, type FrontMatter } from './frontMatter.js';

/*
 * The files in which people keep rules and references, each as its own editor reads it.
 */

/** What a file says of itself. */
interface Told {
  readonly name: string | null;
  readonly description: string;
  readonly include: IncludeMode;
  readonly isEnabled: boolean;
  readonly priority: number;
}

interface Format {
  readonly type: CatalogItem['type'];
  /** Matches the path within a workspace folder. */
  readonly path: RegExp;
  readonly read: (values: FrontMatter['values']) => Told;
  /** Whether `@path` in the text stands for the text of another file. */
  readonly imports: boolean;
}

const ALWAYS: Told = { name: null, description: '', include: 'always', isEnabled: true, priority: 0 };

const FORMATS: readonly Format[] = [
  { type: 'rule', path: /^AGENTS\.md$/, read: () => ALWAYS, imports: false },
  // https://code.claude.com/docs/en/memory
  { type: 'rule', path: /^(?:\.claude\/)?CLAUDE\.md$/, read: () => ALWAYS, imports: true },
  { type: 'rule', path: /^\.github\/copilot-instructions\.md$/, read: () => ALWAYS, imports: false },
  { type: 'rule', path: /^\.github\/instructions\/.+\.instructions\.md$/, read: instructions, imports: false },
  { type: 'rule', path: /^\.cursorrules$/, read: () => ALWAYS, imports: false },
  { type: 'rule', path: /^\.cursor\/rules\/.+\.mdc$/, read: cursorRule, imports: false },
  { type: 'rule', path: /^\.clinerules(?:\/.+\.(?:md|txt))?$/, read: () => ALWAYS, imports: false },
  { type: 'rule', path: /^\.loupe\/rules\/.+\.md$/, read: own('always'), imports: false },
  { type: 'reference', path: /^\.loupe\/references\/.+\.md$/, read: own('manual'), imports: false },
];

/** The folders that may hold rules and references, and the files, by their paths within a workspace folder. */
export const CATALOG_FOLDERS: readonly string[] = [
  '.github/instructions',
  '.cursor/rules',
  '.clinerules',
  '.loupe/rules',
  '.loupe/references',
];
export const CATALOG_FILES: readonly string[] = [
  'AGENTS.md',
  'CLAUDE.md',
  '.claude/CLAUDE.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.clinerules',
];

/** Whether a file at this path within a workspace folder may be a rule or a reference. */
export function isCatalogPath(path: string): boolean {
  return formatOf(path) !== undefined;
}

/** Whether `@path` in a file stands for the text of another. */
export function hasImports(path: string): boolean {
  return formatOf(path)?.imports === true;
}

function formatOf(path: string): Format | undefined {
  return FORMATS.find((format) => format.path.test(path));
}

/** A rule or a reference, read from its file; its name may be another's, too. `path` is that within its workspace folder. */
export function catalogItem(path: string, source: string, text: string): CatalogItem {
  const format = formatOf(path);
  if (format === undefined) {
    throw new RangeError(`No rule and no reference is at ${path}.`);
  }
  const { values, body, problem } = frontMatter(text);
  const { name, ...told } = format.read(values);
  const remarks = problem === null ? [] : [`The front matter of ${source} cannot be read: line ${String(problem.line)}, ${problem.text}.`];
  return { type: format.type, source, ...told, name: name ?? source, text: body, problem: null, remarks };
}

/** A rule or a reference whose file cannot be read. */
export function unreadableItem(path: string, source: string, problem: NonNullable<CatalogItem['problem']>): CatalogItem {
  return { ...catalogItem(path, source, ''), text: null, problem };
}

/** https://code.visualstudio.com/docs/copilot/customization/custom-instructions */
function instructions(values: FrontMatter['values']): Told {
  const patterns = patternsIn(values.get('applyTo'));
  const include = patterns.some(isEverything) ? 'always' : patterns.length > 0 ? 'agent' : 'manual';
  return { ...ALWAYS, name: textIn(values.get('name')), description: textIn(values.get('description')) ?? '', include };
}

/** https://cursor.com/docs/context/rules */
function cursorRule(values: FrontMatter['values']): Told {
  const description = textIn(values.get('description')) ?? '';
  const picks = patternsIn(values.get('globs')).length > 0 || description !== '';
  return { ...ALWAYS, description, include: values.get('alwaysApply') === true ? 'always' : picks ? 'agent' : 'manual' };
}

function own(usual: IncludeMode): (values: FrontMatter['values']) => Told {
  return (values) => {
    const include = values.get('include');
    const priority = values.get('priority');
    return {
      name: textIn(values.get('name')),
      description: textIn(values.get('description')) ?? '',
      include: include === 'always' || include === 'manual' || include === 'agent' ? include : usual,
      isEnabled: values.get('enabled') !== false,
      priority: typeof priority === 'number' ? priority : 0,
    };
  };
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Glob patterns: a list, or a text with commas between them. */
function patternsIn(value: unknown): readonly string[] {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  return given
    .flatMap((each) => (typeof each === 'string' ? each.split(',').map((pattern) => pattern.trim()) : []))
    .filter((each) => each !== '');
}

function isEverything(pattern: string): boolean {
  return ['**', '**/*', '*'].includes(pattern);
}
