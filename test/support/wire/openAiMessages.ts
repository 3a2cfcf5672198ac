import { callId, functionOf, type ChatMessage } from './openAiDocument.js';
import { isBase64, isBlank, isLoose, isText, repeated, unknownMembers, type Located } from './loose.js';

/*
 * The messages of a chat completion: https://platform.openai.com/docs/api-reference/chat/create, the param types of the
 * official SDK (7.55.0, completions.d.ts), and error messages of the API and similar servers.
 */

/** "Must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64." */
export const NAME_PATTERN = /^[a-zA-Z0-9_-]{1,64}$/;

/** `Invalid 'messages[10].tool_calls[0].id': string too long. Expected a string with maximum length 40` */
const LONGEST_ID = 40;

/** Members by role. Other servers take reasoning back in three members. The API itself refuses these. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['role', 'content', 'name']),
  developer: new Set(['role', 'content', 'name']),
  user: new Set(['role', 'content', 'name']),
  assistant: new Set(['role', 'content', 'name', 'tool_calls', 'reasoning_content', 'reasoning', 'reasoning_details']),
  tool: new Set(['role', 'content', 'tool_call_id']),
};

/** Kinds of content parts by role: `Invalid content type. image_url is only supported by certain models` and roles. */
const PART_KINDS: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
};

const CALL_MEMBERS = new Set(['id', 'type', 'function']);
const CALLED_MEMBERS = new Set(['name', 'arguments']);

const PART_MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(['type', 'text', 'cache_control']),
  image_url: new Set(['type', 'image_url', 'cache_control']),
  refusal: new Set(['type', 'refusal']),
};

export function messageFaults(messages: readonly ChatMessage[]): string[] {
  return [
    ...(messages.length === 0 ? ['messages: there are none'] : []),
    ...messages.flatMap(roleFaults),
    ...systemPlaceFaults(messages),
    ...messages.flatMap(contentFaults),
    ...messages.flatMap(partFaults),
    ...messages.flatMap(callFaults),
    ...pairingFaults(messages),
  ];
}

function roleFaults(message: ChatMessage): string[] {
  const members = MEMBERS[message.role];
  return members === undefined ? [`${message.at}.role: there is no such role`] : unknownMembers(message, members);
}

/** The API takes them anywhere. Chat templates of local servers: `System message must be at the beginning.` */
function systemPlaceFaults(messages: readonly ChatMessage[]): string[] {
  const isSystem = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';
  const firstOther = messages.findIndex((message) => !isSystem(message));
  return messages
    .filter((message, index) => firstOther !== -1 && index > firstOther && isSystem(message))
    .map(({ at }) => `${at}: a system message stands after other messages`);
}

/** Content is required except with tool calls: "Required unless `tool_calls` is specified." */
function contentFaults({ at, role, value, parts, calls }: ChatMessage): string[] {
  const content = value['content'];
  const isMissing = content === undefined || content === null;
  if (role === 'assistant') {
    const saysNothing = parts.length === 0 || (isText(content) && content === '');
    return saysNothing && calls.length === 0 ? [`${at}: has neither content nor tool_calls`] : [];
  }
  if (isMissing) {
    return [`${at}.content: is missing`];
  }
  return parts.length === 0 ? [`${at}.content: is empty`] : [];
}

function partFaults({ role, parts, value }: ChatMessage): string[] {
  // A result can be empty, and a call can have no text.
  const mayBeEmpty = role === 'tool' || (role === 'assistant' && isText(value['content']));
  return parts.flatMap((part) => {
    const kind = isText(part.value['type']) ? part.value['type'] : '';
    if (PART_KINDS[role]?.includes(kind) === false) {
      return [`${part.at}: ${kind} may not stand in a message of the role ${role}`];
    }
    const members = PART_MEMBERS[kind];
    return [
      ...(members === undefined ? [] : unknownMembers(part, members)),
      ...(kind === 'text' ? textFaults(part, mayBeEmpty) : []),
      ...(kind === 'image_url' ? imageFaults(part) : []),
    ];
  });
}

function textFaults({ at, value: { text } }: Located, mayBeEmpty: boolean): string[] {
  if (!isText(text)) {
    return [`${at}: is no text`];
  }
  return isBlank(text) && !(mayBeEmpty && text === '') ? [`${at}: is empty or white space`] : [];
}

/** `Invalid MIME type. Only image types are supported.`; `You uploaded an unsupported image. png, jpeg, gif, webp` */
function imageFaults({ at, value: { image_url: image } }: Located): string[] {
  const url = isLoose(image) ? image['url'] : undefined;
  if (!isText(url)) {
    return [`${at}.image_url.url: is missing`];
  }
  const data = /^data:image\/(?:png|jpeg|gif|webp);base64,(.*)$/s.exec(url)?.[1];
  const isGood = url.startsWith('https://') || (data !== undefined && isBase64(data));
  return isGood ? [] : [`${at}.image_url.url: is neither an https address nor a data URL of an image`];
}

function callFaults({ at, role, value, calls }: ChatMessage): string[] {
  // `Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1`
  const isEmpty = Array.isArray(value['tool_calls']) && value['tool_calls'].length === 0;
  return [
    ...(isEmpty && role === 'assistant' ? [`${at}.tool_calls: is an empty array`] : []),
    ...calls.flatMap((call) => {
      const id = callId(call);
      const { name, arguments: args } = functionOf(call);
      return [
        ...unknownMembers(call, CALL_MEMBERS),
        ...unknownMembers({ at: `${call.at}.function`, value: functionOf(call) }, CALLED_MEMBERS),
        ...(call.value['type'] === 'function' ? [] : [`${call.at}.type: is not function`]),
        ...(id !== '' && id.length <= LONGEST_ID ? [] : [`${call.at}.id: is empty or longer than ${LONGEST_ID}`]),
        ...(isText(name) && NAME_PATTERN.test(name) ? [] : [`${call.at}.function.name: does not match ${NAME_PATTERN.source}`]),
        ...(isObjectText(args) ? [] : [`${call.at}.function.arguments: is no text of a JSON object`]),
      ];
    }),
  ];
}

function isObjectText(args: unknown): boolean {
  if (!isText(args)) {
    return false;
  }
  try {
    return isLoose(JSON.parse(args));
  } catch {
    // Invalid JSON is no object.
    return false;
  }
}

/**
 * `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'`;
 * `messages with role 'tool' must be a response to a preceding message with 'tool_calls'`
 */
function pairingFaults(messages: readonly ChatMessage[]): string[] {
  const ids = messages.flatMap(({ calls }) => calls.map(callId)).filter((id) => id !== '');
  return [
    ...repeated(ids).map((id) => `messages: the tool call id ${id} occurs more than once`),
    ...messages.flatMap((message, index) => answerFaults(message, messages.slice(index + 1))),
    ...orphanFaults(messages),
  ];
}

function answerFaults({ at, calls }: ChatMessage, after: readonly ChatMessage[]): string[] {
  if (calls.length === 0) {
    return [];
  }
  const end = after.findIndex(({ role }) => role !== 'tool');
  const answered = (end === -1 ? after : after.slice(0, end)).map(answeredId);
  return calls
    .map(callId)
    .filter((id) => id !== '' && !answered.includes(id))
    .map((id) => `${at}: the tool call ${id} has no tool message directly after it`);
}

function orphanFaults(messages: readonly ChatMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  let answered: string[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') {
      open = message.calls.map(callId);
      answered = [];
      continue;
    }
    const id = answeredId(message);
    if (answered.includes(id)) {
      faults.push(`${message.at}: the tool call ${id} has more than one tool message`);
    } else if (!open.includes(id)) {
      faults.push(`${message.at}: the tool message ${id} answers no call directly before it`);
    }
    answered.push(id);
  }
  return faults;
}

function answeredId({ value: { tool_call_id: id } }: ChatMessage): string {
  return isText(id) ? id : '';
}
