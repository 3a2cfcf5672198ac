import { remarksOn, type Remark } from '../../../engine/context/catalogItem.js';
import { CATALOG_FORMATS, type CatalogFormatRow } from '../files/catalogFormats.js';
import { formatPlace, type CatalogPath } from '../files/catalogPlaces.js';
import { frontMatter, frontMatterRemarks, textIn, type FrontMatter } from './reading/frontMatter.js';
import { modelsIn } from './readProfiles.js';
import { readingFailed, type CatalogReading } from './readCatalog.js';

/** A prompt file of the workspace: a text that the user takes into the message box. */
export interface WorkspacePrompt extends Pick<CatalogFormatRow, 'placeholders'> {
  /** Unique among the prompts of the workspace. */
  readonly name: string;
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

/** Reads the prompts of the workspace. A second prompt with the same name gets its path as name. Never rejects. */
export async function readPrompts(paths: readonly CatalogPath[], reading: CatalogReading): Promise<WorkspacePrompts> {
  const read = await Promise.all(paths.map(async (path) => ({ path, found: await promptOrProblem(path, reading) })));
  const names = new Set<string>();
  const prompts = withoutCopies(read.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]))).map((prompt) => {
    const name = names.has(prompt.name) ? prompt.source : prompt.name;
    names.add(name);
    return { ...prompt, name };
  });
  const remarks = read.flatMap(({ path, found }) => (typeof found === 'string' ? remarksOn(path.source, [found]) : []));
  return { prompts, remarks };
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

/** Returns the prompt of a file, or a sentence that says why the file cannot be used. */
async function promptOrProblem(path: CatalogPath, { read, logError }: CatalogReading): Promise<WorkspacePrompt | string> {
  try {
    const file = await read(path.source);
    return file.ok ? promptOf(path, file.content) : file.reason;
  } catch (thrown) {
    return readingFailed(path.source, thrown, logError).text;
  }
}

/** Maximum number of characters of a description that is the first line of the prompt. */
const LONGEST_FIRST_LINE = 120;

function promptOf({ path, source }: CatalogPath, content: string): WorkspacePrompt | string {
  const read = frontMatter(content);
  const { values, body: text } = read;
  if (text === '') {
    return `${source} is a prompt without text.`;
  }
  const { name, placeholders } = placeOf(path);
  const [firstLine = ''] = text.split('\n');
  return {
    // Only VS Code documents a name in the file.
    name: (placeholders === 'braces' ? textIn(values, 'name') : null) ?? name,
    source,
    prefix: source.slice(0, source.length - path.length),
    description: textIn(values, 'description') ?? firstLine.replace(/^#+\s*/, '').slice(0, LONGEST_FIRST_LINE),
    hint: hintIn(values),
    argumentNames: listIn(values.get('arguments')),
    text,
    placeholders,
    ...{ agent: agentIn(values), models: modelsIn(values), tools: toolsIn(values) },
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
