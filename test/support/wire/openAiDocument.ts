import { isLoose, isText, objectsOf, type Located } from './loose.js';

export interface ChatMessage extends Located {
  readonly role: string;
  /** The content as parts. Plain text is one text part. */
  readonly parts: readonly Located[];
  readonly calls: readonly Located[];
}

/** Reads the messages. Adds wrong shapes to `faults` and skips them. */
export function readMessages(messages: unknown, faults: string[]): ChatMessage[] {
  if (!Array.isArray(messages)) {
    faults.push('messages: is no array');
    return [];
  }
  return objectsOf('messages', messages, faults).map(({ at, value }) => ({
    at,
    value,
    role: isText(value['role']) ? value['role'] : '',
    parts: readParts(`${at}.content`, value['content'], faults),
    calls: readCalls(`${at}.tool_calls`, value['tool_calls'], faults),
  }));
}

function readParts(at: string, content: unknown, faults: string[]): Located[] {
  if (content === undefined || content === null) {
    return [];
  }
  if (isText(content)) {
    return [{ at, value: { type: 'text', text: content } }];
  }
  if (!Array.isArray(content)) {
    faults.push(`${at}: is neither text nor an array`);
    return [];
  }
  return objectsOf(at, content, faults);
}

function readCalls(at: string, calls: unknown, faults: string[]): Located[] {
  if (calls === undefined) {
    return [];
  }
  if (!Array.isArray(calls)) {
    faults.push(`${at}: is no array`);
    return [];
  }
  return objectsOf(at, calls, faults);
}

export function callId({ value: { id } }: Located): string {
  return isText(id) ? id : '';
}

export function functionOf({ value: { function: called } }: Located): Located['value'] {
  return isLoose(called) ? called : {};
}
