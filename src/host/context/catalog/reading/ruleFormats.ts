import type { IncludeMode } from '../../../../engine/record/item.js';
import { remarksOn, type CatalogItem } from '../../../../engine/context/catalogItem.js';
import { catalogFormat, type CatalogFormat } from '../../files/catalogPlaces.js';
import { excludes, filePatterns, folderPatterns, patternsIn, type Anchoring } from '../filePatterns.js';
import { frontMatter, frontMatterRemarks, textIn, type FrontMatter } from './frontMatter.js';
import { withoutComments, type MentionStyle } from './mentions.js';

/* Reads rules, references and skills. Reads each format in the same way as the editor that defined the format. */

const TEXT: DeclaredKey = { wanted: 'a text', takes: (value) => typeof value === 'string' };

const INCLUDES: readonly unknown[] = ['always', 'manual', 'agent'];

/** The front matter keys of Loupe's own rules and references. Keys in files of other editors are not checked. */
const KEYS = new Map<string, DeclaredKey>([
  ['name', TEXT],
  ['description', TEXT],
  ['include', { wanted: 'always, manual or agent', takes: (value) => INCLUDES.includes(value) }],
  ['enabled', { wanted: 'true or false', takes: (value) => typeof value === 'boolean' }],
  ['priority', { wanted: 'a number', takes: (value) => typeof value === 'number' }],
  ['globs', { wanted: 'patterns', takes: (value) => [value].flat().every((each) => typeof each === 'string') }],
]);

/** The properties that a file sets in its front matter. */
interface FileDeclaration extends Pick<CatalogItem, 'description' | 'include' | 'applies' | 'isEnabled' | 'priority'> {
  readonly name: string | null;
  /** A sentence for each problem of the file. */
  readonly remarks: readonly string[];
}

/** The place of a file: `path` relative to its workspace folder, and the workspace path `source`. */
interface FilePlace {
  readonly path: string;
  readonly source: string;
}

interface Format {
  readonly type: CatalogItem['type'];
  readonly read: (values: FrontMatter['values'], place: FilePlace) => FileDeclaration;
  /** How the text imports other files. Null if it imports none. */
  readonly imports: MentionStyle | null;
}

/** https://code.claude.com/docs/en/memory */
const CLAUDE_IMPORTS: MentionStyle = { from: 'rule', link: null, dropsComments: true };

const AGENTS_IMPORTS: MentionStyle = { ...CLAUDE_IMPORTS, dropsComments: false };

/** https://cursor.com/docs/context/rules */
const CURSOR_IMPORTS: MentionStyle = { from: 'workspaceFolder', link: /\bmdc:\/*((?:\\.|[^\s\\()<>`])+)/gu, dropsComments: false };

const ALWAYS: FileDeclaration = {
  name: null,
  description: '',
  include: 'always',
  applies: null,
  isEnabled: true,
  priority: 0,
  remarks: [],
};

const PLAIN_RULE: Format = { type: 'rule', read: () => ALWAYS, imports: null };

/** A rule file in a subfolder. Applies to the files of this folder, or of the folder above `.claude`. */
const NESTED_RULE: Format = { ...PLAIN_RULE, read: (_, { source }) => ({ ...ALWAYS, include: 'agent', applies: folderPatterns(source) }) };

const FORMATS: Readonly<Record<Exclude<CatalogFormat, 'agent'>, Format>> = {
  // Programs differ in what `AGENTS.md` imports. Loupe reads the file as Claude Code does, but keeps comments.
  agents: { ...PLAIN_RULE, imports: AGENTS_IMPORTS },
  claude: { ...PLAIN_RULE, imports: CLAUDE_IMPORTS },
  copilot: PLAIN_RULE,
  instructions: { ...PLAIN_RULE, read: instructions },
  cursorFile: { ...PLAIN_RULE, imports: CURSOR_IMPORTS },
  cursor: { ...PLAIN_RULE, read: cursorRule, imports: CURSOR_IMPORTS },
  cline: { ...PLAIN_RULE, read: clineRule },
  loupeRule: { ...PLAIN_RULE, read: own('always') },
  loupeReference: { type: 'reference', read: own('manual'), imports: null },
  skill: { type: 'skill', read: skill, imports: null },
  nestedAgents: { ...NESTED_RULE, imports: AGENTS_IMPORTS },
  nestedClaude: { ...NESTED_RULE, imports: CLAUDE_IMPORTS },
};

/** Returns how a file imports other files. Null if it imports none. */
export function importStyle(path: string): MentionStyle | null {
  return formatOf(path).imports;
}

function formatOf(path: string): Format {
  const format = catalogFormat(path);
  if (format === null || format === 'agent') {
    throw new RangeError(`No rule, reference or skill is at ${path}.`);
  }
  return FORMATS[format];
}

/** Reads an item from its file's text. Another item can have the same name. `path` begins in the workspace folder. */
export function catalogItem(path: string, source: string, text: string): CatalogItem {
  const { type, read, imports } = formatOf(path);
  const front = frontMatter(text);
  const { name, remarks, ...told } = read(front.values, { path, source });
  const own = imports?.dropsComments === true ? withoutComments(front.body) : front.body;
  const all = [...frontMatterRemarks(source, front), ...remarksOn(source, remarks)];
  return { type, serverName: null, source, ...told, name: name ?? source, text: own, problem: null, remarks: all, copies: [] };
}

export function unreadableItem(path: string, source: string, problem: NonNullable<CatalogItem['problem']>): CatalogItem {
  return { ...catalogItem(path, source, ''), text: null, problem };
}

/** Returns the files that the patterns match, and a sentence for each invalid pattern. */
function applying(
  patterns: readonly string[],
  { path, source }: FilePlace,
  anchoring: Anchoring,
): Pick<FileDeclaration, 'applies' | 'remarks'> {
  const { applies, invalid } = filePatterns(patterns, source.slice(0, source.length - path.length), anchoring);
  return { applies, remarks: invalid.map((pattern) => `${source} has the invalid file pattern ${pattern}.`) };
}

/** https://code.visualstudio.com/docs/copilot/customization/custom-instructions */
function instructions(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const patterns = patternsIn(values.get('applyTo'));
  const description = textIn(values, 'description') ?? '';
  const include = isEverything(patterns) ? 'always' : picked(description, patterns);
  return { ...ALWAYS, name: textIn(values, 'name'), description, include, ...applying(patterns, place, 'anyFolder') };
}

/** Whether the patterns match all files. */
function isEverything(patterns: readonly string[]): boolean {
  return patterns.some((pattern) => ['**', '**/*', '*'].includes(pattern)) && !patterns.some(excludes);
}

/** https://cursor.com/docs/context/rules */
function cursorRule(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const description = textIn(values, 'description') ?? '';
  const patterns = patternsIn(values.get('globs'));
  const include = values.get('alwaysApply') === true ? 'always' : picked(description, patterns);
  return { ...ALWAYS, description, include, ...applying(patterns, place, 'anyFolder') };
}

/** Returns the include mode of a rule. Without description and patterns, only the user can add the rule. */
function picked(description: string, patterns: readonly string[]): IncludeMode {
  return description !== '' || patterns.length > 0 ? 'agent' : 'manual';
}

/** https://docs.cline.bot/features/cline-rules: a rule is for the files in `paths`; without `paths`, for all files. */
function clineRule(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const patterns = patternsIn(values.get('paths'));
  return { ...ALWAYS, include: patterns.length > 0 ? 'agent' : 'always', ...applying(patterns, place, 'names') };
}

/** https://agentskills.io/specification */
function skill(values: FrontMatter['values'], { source }: FilePlace): FileDeclaration {
  const told = { name: textIn(values, 'name'), description: textIn(values, 'description') ?? '' };
  return { ...ALWAYS, ...told, include: 'agent', remarks: skillRemarks(source, told) };
}

/** Returns the problems of a skill. Other programs require that a skill has the name of its folder. */
function skillRemarks(source: string, { name, description }: Pick<FileDeclaration, 'name' | 'description'>): readonly string[] {
  const folder = source.split('/').at(-2) ?? '';
  const wrong = name === null ? `${source} has no name.` : `${source} has the name ${name}. Other programs expect the name ${folder}.`;
  const named = name === folder ? [] : [wrong];
  return [...named, ...(description === '' ? [`${source} has no description.`] : [])];
}

function own(usual: IncludeMode): Format['read'] {
  return (values, place) => {
    const include = values.get('include');
    const priority = values.get('priority');
    const { applies, remarks } = applying(patternsIn(values.get('globs')), place, 'anyFolder');
    return {
      name: textIn(values, 'name'),
      description: textIn(values, 'description') ?? '',
      include: include === 'always' || include === 'manual' || include === 'agent' ? include : usual,
      applies,
      remarks: [...keyRemarks(values, place.source), ...remarks],
      isEnabled: values.get('enabled') !== false,
      priority: typeof priority === 'number' ? priority : 0,
    };
  };
}

interface DeclaredKey {
  /** The expected value, as the end of a sentence that starts with "Write". */
  readonly wanted: string;
  readonly takes: (value: unknown) => boolean;
}

/** Returns a sentence for each unknown key and each ignored value. A key without a value counts as missing. */
function keyRemarks(values: FrontMatter['values'], source: string): readonly string[] {
  return [...values].flatMap(([name, value]) => {
    const key = KEYS.get(name);
    if (key === undefined) {
      return [`${source} has the key ${name}, which Loupe does not know. Loupe knows ${[...KEYS.keys()].join(', ')}.`];
    }
    return value === null || key.takes(value) ? [] : [`${source} has ${name}: ${JSON.stringify(value)}. Write ${key.wanted}.`];
  });
}
