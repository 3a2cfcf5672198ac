import { isLoose, isText, objectsOf, unknownMembers, type Located, type Loose } from './loose.js';

/** A message with its content as blocks. Plain text becomes one text block. */
export interface Turn {
  readonly at: string;
  readonly role: string;
  readonly blocks: readonly Located[];
}

/** The parts of a request in the API's order: tools, system, messages. */
export interface Document {
  readonly body: Loose;
  readonly tools: readonly Located[];
  readonly system: readonly Located[];
  readonly turns: readonly Turn[];
}

const TURN_MEMBERS = new Set(['role', 'content']);

/** Splits a body into its parts. Adds wrong shapes to `faults` and skips them. */
export function readDocument(body: Loose, faults: string[]): Document {
  return {
    body,
    tools: readList('tools', body['tools'] ?? [], faults),
    system: readContent('system', body['system'] ?? [], faults),
    turns: readList('messages', body['messages'], faults).map((message) => readTurn(message, faults)),
  };
}

function readList(at: string, value: unknown, faults: string[]): Located[] {
  if (!Array.isArray(value)) {
    faults.push(`${at}: is no array`);
    return [];
  }
  return objectsOf(at, value, faults);
}

function readTurn(message: Located, faults: string[]): Turn {
  const { at, value } = message;
  faults.push(...unknownMembers(message, TURN_MEMBERS));
  const role = isText(value['role']) ? value['role'] : '';
  return { at, role, blocks: readContent(`${at}.content`, value['content'], faults) };
}

function readContent(at: string, content: unknown, faults: string[]): Located[] {
  if (isText(content)) {
    return content === '' ? [] : [{ at, value: { type: 'text', text: content } }];
  }
  if (!Array.isArray(content)) {
    faults.push(`${at}: is neither text nor an array`);
    return [];
  }
  return objectsOf(at, content, faults);
}

/** The blocks of a tool result, none for text. The check of the result covers their shape. */
export function contentOf(result: Located): Located[] {
  const content = result.value['content'];
  return Array.isArray(content)
    ? content.flatMap((value: unknown, index) => (isLoose(value) ? [{ at: `${result.at}.content.${index}`, value }] : []))
    : [];
}

export function kindOf({ value }: Located): string {
  return isText(value['type']) ? value['type'] : '';
}

export function isThinking(block: Located): boolean {
  return ['thinking', 'redacted_thinking'].includes(kindOf(block));
}
