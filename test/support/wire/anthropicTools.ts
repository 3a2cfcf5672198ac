import { contentOf, kindOf, type Document, type Turn } from './anthropicDocument.js';
import { NAME_PATTERN } from './anthropicBlocks.js';
import { isLoose, isText, repeated, unknownMembers, type Located } from './loose.js';

/*
 * Tool definitions, and pairs of calls and results:
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
 */

const TOOL_MEMBERS = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'cache_control',
  'allowed_callers',
  'defer_loading',
  'eager_input_streaming',
  'input_examples',
  'strict',
]);

/** `tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'` */
const PROPERTY_PATTERN = /^[a-zA-Z0-9_.-]{1,64}$/;
/** `tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level` */
const BARRED_AT_TOP = ['oneOf', 'allOf', 'anyOf'];

const CHOICES: readonly unknown[] = ['auto', 'any', 'tool', 'none'];

export function definitionFaults({ body, tools }: Document): string[] {
  const names = tools.flatMap(({ value: { name } }) => (isText(name) ? [name] : []));
  return [
    ...tools.flatMap(toolFaults),
    // `tools: Tool names must be unique.`
    ...repeated(names).map((name) => `tools: the name ${name} occurs more than once`),
    ...choiceFaults(body['tool_choice'], names),
    ...deferralFaults(tools),
  ];
}

/**
 * `At least one tool must have defer_loading=false. All tools cannot be deferred.`; `Tool 'a' cannot have both
 * defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`
 * (https://github.com/router-for-me/CLIProxyAPI/issues/4561, https://github.com/nearai/ironclaw/pull/7274)
 */
function deferralFaults(tools: readonly Located[]): string[] {
  const deferred = tools.filter(({ value }) => value['defer_loading'] === true);
  return [
    ...(deferred.length > 0 && deferred.length === tools.length ? ['tools: all of them are deferred'] : []),
    ...deferred.filter(({ value }) => 'cache_control' in value).map(({ at }) => `${at}.cache_control: may not stand on a deferred tool`),
    ...tools
      .filter(({ value }) => 'defer_loading' in value && typeof value['defer_loading'] !== 'boolean')
      .map(({ at }) => `${at}.defer_loading: is neither true nor false`),
  ];
}

/**
 * Loaded tools are defined and deferred: "Every tool referenced must have a corresponding tool definition" (the page on
 * tool search).
 */
export function referenceFaults({ turns, tools }: Document): string[] {
  const deferred = new Set(tools.flatMap(({ value }) => (value['defer_loading'] === true ? [value['name']] : [])));
  return turns
    .flatMap((turn) => resultsOf(turn).flatMap(contentOf))
    .filter((item) => kindOf(item) === 'tool_reference' && !deferred.has(item.value['tool_name']))
    .map(({ at }) => `${at}.tool_name: no such tool is defined as deferred`);
}

function toolFaults(tool: Located): string[] {
  const { at, value } = tool;
  const { type, name, description, input_schema: schema } = value;
  return [
    ...unknownMembers(tool, TOOL_MEMBERS),
    ...(type === undefined || type === 'custom' ? [] : [`${at}.type: is not custom`]),
    ...(isText(name) && NAME_PATTERN.test(name) ? [] : [`${at}.name: does not match ${NAME_PATTERN.source}`]),
    ...(description === undefined || isText(description) ? [] : [`${at}.description: is no text`]),
    ...schemaFaults(`${at}.input_schema`, schema),
  ];
}

function schemaFaults(at: string, schema: unknown): string[] {
  if (!isLoose(schema)) {
    return [`${at}: is no object`];
  }
  const properties = schema['properties'];
  return [
    // `tools.0.custom.input_schema.type: Field required`, and it is `object`.
    ...(schema['type'] === 'object' ? [] : [`${at}.type: is not object`]),
    ...BARRED_AT_TOP.filter((name) => name in schema).map((name) => `${at}.${name}: may not stand at the top`),
    ...Object.keys(isLoose(properties) ? properties : {})
      .filter((name) => !PROPERTY_PATTERN.test(name))
      .map((name) => `${at}.properties: the name ${name} does not match ${PROPERTY_PATTERN.source}`),
  ];
}

function choiceFaults(choice: unknown, names: readonly string[]): string[] {
  if (choice === undefined) {
    return [];
  }
  if (!isLoose(choice) || !CHOICES.includes(choice['type'])) {
    return ['tool_choice: is none of auto, any, tool, none'];
  }
  return [
    // `tool_choice may only be specified while providing tools`
    ...(names.length === 0 ? ['tool_choice: there are no tools'] : []),
    ...(choice['type'] === 'tool' && !names.some((name) => name === choice['name']) ? ['tool_choice.name: there is no such tool'] : []),
  ];
}

export function pairingFaults({ turns, tools }: Document): string[] {
  const calls = turns.flatMap(callIds);
  const hasResults = turns.some((turn) => resultsOf(turn).length > 0);
  return [
    // `messages.3.content.1: tool_use ids must be unique`
    ...repeated(calls).map((id) => `messages: the tool_use id ${id} occurs more than once`),
    // `Requests which include tool_use or tool_result blocks must define tools.`
    ...((calls.length > 0 || hasResults) && tools.length === 0 ? ['tools: are missing, but tool blocks occur'] : []),
    ...turns.flatMap((turn, index) => missingFaults(turn, turns[index + 1])),
    ...turns.flatMap((turn, index) => orphanFaults(turn, turns[index - 1])),
    ...turns.flatMap(orderFaults),
  ];
}

function callIds({ blocks }: Turn): string[] {
  return idsOf(blocks, 'tool_use', 'id');
}

function idsOf(blocks: readonly Located[], kind: string, member: string): string[] {
  return blocks.flatMap((block) => {
    const id = block.value[member];
    return kindOf(block) === kind && isText(id) ? [id] : [];
  });
}

function resultsOf({ blocks }: Turn): readonly Located[] {
  return blocks.filter((block) => kindOf(block) === 'tool_result');
}

/** `messages.2: tool_use ids were found without tool_result blocks immediately after: toolu_1.` */
function missingFaults(turn: Turn, next: Turn | undefined): string[] {
  const answered = next === undefined ? [] : idsOf(next.blocks, 'tool_result', 'tool_use_id');
  return callIds(turn)
    .filter((id) => !answered.includes(id))
    .map((id) => `${turn.at}: the tool_use ${id} has no tool_result in the next message`);
}

/**
 * `messages.0.content.0: unexpected tool_use_id found in tool_result blocks`;
 * `messages.4.content.1: each tool_use must have a single result. Found multiple tool_result blocks with id`
 */
function orphanFaults(turn: Turn, previous: Turn | undefined): string[] {
  const called = previous === undefined ? [] : callIds(previous);
  const answered = idsOf(turn.blocks, 'tool_result', 'tool_use_id');
  return [
    ...answered
      .filter((id) => !called.includes(id))
      .map((id) => `${turn.at}: the tool_result ${id} has no tool_use in the previous message`),
    ...repeated(answered).map((id) => `${turn.at}: the tool_use ${id} has more than one tool_result`),
  ];
}

/** "The tool_result blocks must come first in the content array. Any text must come after all tool results." */
function orderFaults({ at, blocks }: Turn): string[] {
  const kinds = blocks.map((block) => kindOf(block) === 'tool_result');
  const firstOther = kinds.indexOf(false);
  return firstOther !== -1 && kinds.lastIndexOf(true) > firstOther ? [`${at}: a tool_result stands after other content`] : [];
}
