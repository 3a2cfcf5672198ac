import { type Json, type JsonObject, isObject } from '../../engine/json.js';
import { invalidUnused, type Note, noteInvalid, shownName, texts } from './foreignMembers.js';
import { readContent, readPart } from './foreignResult.js';

/*
 * Reads prompts and resources of a server one by one, because the SDK refuses a whole list for one invalid member.
 * Keeps only the members that Loupe uses. `note` gets a sentence for each invalid item.
 */

/** Member of `_meta` that describes a part of a prompt that Loupe cannot read. The part itself is an empty text. */
export const LEFT_OUT = 'loupe/leftOut';

export function readPrompts(items: readonly Json[], note: Note): JsonObject[] {
  return items.flatMap((item, at) => {
    const prompt = isObject(item) ? item : {};
    const { name } = prompt;
    if (typeof name !== 'string' || name === '') {
      note(`Loupe does not use prompt ${String(at + 1)} of the server: it has no name.`);
      return [];
    }
    const invalid: string[] = [];
    const read = { name, ...texts(prompt, ['title', 'description'], invalid), arguments: readArguments(prompt, invalid) };
    noteInvalid(`The prompt "${shownName(name)}" of the server`, [...invalid, ...invalidUnused(prompt)], note);
    return [read];
  });
}

function readArguments({ arguments: items }: JsonObject, invalid: string[]): JsonObject[] {
  if (!Array.isArray(items)) {
    invalid.push(...(items === undefined ? [] : ['arguments']));
    return [];
  }
  return items.flatMap((item: Json, at) => {
    const path = `arguments.${String(at)}`;
    const { name, required, ...others } = isObject(item) ? item : {};
    if (typeof name !== 'string' || name === '') {
      invalid.push(path);
      return [];
    }
    const invalidHere: string[] = [];
    const read = { name, ...texts(others, ['description'], invalidHere) };
    invalidHere.push(...(required === undefined || typeof required === 'boolean' ? [] : ['required']));
    invalid.push(...invalidHere.map((member) => `${path}.${member}`));
    return [{ ...read, required: required === true }];
  });
}

export function readResources(items: readonly Json[], note: Note): JsonObject[] {
  return items.flatMap((item, at) => {
    const resource = isObject(item) ? item : {};
    const { uri, name, size } = resource;
    if (typeof uri !== 'string' || uri === '') {
      note(`Loupe does not use resource ${String(at + 1)} of the server: it has no URI.`);
      return [];
    }
    const invalid: string[] = [];
    const read = {
      uri,
      // Some servers give resources no name, and the URI also names the resource.
      name: typeof name === 'string' ? name : uri,
      ...texts(resource, ['title', 'description', 'mimeType'], invalid),
      ...(typeof size === 'number' ? { size } : {}),
    };
    const isValid = {
      name: typeof name === 'string',
      size: size === undefined || typeof size === 'number',
      annotations: hasAnnotations(resource),
    };
    invalid.push(...Object.entries(isValid).flatMap(([member, valid]) => (valid ? [] : [member])), ...invalidUnused(resource));
    noteInvalid(`The resource "${shownName(uri)}" of the server`, invalid, note);
    return [read];
  });
}

function hasAnnotations({ annotations }: JsonObject): boolean {
  return annotations === undefined || isObject(annotations);
}

/** Reads the parts of a resource. A note in the text replaces a part that Loupe cannot read. */
export function readContents(items: readonly Json[], note: Note): JsonObject[] {
  return items.map((item, at) => {
    const part = isObject(item) ? item : {};
    const { uri } = part;
    const content = readContent(part);
    const invalid: string[] = [];
    // Loupe knows the URI that it asked for, so a part needs none.
    const base = { uri: typeof uri === 'string' ? uri : '', ...texts(part, ['mimeType'], invalid) };
    if (content === null) {
      note(`Loupe does not use part ${String(at + 1)} of the resource "${shownName(base.uri)}": it has neither a text nor data.`);
      return { uri: base.uri, text: '(A part of this resource is left out: it is damaged.)' };
    }
    noteInvalid(`Part ${String(at + 1)} of the resource "${shownName(base.uri)}"`, invalid, note);
    return { ...base, ...content };
  });
}

/** Reads the messages of a prompt. Some servers send the parts of a message as a list, or its text without a part. */
export function readMessages(items: readonly Json[], note: Note): JsonObject[] {
  return items.flatMap((item, at) => {
    const { role, content } = isObject(item) ? item : {};
    const parts = Array.isArray(content) ? (content as readonly Json[]) : [content ?? item];
    if (role !== 'user' && role !== 'assistant') {
      note(`Loupe reads message ${String(at + 1)} of a prompt as a message of the user: its "role" is neither "user" nor "assistant".`);
    }
    return parts.map((part) => ({ role: role === 'assistant' ? role : 'user', content: readMessagePart(part, at, note) }));
  });
}

function readMessagePart(part: Json, at: number, note: Note): JsonObject {
  const read = readPart(typeof part === 'string' ? { type: 'text', text: part } : part);
  if ('part' in read) {
    return read.part;
  }
  note(`Loupe does not use a ${read.what} in message ${String(at + 1)} of a prompt: ${read.why}.`);
  return { type: 'text', text: '', _meta: { [LEFT_OUT]: `${read.what} (${read.why})` } };
}
