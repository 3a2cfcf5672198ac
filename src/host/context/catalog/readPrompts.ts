import { remarksOn, type Remark } from '../../../engine/context/catalogItem.js';
import { CATALOG_FORMATS, type CatalogFormatRow } from '../files/catalogFormats.js';
import { catalogType, formatPlace, type CatalogPath } from '../files/catalogPlaces.js';
import { frontMatter, frontMatterRemarks, textIn, type FrontMatter } from './reading/frontMatter.js';
import { tomlPrompt } from './reading/tomlPrompt.js';
import { modelsIn } from './readProfiles.js';
import { readingFailed, type CatalogReading } from './readCatalog.js';

/** A prompt file of the workspace: a text that the user takes into the message box. */
export interface WorkspacePrompt extends Pick<CatalogFormatRow, 'placeholders'> {
  /** Unique among the prompts of the workspace. */
  readonly name: string;
  /** Whether the prompt is the text of a skill. */
  readonly isSkill: boolean;
  /** The workspace path of the file. */
  readonly source: string;
  /** The prefix of the paths in the workspace folder of the file. */
  readonly prefix: string;
  readonly description: string;
  /** Describes the arguments to the user. Empty if the file does not describe them. */
  readonly hint: string;
  /** The names of the arguments in placeholders such as `$branch`. */
  readonly argumentNames: readonly string[];
  readonly text: string;
  /** The agent that the file names. Loupe only offers it. Null without an agent. */
  readonly agent: string | null;
  /** The models that the file names, best first. Loupe only offers them. */
  readonly models: readonly string[];
  /** The tools in the file, as a text for the user. Loupe does not apply them. Null without tools. */
  readonly tools: string | null;
  /** A sentence for each problem of the front matter. */
  readonly remarks: readonly string[];
}

export interface WorkspacePrompts {
  readonly prompts: readonly WorkspacePrompt[];
  /** A sentence for each file without a usable prompt. */
  readonly remarks: readonly Remark[];
}

/**
 * Reads the prompts of the workspace, and its skills as prompts. A second prompt with the same name gets its path as
 * name. Never rejects.
 */
export async function readPrompts(paths: readonly CatalogPath[], reading: CatalogReading): Promise<WorkspacePrompts> {
  const all = [...paths.filter((path) => !isSkill(path)), ...paths.filter(isSkill)];
  const read = await Promise.all(all.map(async (path) => ({ path, found: await promptOrProblem(path, reading) })));
  const names = new Set<string>();
  const prompts = withoutCopies(read.flatMap(({ found }) => (found === null || typeof found === 'string' ? [] : [found]))).map((prompt) => {
    const name = names.has(prompt.name) ? prompt.source : prompt.name;
    names.add(name);
    return { ...prompt, name };
  });
  const remarks = read.flatMap(({ path, found }) => (typeof found === 'string' ? remarksOn(path.source, [found]) : []));
  return { prompts, remarks };
}

function isSkill({ path }: CatalogPath): boolean {
  return catalogType(path) === 'skill';
}

/** Returns a prompt once that several programs have. Keeps the file whose placeholders Loupe fills in. */
function withoutCopies(all: readonly WorkspacePrompt[]): readonly WorkspacePrompt[] {
  const kept = new Map<string, WorkspacePrompt>();
  for (const prompt of all) {
    const key = JSON.stringify([prompt.name, prompt.text]);
    const first = kept.get(key);
    kept.set(key, first === undefined || (first.placeholders === null && prompt.placeholders !== null) ? prompt : first);
  }
  return [...kept.values()];
}

/** Returns the prompt of a file, or a sentence that says why the file cannot be used. Null for an unusable skill. */
async function promptOrProblem(path: CatalogPath, reading: CatalogReading): Promise<WorkspacePrompt | string | null> {
  const found = await promptIn(path, reading);
  // The catalog reports the problem of a skill.
  return typeof found === 'string' && isSkill(path) ? null : found;
}

async function promptIn(path: CatalogPath, { read, logError }: CatalogReading): Promise<WorkspacePrompt | string | null> {
  try {
    const file = await read(path.source);
    if (!file.ok) {
      return file.reason;
    }
    const content = path.path.endsWith('.toml') ? await tomlPrompt(path.source, file.content) : frontMatter(file.content);
    return typeof content === 'string' ? content : promptOf(path, content);
  } catch (thrown) {
    return readingFailed(path.source, thrown, logError).text;
  }
}

/** Maximum number of characters of a description that is the first line of the prompt. */
const LONGEST_FIRST_LINE = 120;

function promptOf(place: CatalogPath, read: FrontMatter): WorkspacePrompt | string | null {
  const { source, prefix } = place;
  const { values, body: text } = read;
  if (text === '') {
    return `${source} is a prompt without text.`;
  }
  if (isSkill(place) && values.get('user-invocable') === false) {
    // Only the model uses such a skill: https://code.claude.com/docs/en/skills
    return null;
  }
  const { name, placeholders } = placeOf(place.path);
  // Only VS Code and skills document a name in the file.
  const isNamed = isSkill(place) || placeholders === 'braces';
  const [firstLine = ''] = text.split('\n');
  return {
    name: (isNamed ? textIn(values, 'name') : null) ?? name,
    isSkill: isSkill(place),
    source,
    prefix,
    description: textIn(values, 'description') ?? firstLine.replace(/^#+\s*/, '').slice(0, LONGEST_FIRST_LINE),
    hint: hintIn(values),
    argumentNames: listIn(values.get('arguments')),
    text,
    placeholders,
    ...{ agent: isSkill(place) ? null : agentIn(values), models: modelsIn(values), tools: toolsIn(values) },
    remarks: frontMatterRemarks(source, read).map((remark) => remark.text),
  };
}

/** Returns the name of a prompt by its path: `review`, or `git:review` for a file in the subfolder `git`. */
function placeOf(path: string): Pick<WorkspacePrompt, 'name' | 'placeholders'> {
  const place = formatPlace(path);
  if (place === null) {
    throw new RangeError(`No prompt is at ${path}.`);
  }
  const { folders, endings, placeholders }: CatalogFormatRow = CATALOG_FORMATS[place.format];
  const inRoot = path.slice(place.subfolder.length);
  const folder = folders.find((each) => inRoot.startsWith(`${each}/`)) ?? '';
  const ending = endings.find((each) => path.endsWith(each)) ?? '';
  return { name: inRoot.slice(folder.length + 1, inRoot.length - ending.length).replaceAll('/', ':'), placeholders };
}

/** Returns the hint about the arguments. Without quotes, YAML reads a hint such as `[issue]` as a list. */
function hintIn(values: FrontMatter['values']): string {
  const value = values.get('argument-hint');
  return Array.isArray(value) ? `[${value.join(', ')}]` : (textIn(values, 'argument-hint') ?? '');
}

/** Returns the texts of a list, or of a text with commas or blanks between them. */
function listIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  return all.filter((each): each is string => typeof each === 'string' && each !== '');
}

/** Returns the agent that a prompt names. The agent `agent` of VS Code is a chat with tools, as each chat of Loupe. */
function agentIn(values: FrontMatter['values']): string | null {
  const name = textIn(values, 'agent') ?? textIn(values, 'mode');
  return name === 'agent' ? null : name;
}

/** Maximum number of characters of a list of tools in a text for the user. */
const LONGEST_TOOLS = 80;

function toolsIn(values: FrontMatter['values']): string | null {
  const value = values.get('tools') ?? null;
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  return value === null ? null : written.length > LONGEST_TOOLS ? `${written.slice(0, LONGEST_TOOLS)}…` : written;
}
