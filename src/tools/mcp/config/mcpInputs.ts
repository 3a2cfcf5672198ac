import { isObject, type JsonObject } from '../../../engine/json.js';

/** A value for a server's configuration. Loupe asks the user once, and stores the answer. */
export interface McpInput {
  readonly id: string;
  /** The question for the user. Without a description in the configuration, the id of the input. */
  readonly description: string;
  /** The possible values. Null when the user can enter any text. */
  readonly options: readonly { readonly label: string; readonly value: string }[] | null;
  /** The initial text of the input box. Null for an empty box. */
  readonly initial: string | null;
  readonly isPassword: boolean;
}

export function readInputs(value: unknown, place: string, mistakes: string[]): ReadonlyMap<string, McpInput> {
  const inputs = new Map<string, McpInput>();
  if (value !== undefined && !Array.isArray(value)) {
    mistakes.push(`${place}: "inputs" must be a list.`);
    return inputs;
  }
  for (const [index, entry] of ((value ?? []) as readonly unknown[]).entries()) {
    const id = isObject(entry) ? entry['id'] : undefined;
    if (!isObject(entry) || typeof id !== 'string' || id === '') {
      mistakes.push(`${place}: inputs[${index}] needs an "id".`);
      continue;
    }
    const about = `${place}, input "${id}"`;
    const read = inputs.has(id) ? `${about}: Another input has the same "id". Loupe uses only the first one.` : readInput(id, entry, about);
    if (typeof read === 'string') {
      mistakes.push(read);
    } else {
      inputs.set(id, read);
    }
  }
  return inputs;
}

/** Returns an input. For an error in the configuration, returns a sentence for the user. */
function readInput(id: string, entry: JsonObject, about: string): McpInput | string {
  const { type, description, default: initial, password, options } = entry;
  const wrong = wrongMember(entry);
  if (wrong !== null) {
    return `${about}: ${wrong}`;
  }
  const common = {
    id,
    description: typeof description === 'string' && description !== '' ? description : id,
    initial: typeof initial === 'string' ? initial : null,
  };
  if (type === 'promptString') {
    return { ...common, options: null, isPassword: password === true };
  }
  const picked = ((options ?? []) as readonly unknown[]).map(readOption);
  const usable = picked.filter((option) => option !== null);
  return usable.length === 0 || usable.length < picked.length
    ? `${about}: "options" must be a list of strings, with at least one.`
    : { ...common, options: usable, isPassword: false };
}

function wrongMember({ type, description, default: initial, password, options }: JsonObject): string | null {
  if (type === 'command') {
    return 'Loupe does not support the type "command", which runs a command of VS Code. Use "promptString" or "pickString".';
  }
  if (type !== 'promptString' && type !== 'pickString') {
    return '"type" must be "promptString" or "pickString".';
  }
  if ([description, initial].some((text) => text !== undefined && typeof text !== 'string')) {
    return '"description" and "default" must be strings.';
  }
  if (password !== undefined && typeof password !== 'boolean') {
    return '"password" must be true or false.';
  }
  return options === undefined || Array.isArray(options) ? null : '"options" must be a list of strings, with at least one.';
}

function readOption(option: unknown): { readonly label: string; readonly value: string } | null {
  if (typeof option === 'string') {
    return { label: option, value: option };
  }
  const { label, value } = isObject(option) ? option : {};
  return typeof label === 'string' && typeof value === 'string' ? { label, value } : null;
}
