import type { IncludeMode } from '../../../engine/context/item.js';
import type { CatalogItem } from '../../../engine/context/catalogItem.js';
import { catalogFormat, type CatalogFormat } from './catalogPlaces.js';
import { filePatterns, folderPatterns, patternsIn } from './filePatterns.js';
import { frontMatter, type FrontMatter } from './frontMatter.js';

/*
 * The files in which people keep rules, references and skills, each as its own editor reads it.
 */

/** What a file says of itself. */
interface Told {
  readonly name: string | null;
  readonly description: string;
  readonly include: IncludeMode;
  /** Patterns of the files that it is for. */
  readonly patterns: readonly string[];
  readonly isEnabled: boolean;
  readonly priority: number;
}

interface Format {
  readonly type: CatalogItem['type'];
  readonly read: (values: FrontMatter['values']) => Told;
  /** Whether `@path` in the text stands for the text of another file. */
  readonly imports: boolean;
}

const ALWAYS: Told = { name: null, description: '', include: 'always', patterns: [], isEnabled: true, priority: 0 };

const PLAIN_RULE: Format = { type: 'rule', read: () => ALWAYS, imports: false };

const FORMATS: Readonly<Record<Exclude<CatalogFormat, 'agent'>, Format>> = {
  agents: PLAIN_RULE,
  // https://code.claude.com/docs/en/memory
  claude: { ...PLAIN_RULE, imports: true },
  copilot: PLAIN_RULE,
  instructions: { ...PLAIN_RULE, read: instructions },
  cursorFile: PLAIN_RULE,
  cursor: { ...PLAIN_RULE, read: cursorRule },
  cline: { ...PLAIN_RULE, read: clineRule },
  loupeRule: { ...PLAIN_RULE, read: own('always') },
  loupeReference: { type: 'reference', read: own('manual'), imports: false },
  skill: { type: 'skill', read: skill, imports: false },
  nestedAgents: PLAIN_RULE,
  nestedClaude: { ...PLAIN_RULE, imports: true },
};

/** Whether `@path` in a file stands for the text of another. */
export function hasImports(path: string): boolean {
  return formatOf(path).imports;
}

function formatOf(path: string): Format {
  const format = catalogFormat(path);
  if (format === null || format === 'agent') {
    throw new RangeError(`No rule, reference or skill is at ${path}.`);
  }
  return FORMATS[format];
}

/** A rule or a reference, read from its file; its name may be another's, too. `path` is that within its workspace folder. */
export function catalogItem(path: string, source: string, text: string): CatalogItem {
  const format = catalogFormat(path);
  const { type, read } = formatOf(path);
  const { values, body, problem } = frontMatter(text);
  const { name, patterns, ...told } = read(values);
  const remarks = problem === null ? [] : [`The front matter of ${source} cannot be read: line ${String(problem.line)}, ${problem.text}.`];
  const prefix = source.slice(0, source.length - path.length);
  const item = { type, source, ...told, name: name ?? source, text: body, problem: null };
  if (format === 'skill') {
    return { ...item, applies: null, remarks: [...remarks, ...skillRemarks(source, { name, description: item.description })] };
  }
  if (format === 'nestedAgents' || format === 'nestedClaude') {
    return { ...item, include: 'agent', applies: folderPatterns(source), remarks };
  }
  const { applies, invalid } = filePatterns(patterns, prefix);
  return {
    ...item,
    applies,
    remarks: [...remarks, ...invalid.map((pattern) => `${source} names files by ${pattern}, which is no pattern.`)],
  };
}

/** A rule or a reference whose file cannot be read. */
export function unreadableItem(path: string, source: string, problem: NonNullable<CatalogItem['problem']>): CatalogItem {
  return { ...catalogItem(path, source, ''), text: null, problem };
}

/** https://code.visualstudio.com/docs/copilot/customization/custom-instructions */
function instructions(values: FrontMatter['values']): Told {
  const patterns = patternsIn(values.get('applyTo'));
  const description = textIn(values.get('description')) ?? '';
  const include = patterns.some(isEverything) ? 'always' : picked(description, patterns);
  return { ...ALWAYS, name: textIn(values.get('name')), description, include, patterns };
}

/** https://cursor.com/docs/context/rules */
function cursorRule(values: FrontMatter['values']): Told {
  const description = textIn(values.get('description')) ?? '';
  const patterns = patternsIn(values.get('globs'));
  const include = values.get('alwaysApply') === true ? 'always' : picked(description, patterns);
  return { ...ALWAYS, description, include, patterns };
}

/** What says neither when it fits nor for which files it is can only be added by hand. */
function picked(description: string, patterns: readonly string[]): IncludeMode {
  return description !== '' || patterns.length > 0 ? 'agent' : 'manual';
}

/** https://docs.cline.bot/features/cline-rules: with `paths` a rule is for the files that they name, without for all. */
function clineRule(values: FrontMatter['values']): Told {
  const patterns = patternsIn(values.get('paths'));
  return { ...ALWAYS, include: patterns.length > 0 ? 'agent' : 'always', patterns };
}

/** https://agentskills.io/specification */
function skill(values: FrontMatter['values']): Told {
  return { ...ALWAYS, name: textIn(values.get('name')), description: textIn(values.get('description')) ?? '', include: 'agent' };
}

/** A skill is found by its description, and other clients look for it by the name of its folder. */
function skillRemarks(source: string, { name, description }: Pick<Told, 'name' | 'description'>): readonly string[] {
  const folder = source.split('/').at(-2) ?? '';
  const named =
    name === null ? [`${source} has no name.`] : name === folder ? [] : [`${source} is named ${name}, and its folder ${folder}.`];
  return [...named, ...(description === '' ? [`${source} has no description.`] : [])];
}

function own(usual: IncludeMode): (values: FrontMatter['values']) => Told {
  return (values) => {
    const include = values.get('include');
    const priority = values.get('priority');
    return {
      name: textIn(values.get('name')),
      description: textIn(values.get('description')) ?? '',
      include: include === 'always' || include === 'manual' || include === 'agent' ? include : usual,
      patterns: patternsIn(values.get('globs')),
      isEnabled: values.get('enabled') !== false,
      priority: typeof priority === 'number' ? priority : 0,
    };
  };
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function isEverything(pattern: string): boolean {
  return ['**', '**/*', '*'].includes(pattern);
}
