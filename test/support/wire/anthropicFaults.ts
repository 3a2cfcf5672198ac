import { blockFaults, textFaults } from './anthropicBlocks.js';
import { contentOf, isThinking, kindOf, readDocument, type Document, type Turn } from './anthropicDocument.js';
import { thinkingFaults, type IsOwnSignature } from './anthropicThinking.js';
import { definitionFaults, pairingFaults, referenceFaults } from './anthropicTools.js';
import { markFaults } from './cacheMarks.js';
import { isBlank, isCount, isLoose, isText, surrogateFaults, unknownMembers, type Located, type Loose } from './loose.js';

export interface AnthropicOptions {
  readonly isOwnSignature: IsOwnSignature;
}

/**
 * Members of a request: `MessageCreateParams` of the official SDK (1.11.0), and the sampling parameters of earlier
 * versions, which older models still take. Other members give `foo: Extra inputs are not permitted`.
 */
const MEMBERS = new Set([
  'cache_control',
  'container',
  'diagnostics',
  'inference_geo',
  'max_tokens',
  'messages',
  'metadata',
  'model',
  'output_config',
  'service_tier',
  'speed',
  'stop_sequences',
  'stream',
  'system',
  'temperature',
  'thinking',
  'tool_choice',
  'tools',
  'top_k',
  'top_p',
]);

/**
 * Returns everything that `POST /v1/messages` would refuse in a body, in plain words with its place. Two rules are
 * stricter than the API: roles alternate (the API joins messages of one role, which shifts its message numbers), and
 * the answer streams.
 */
export function anthropicFaults(body: unknown, options: AnthropicOptions): string[] {
  if (!isLoose(body)) {
    return ['body: is no object'];
  }
  const faults = requestFaults(body);
  const document = readDocument(body, faults);
  return [
    ...faults,
    ...surrogateFaults('body', body),
    ...definitionFaults(document),
    ...document.system.flatMap(systemFaults),
    ...turnFaults(document.turns),
    ...document.turns.flatMap(blockFaults),
    ...pairingFaults(document),
    ...referenceFaults(document),
    ...thinkingFaults(document, options.isOwnSignature),
    ...cacheFaults(document),
  ];
}

function requestFaults(body: Loose): string[] {
  const { model, max_tokens: most, stream } = body;
  return [
    ...unknownMembers({ at: 'body', value: body }, MEMBERS),
    ...(isText(model) && model !== '' ? [] : ['model: is missing']),
    ...(isCount(most, 1) ? [] : ['max_tokens: is no whole number of at least 1']),
    ...(stream === true ? [] : ['stream: is not true']),
  ];
}

const SYSTEM_MEMBERS = new Set(['type', 'text', 'cache_control', 'citations']);

function systemFaults(block: Located): string[] {
  return kindOf(block) === 'text'
    ? [...textFaults(block), ...unknownMembers(block, SYSTEM_MEMBERS)]
    : [`${block.at}: only text may stand in the system prompt`];
}

function turnFaults(turns: readonly Turn[]): string[] {
  return [
    // `messages: at least one message is required`
    ...(turns.length === 0 ? ['messages: there are none'] : []),
    // `messages: first message must use the "user" role`
    ...(turns.length > 0 && turns[0]?.role !== 'user' ? ['messages.0: the first message is not the user’s'] : []),
    ...turns.filter(({ role }) => role !== 'user' && role !== 'assistant').map(({ at }) => `${at}.role: is neither user nor assistant`),
    ...turns.filter(({ role }, index) => role === turns[index - 1]?.role).map(({ at }) => `${at}: has the role of the message before it`),
    // `messages.2: all messages must have non-empty content except for the optional final assistant message`
    ...turns
      .filter(({ role, blocks }, index) => blocks.length === 0 && !(role === 'assistant' && index === turns.length - 1))
      .map(({ at }) => `${at}.content: is empty`),
    ...endFaults(turns.at(-1)),
  ];
}

/** `messages: final assistant content cannot end with trailing whitespace` */
function endFaults(last: Turn | undefined): string[] {
  const end = last?.blocks.at(-1);
  const text = end?.value['text'];
  return last?.role === 'assistant' && end !== undefined && isText(text) && !isBlank(text) && text !== text.trimEnd()
    ? [`${end.at}.text: the final assistant message ends with white space`]
    : [];
}

function cacheFaults({ body, tools, system, turns }: Document): string[] {
  const blocks = turns.flatMap((turn) => turn.blocks.flatMap((block) => [...contentOf(block), block]));
  // A mark of the whole request applies to its last cacheable block.
  const request: Located = { at: 'body', value: body };
  return [
    ...markFaults([...tools, ...system, ...blocks, request]),
    // `messages.1.content.0.thinking.cache_control: Extra inputs are not permitted`
    ...blocks
      .filter((block) => isThinking(block) && block.value['cache_control'] !== undefined)
      .map(({ at }) => `${at}.cache_control: may not stand on thinking`),
    // `messages.29.content.0.text: cache_control cannot be set for empty text blocks`
    ...[...system, ...blocks]
      .filter(({ value: { cache_control: mark, text } }) => mark !== undefined && isText(text) && isBlank(text))
      .map(({ at }) => `${at}.cache_control: may not stand on empty text`),
  ];
}
