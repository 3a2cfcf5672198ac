import { markFaults } from './cacheMarks.js';
import { isCount, isLoose, isText, objectsOf, repeated, surrogateFaults, unknownMembers, type Located, type Loose } from './loose.js';
import { functionOf, readMessages, type ChatMessage } from './openAiDocument.js';
import { messageFaults, NAME_PATTERN } from './openAiMessages.js';

/** `Invalid 'tools': array too long. Expected an array with maximum length 128` */
const MOST_TOOLS = 128;

const TOOL_MEMBERS = new Set(['type', 'function']);
const FUNCTION_MEMBERS = new Set(['name', 'description', 'parameters', 'strict']);

/**
 * Returns everything that `POST /v1/chat/completions` would refuse in a body, in plain words with its place. Servers
 * with this protocol differ: each rule of a common server counts. Unknown members of the body are allowed, since each
 * server has its own.
 */
export function openAiFaults(body: unknown): string[] {
  if (!isLoose(body)) {
    return ['body: is no object'];
  }
  const faults = requestFaults(body);
  const messages = readMessages(body['messages'], faults);
  return [...faults, ...surrogateFaults('body', body), ...toolFaults(body), ...messageFaults(messages), ...cacheFaults(messages, body)];
}

function requestFaults(body: Loose): string[] {
  const { model, max_tokens: most, max_completion_tokens: mostCompletion, stream, stream_options: options } = body;
  const isLimit = (value: unknown): boolean => value === undefined || isCount(value, 1);
  return [
    ...(isText(model) && model !== '' ? [] : ['model: is missing']),
    ...(isLimit(most) ? [] : ['max_tokens: is no whole number of at least 1']),
    ...(isLimit(mostCompletion) ? [] : ['max_completion_tokens: is no whole number of at least 1']),
    // `Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.`
    ...(most !== undefined && mostCompletion !== undefined ? ['max_tokens: stands beside max_completion_tokens'] : []),
    ...(stream === undefined || typeof stream === 'boolean' ? [] : ['stream: is neither true nor false']),
    // `stream_options is only allowed when stream is true`
    ...(options !== undefined && stream !== true ? ['stream_options: stands without stream'] : []),
  ];
}

function toolFaults({ tools, tool_choice: choice, parallel_tool_calls: parallel }: Loose): string[] {
  if (tools === undefined) {
    // `'tool_choice' is only allowed when 'tools' are specified.`
    return [
      ...(choice === undefined ? [] : ['tool_choice: there are no tools']),
      ...(parallel === undefined ? [] : ['parallel_tool_calls: there are no tools']),
    ];
  }
  // `[] is too short - 'tools'`
  if (!Array.isArray(tools) || tools.length === 0) {
    return ['tools: is no array, or an empty one'];
  }
  const faults: string[] = tools.length > MOST_TOOLS ? [`tools: are more than ${MOST_TOOLS}`] : [];
  const located = objectsOf('tools', tools, faults);
  const names = located.map((tool) => functionOf(tool)['name']).filter(isText);
  return [
    ...faults,
    ...located.flatMap(definitionFaults),
    // Similar servers: `Duplicate function declaration found: read`
    ...repeated(names).map((name) => `tools: the name ${name} occurs more than once`),
  ];
}

function definitionFaults(tool: Located): string[] {
  const called: Located = { at: `${tool.at}.function`, value: functionOf(tool) };
  const { name, description, parameters } = called.value;
  return [
    ...unknownMembers(tool, TOOL_MEMBERS),
    ...(tool.value['type'] === 'function' ? [] : [`${tool.at}.type: is not function`]),
    ...unknownMembers(called, FUNCTION_MEMBERS),
    ...(isText(name) && NAME_PATTERN.test(name) ? [] : [`${called.at}.name: does not match ${NAME_PATTERN.source}`]),
    ...(description === undefined || isText(description) ? [] : [`${called.at}.description: is no text`]),
    ...parameterFaults(`${called.at}.parameters`, parameters),
  ];
}

/** `Invalid schema for function 'read': schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.` */
function parameterFaults(at: string, parameters: unknown): string[] {
  return parameters === undefined || (isLoose(parameters) && parameters['type'] === 'object')
    ? []
    : [`${at}: is no schema of the type object`];
}

/** Endpoints with cache marks take them on content parts, and forward them to a provider with the same rules. */
function cacheFaults(messages: readonly ChatMessage[], body: Loose): string[] {
  return [
    ...markFaults(messages.flatMap(({ parts }) => parts)),
    ...(body['cache_control'] === undefined ? [] : ['body.cache_control: may only stand on a content part']),
  ];
}
