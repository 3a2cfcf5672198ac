import { parseJson } from '../../engine/json.js';
import { itemsOf, member, textMember } from '../json.js';

/** Matches the place of a tool: `tools.6.custom.input_schema`, `tools[6].function`, `function_declarations[6]`. */
const PLACE = /\b(?:tools|function_declarations)(?:\.|\[)(\d{1,4})\b/;

/** Matches the name of a tool in a message: "Invalid schema for function 'x'". */
const NAME = /\b(?:function|tool) ['"`]([^'"`]{1,200})['"`]/i;

/** Returns the tool that a server refuses, by its message and the body of the request. Null if it names no tool. */
export function refusedTool(message: string, body: string): string | null {
  const [place, name] = [PLACE.exec(message)?.[1], NAME.exec(message)?.[1]];
  if (place === undefined && name === undefined) {
    return null;
  }
  const names = itemsOf(member(parseJson(body), 'tools')).map(
    (tool) => textMember(tool, 'name') ?? textMember(member(tool, 'function'), 'name'),
  );
  return names.find((each, at) => each !== null && (each === name || String(at) === place)) ?? null;
}
