import { betweenPoints } from '../chat/message/textBegin.js';
import type { ToolResultContent } from '../model/part.js';
import { LexicalIndex } from '../context/rank/lexical.js';
import type { Stem } from '../context/rank/words.js';
import { isObject, type Json } from '../json.js';
import type { Pause, ToolOutcome } from '../ports.js';
import type { ToolDefinition } from '../model/block.js';

/*
 * Tools on demand. A request defines them, but the provider keeps their definitions out of the prompt (`isDeferred`): what is in front
 * of the model is one tool that lists their names. Its result refers to those it found, and the provider puts their definitions in that
 * place, behind everything that was sent before. So loading one changes nothing that is in the cache.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool (custom tool search implementation),
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching (defer_loading)
 */

/** The name of the tool that loads others. None of a server can have it: their names begin with that of the server and `__`. */
export const FIND_TOOLS = 'find_tools';

/** Most tools that words load. More seldom help, and each stays in the prompt: providers' own searches give three to five. */
const MOST_FOUND = 5;

/** What fits half as well as the best is seldom meant. */
const NEAR_BEST = 0.5;

/** Tools whose words are read between two pauses: some milliseconds. */
const AT_ONCE = 5;

/** Characters of a tool's line: enough for what it does. */
const LINE_CHARACTERS = 120;

const PURPOSE =
  'Loads tools, so that you can call them from your next step on. The tools below are not loaded: load one before you call it. ' +
  'Ask by names from this list, or by words for what you need.';

/** The tool that loads those that are given, with a line about each. */
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

/** What a search compares words with, and how it lets others have their turn. */
interface Searching {
  readonly stem: Stem;
  readonly pause: Pause;
}

/** The result of a search among tools on demand. `query` is what the model gave, of whatever type. */
export async function findTools(onDemand: readonly ToolDefinition[], query: unknown, searching: Searching): Promise<ToolOutcome> {
  if (typeof query !== 'string' || query.trim() === '') {
    return { content: [{ type: 'text', text: 'Nothing was loaded: query must be a text that says what you need.' }], isError: true };
  }
  const named = namedIn(onDemand, query);
  const found = named.length > 0 ? named : await ranked(onDemand, query, searching);
  const content = found.map((name): ToolResultContent => ({ type: 'toolReference', name }));
  const none = 'Nothing was loaded: no tool fits this. Ask by a name from the list, or by other words.';
  return { content: content.length > 0 ? content : [{ type: 'text', text: none }], isError: false };
}

/** The tools that a query names, in their order. A name may have blanks in it. */
function namedIn(onDemand: readonly ToolDefinition[], query: string): readonly string[] {
  const words = new Set(query.split(/[\s,;]+/));
  const text = query.trim();
  return onDemand.flatMap(({ name }) => (words.has(name) || name === text ? [name] : []));
}

async function ranked(onDemand: readonly ToolDefinition[], query: string, { stem, pause }: Searching): Promise<readonly string[]> {
  const index = new LexicalIndex(stem);
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

/** The names of a tool's arguments, and what is said of them. */
function argumentTexts(schema: Json): { readonly headings: string; readonly body: string } {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const told = Object.values(properties).flatMap((value) =>
    isObject(value) && typeof value['description'] === 'string' ? [value['description']] : [],
  );
  return { headings: Object.keys(properties).join('\n'), body: told.join('\n') };
}
