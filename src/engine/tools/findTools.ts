import { betweenPoints } from '../chat/message/textBegin.js';
import type { ToolResultContent } from '../model/part.js';
import { LexicalIndex } from '../context/rank/lexical.js';
import { SOURCE_BACKGROUND, type Stem } from '../context/rank/words.js';
import { isObject, type Json } from '../json.js';
import type { Pause, ToolOutcome } from '../ports.js';
import type { ToolDefinition } from '../model/block.js';

/*
 * Tools on demand. A request defines them, but the provider omits their definitions from the prompt (`isDeferred`).
 * Instead, the model sees `find_tools`, which lists their names. The result of `find_tools` refers to the tools found.
 * The provider inserts their definitions there, after everything that was sent before. So the cached prefix stays the
 * same. https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool (custom tool search
 * implementation), https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching
 * (defer_loading)
 */

/** The tool that loads other tools. The name is unique, because the names of servers' tools contain `__`. */
export const FIND_TOOLS = 'find_tools';

/** Maximum tools that a search by words loads, because each stays in the prompt. Providers' searches load 3 to 5. */
const MOST_FOUND = 5;

/** Results below this share of the best score are ignored, because they are rarely useful. */
const NEAR_BEST = 0.5;

/** Number of tools to index between two pauses: some milliseconds of work. */
const AT_ONCE = 5;

/** Maximum characters of a tool's line in the description of `find_tools`: enough to show what the tool does. */
const LINE_CHARACTERS = 120;

const PURPOSE =
  'Loads tools, so that you can call them from your next step on. The tools below are not loaded: load one before you call it. ' +
  'Ask by names from this list, or by words for what you need.';

/** Returns the definition of `find_tools`. Its description has one line for each on-demand tool. */
export function findToolsDefinition(onDemand: readonly ToolDefinition[]): ToolDefinition {
  return {
    type: 'toolDefinition',
    name: FIND_TOOLS,
    description: `${PURPOSE}\n\n${onDemand.map(lineOf).join('\n')}`,
    schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Names of tools, or words for what they should do' } },
      required: ['query'],
      additionalProperties: false,
    },
    isRetired: false,
  };
}

function lineOf({ name, description }: ToolDefinition): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  const line = text.slice(0, betweenPoints(text, LINE_CHARACTERS));
  return line === '' ? `- ${name}` : `- ${name}: ${line}${line.length < text.length ? '…' : ''}`;
}

/** The stemmer of the search, and a pause that lets other work run. */
interface ToolSearchPorts {
  readonly stem: Stem;
  readonly pause: Pause;
}

/** Searches the tools on demand. `query` is the value that the model sent, of any type. */
export async function findTools(onDemand: readonly ToolDefinition[], query: unknown, searching: ToolSearchPorts): Promise<ToolOutcome> {
  if (typeof query !== 'string' || query.trim() === '') {
    return { content: [{ type: 'text', text: 'Nothing was loaded: query must be a text that says what you need.' }], isError: true };
  }
  const named = namedIn(onDemand, query);
  const found = named.length > 0 ? named : await ranked(onDemand, query, searching);
  const content = found.map((name): ToolResultContent => ({ type: 'toolReference', name }));
  const none = 'Nothing was loaded: no tool fits this. Ask by a name from the list, or by other words.';
  return { content: content.length > 0 ? content : [{ type: 'text', text: none }], isError: false };
}

/** Returns the tools that a query names, in the order of `onDemand`. A name may contain spaces. */
function namedIn(onDemand: readonly ToolDefinition[], query: string): readonly string[] {
  const words = new Set(query.split(/[\s,;]+/));
  const text = query.trim();
  return onDemand.flatMap(({ name }) => (words.has(name) || name === text ? [name] : []));
}

async function ranked(onDemand: readonly ToolDefinition[], query: string, { stem, pause }: ToolSearchPorts): Promise<readonly string[]> {
  const index = new LexicalIndex(stem, SOURCE_BACKGROUND);
  for (const [at, { name, description, schema }] of onDemand.entries()) {
    index.put({ key: name, name, description, ...argumentTexts(schema) });
    if (at % AT_ONCE === AT_ONCE - 1) {
      await pause();
    }
  }
  const best = index.rank(query, MOST_FOUND);
  const least = (best[0]?.score ?? 0) * NEAR_BEST;
  return best.flatMap(({ key, score }) => (score >= least ? [key] : []));
}

function argumentTexts(schema: Json): { readonly headings: string; readonly body: string } {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const told = Object.values(properties).flatMap((value) =>
    isObject(value) && typeof value['description'] === 'string' ? [value['description']] : [],
  );
  return { headings: Object.keys(properties).join('\n'), body: told.join('\n') };
}
