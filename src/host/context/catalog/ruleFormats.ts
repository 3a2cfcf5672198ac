import type { IncludeMode } from '../../../engine/context/item.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { catalogFormat, type CatalogFormat } from './catalogPlaces.js';
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
  readonly read: (values: FrontMatter['values']) => Told;
  /** Whether `@path` in the text stands for the text of another file. */
  readonly imports: boolean;
}

const ALWAYS: Told = { name: null, description: '', include: 'always', isEnabled: true, priority: 0 };

const PLAIN_RULE: Format = { type: 'rule', read: () => ALWAYS, imports: false };

const FORMATS: Readonly<Record<CatalogFormat, Format>> = {
  agents: PLAIN_RULE,
  // https://code.claude.com/docs/en/memory
  claude: { ...PLAIN_RULE, imports: true },
  copilot: PLAIN_RULE,
  instructions: { ...PLAIN_RULE, read: instructions },
  cursorFile: PLAIN_RULE,
  cursor: { ...PLAIN_RULE, read: cursorRule },
  cline: PLAIN_RULE,
  loupeRule: { ...PLAIN_RULE, read: own('always') },
  loupeReference: { type: 'reference', read: own('manual'), imports: false },
};

/** Whether `@path` in a file stands for the text of another. */
export function hasImports(path: string): boolean {
  return formatOf(path).imports;
}

function formatOf(path: string): Format {
  const format = catalogFormat(path);
  if (format === null) {
    throw new RangeError(`No rule and no reference is at ${path}.`);
  }
  return FORMATS[format];
}

/** A rule or a reference, read from its file; its name may be another's, too. `path` is that within its workspace folder. */
export function catalogItem(path: string, source: string, text: string): CatalogItem {
  const format = formatOf(path);
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
