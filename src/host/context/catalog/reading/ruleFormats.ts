import type { IncludeMode, WrittenType } from '../../../../engine/record/item.js';
import { remarksOn, type CatalogItem, type FilePatterns } from '../../../../engine/context/catalogItem.js';
import { CATALOG_FORMATS, type CatalogFormatRow } from '../../files/catalogFormats.js';
import { formatPlace, type CatalogPath, type FormatPlace } from '../../files/catalogPlaces.js';
import { excludes, filePatterns, folderPatterns, patternsIn } from '../filePatterns.js';
import { frontMatter, frontMatterRemarks, textIn, type FrontMatter } from './frontMatter.js';
import { textPatterns } from './textPatterns.js';
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
interface FileDeclaration extends Pick<CatalogItem, 'description' | 'include' | 'applies' | 'offBy' | 'priority'> {
  readonly name: string | null;
  /** A sentence for each problem of the file. */
  readonly remarks: readonly string[];
}

/** The place of a file: its workspace path `source`, and the path prefixes of its workspace folder and subfolder. */
interface FilePlace extends Pick<CatalogFormatRow, 'anchoring' | 'type'> {
  readonly source: string;
  readonly prefix: string;
  /** The subfolder of a rule that applies only there. '' for a rule of the whole workspace folder. */
  readonly subfolder: string;
}

type ModeReader = (values: FrontMatter['values'], place: FilePlace) => FileDeclaration;

const ALWAYS: FileDeclaration = {
  name: null,
  description: '',
  include: 'always',
  applies: null,
  offBy: null,
  priority: 0,
  remarks: [],
};

/** Reads the front matter of each format as the program of the format documents it; see `CATALOG_FORMATS`. */
const MODES: Readonly<Record<CatalogFormatRow['modes'], ModeReader>> = {
  always: () => ALWAYS,
  paths: (values, place) => forFiles(values.get('paths'), place) ?? ALWAYS,
  applyTo: instructions,
  cursor: cursorRule,
  trigger: triggeredRule,
  kiro: kiroRule,
  // For an agent with the name of the mode, see `withModeRules`.
  roo: (_, { source }) => (modeOfRule(source) === null ? ALWAYS : { ...ALWAYS, include: 'manual' }),
  continue: continueRule,
  trae: (values, place) => (values.size === 0 ? ALWAYS : cursorRule(values, place)),
  augment: augmentRule,
  own,
  skill,
};

/** Matches a rule of a mode, such as `.roo/rules-code/style.md`. The group is the mode. */
const MODE_FOLDER = /(?:^|\/)\.(?:roo|kilocode)\/rules-([^/]+)\//;

/** Returns the mode of Roo Code or Kilo Code that a rule is for. Null for a rule of all modes. */
export function modeOfRule(source: string): string | null {
  return MODE_FOLDER.exec(source)?.[1] ?? null;
}

const IMPORTS: Readonly<Record<NonNullable<CatalogFormatRow['imports']>, MentionStyle>> = {
  claude: { from: 'rule', link: null, dropsComments: true },
  // Programs differ in what `AGENTS.md` imports. Loupe imports as Claude Code does, but keeps comments.
  agents: { from: 'rule', link: null, dropsComments: false },
  cursor: { from: 'workspaceFolder', link: /\bmdc:\/*((?:\\.|[^\s\\()<>`])+)/gu, dropsComments: false },
  kiro: { from: 'workspaceFolder', link: /#\[\[file:([^\]\n]+)\]\]/gu, dropsComments: false },
};

/** Returns how a file imports other files. Null if it imports none. */
export function importStyle(path: string): MentionStyle | null {
  const { imports } = CATALOG_FORMATS[placeOf(path).format] as CatalogFormatRow;
  return imports === null ? null : IMPORTS[imports];
}

function isItem(type: CatalogFormatRow['type']): type is WrittenType {
  return type !== 'agent' && type !== 'prompt';
}

function placeOf(path: string): FormatPlace {
  const place = formatPlace(path);
  if (place === null || !isItem(CATALOG_FORMATS[place.format].type)) {
    throw new RangeError(`No rule, reference or skill is at ${path}.`);
  }
  return place;
}

type ItemPath = Pick<CatalogPath, 'path' | 'source' | 'prefix'>;

/** Reads an item from its file's text. Another item can have the same name. */
export function catalogItem({ path, source, prefix }: ItemPath, text: string): CatalogItem {
  const { format, subfolder } = placeOf(path);
  const { type, modes, anchoring } = CATALOG_FORMATS[format] as CatalogFormatRow & { readonly type: CatalogItem['type'] };
  const front = frontMatter(text);
  const declared = MODES[modes](front.values, { type, source, prefix, subfolder: prefix + subfolder, anchoring });
  const { name, remarks, ...told } = subfolder === '' ? declared : inSubfolder(declared, prefix + subfolder);
  const own = importStyle(path)?.dropsComments === true ? withoutComments(front.body) : front.body;
  const all = [...frontMatterRemarks(source, front), ...remarksOn(source, remarks)];
  return { type, serverName: null, source, ...told, name: name ?? source, text: own, problem: null, remarks: all, copies: [] };
}

/** A rule for all files in a subfolder of the workspace is picked for the files of the subfolder. */
function inSubfolder(declared: FileDeclaration, subfolder: string): FileDeclaration {
  return declared.include === 'always' ? { ...declared, include: 'agent', applies: folderPatterns(subfolder) } : declared;
}

export function unreadableItem(path: ItemPath, problem: NonNullable<CatalogItem['problem']>): CatalogItem {
  return { ...catalogItem(path, ''), text: null, problem };
}

/** Returns the files that the patterns match, and a sentence for each invalid pattern. */
function applying(patterns: readonly string[], place: FilePlace): Pick<FileDeclaration, 'applies' | 'remarks'> {
  const { applies, invalid } = filePatterns(patterns, place);
  return { applies, remarks: invalid.map((pattern) => `${place.source} has the invalid file pattern ${pattern}.`) };
}

/** Returns a rule for the files in `value`. Null for a rule without patterns, or with a pattern for all files. */
function forFiles(value: unknown, place: FilePlace): FileDeclaration | null {
  const patterns = patternsIn(value);
  return patterns.length === 0 || isEverything(patterns) ? null : { ...ALWAYS, include: 'agent', ...applying(patterns, place) };
}

/** https://code.visualstudio.com/docs/copilot/customization/custom-instructions */
function instructions(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const patterns = patternsIn(values.get('applyTo'));
  const description = textIn(values, 'description') ?? '';
  const include = isEverything(patterns) ? 'always' : picked(description, patterns);
  return { ...ALWAYS, name: textIn(values, 'name'), description, include, ...applying(patterns, place) };
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
  return { ...ALWAYS, description, include, ...applying(patterns, place) };
}

/** Returns the include mode of a rule. Without description and patterns, only the user can add the rule. */
function picked(description: string, patterns: readonly string[]): IncludeMode {
  return description !== '' || patterns.length > 0 ? 'agent' : 'manual';
}

/** Reads the field `trigger` of Windsurf and Antigravity. Without the field, a rule is as in `forFiles`. */
function triggeredRule(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const description = textIn(values, 'description') ?? '';
  const patterns = patternsIn(values.get('globs'));
  switch (textIn(values, 'trigger')) {
    case 'always_on':
      return { ...ALWAYS, description };
    case 'manual':
      return { ...ALWAYS, description, include: 'manual' };
    case 'model_decision':
      return { ...ALWAYS, description, include: 'agent' };
    case null:
      return { ...(forFiles(patterns, place) ?? ALWAYS), description };
    default:
      return { ...ALWAYS, description, include: picked(description, patterns), ...applying(patterns, place) };
  }
}

function kiroRule(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const description = textIn(values, 'description') ?? '';
  switch (textIn(values, 'inclusion')) {
    case 'fileMatch':
      return { ...ALWAYS, description, include: 'agent', ...applying(patternsIn(values.get('fileMatchPattern')), place) };
    case 'auto':
      return { ...ALWAYS, name: textIn(values, 'name'), description, include: 'agent' };
    case 'manual':
      return { ...ALWAYS, description, include: 'manual' };
    default:
      return { ...ALWAYS, description };
  }
}

/** Without `alwaysApply`, a rule is for its files, or for all requests if it has none. */
function continueRule(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const declared = continueRuleForPaths(values, place);
  const given = values.get('regex');
  const expressions = [given].flat().filter((each) => typeof each === 'string');
  if (values.get('alwaysApply') === true || expressions.length === 0) {
    return declared;
  }
  const { matches, areSlow, invalid } = textPatterns(expressions);
  const remarks = [...declared.remarks, ...invalid.map((each) => `${place.source} has the invalid regular expression ${each}.`)];
  const { applies } = declared;
  const forTexts: FilePatterns = {
    patterns: [...(applies?.patterns ?? []), ...expressions.map((each) => `/${each}/`)],
    matches: (path, text) => (applies?.matches(path, text) ?? true) && text !== null && matches?.(text) === true,
    expressions: { areSlow },
  };
  return { ...declared, include: 'agent', applies: forTexts, remarks };
}

function continueRuleForPaths(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const name = textIn(values, 'name');
  const description = textIn(values, 'description') ?? '';
  if (values.get('alwaysApply') === false) {
    return { ...cursorRule(values, place), name };
  }
  const rule = values.get('alwaysApply') === true ? null : forFiles(values.get('globs'), place);
  return { ...(rule ?? ALWAYS), name, description };
}

function augmentRule(values: FrontMatter['values']): FileDeclaration {
  const description = textIn(values, 'description') ?? '';
  const includes: Readonly<Record<string, IncludeMode>> = { agent_requested: 'agent', auto: 'agent', manual: 'manual' };
  return { ...ALWAYS, description, include: includes[textIn(values, 'type') ?? ''] ?? 'always' };
}

/** https://agentskills.io/specification */
function skill(values: FrontMatter['values'], { source }: FilePlace): FileDeclaration {
  const told = { name: textIn(values, 'name'), description: textIn(values, 'description') ?? '' };
  // A skill with this field is for users only: https://code.claude.com/docs/en/skills.
  const include = values.get('disable-model-invocation') === true ? 'manual' : 'agent';
  return { ...ALWAYS, ...told, include, remarks: skillRemarks(source, told) };
}

/** Returns the problems of a skill. Other programs require that a skill has the name of its folder. */
function skillRemarks(source: string, { name, description }: Pick<FileDeclaration, 'name' | 'description'>): readonly string[] {
  const folder = source.split('/').at(-2) ?? '';
  const wrong = name === null ? `${source} has no name.` : `${source} has the name ${name}. Other programs expect the name ${folder}.`;
  const named = name === folder ? [] : [wrong];
  return [...named, ...(description === '' ? [`${source} has no description.`] : [])];
}

function own(values: FrontMatter['values'], place: FilePlace): FileDeclaration {
  const include = values.get('include');
  const priority = values.get('priority');
  const { applies, remarks } = applying(patternsIn(values.get('globs')), place);
  const usual = place.type === 'reference' ? 'manual' : 'always';
  return {
    name: textIn(values, 'name'),
    description: textIn(values, 'description') ?? '',
    include: include === 'always' || include === 'manual' || include === 'agent' ? include : usual,
    applies,
    remarks: [...keyRemarks(values, place.source), ...remarks],
    offBy: values.get('enabled') === false ? 'file' : null,
    priority: typeof priority === 'number' ? priority : 0,
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
