import { betweenPoints } from '../../chat/message/textBegin.js';
import type { JsonObject } from '../../json.js';
import type { ToolCallPart } from '../../model/part.js';

/** Maximum characters of the arguments in a pointer. They only have to show which call is meant. */
const MOST_ARGUMENTS = 200;

/** Maximum characters of one argument in a pointer. */
const MOST_ARGUMENT = 100;

/** Names of arguments that name a file. */
const NAMES = ['path', 'file_path', 'file', 'name', 'uri', 'url'];

/** Returns the file or page that a call names, or null. */
export function nameIn(args: JsonObject | null): string | null {
  const name = args === null ? undefined : NAMES.map((each) => args[each]).find((value) => typeof value === 'string');
  return typeof name === 'string' ? name.replace(/^(?:\.\/)+/, '') : null;
}

const SHOWN = new WeakMap<ToolCallPart, string>();

/** Returns the arguments of a call as they appear in a pointer. Cached, because arguments can be long. */
export function shownCall(call: ToolCallPart): string {
  const shown = SHOWN.get(call) ?? shownArguments(call.args ?? {});
  SHOWN.set(call, shown);
  return shown;
}

/** Returns arguments as they appear in a pointer: long texts and long lists are cut. */
export function shownArguments(args: JsonObject): string {
  const json = JSON.stringify(args, (_name, value: unknown) =>
    typeof value === 'string' && value.length > MOST_ARGUMENT ? cut(value, MOST_ARGUMENT) : value,
  );
  return json.length > MOST_ARGUMENTS ? cut(json, MOST_ARGUMENTS) : json;
}

function cut(text: string, most: number): string {
  return `${text.slice(0, betweenPoints(text, most))}…`;
}
