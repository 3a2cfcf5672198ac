import { grouped } from './playedFailure.js';
import { contentTokens, framingTokens, type RequestItem, type RequestPart } from './requestParts.js';

/** Messages in the outline: more would bury the answer. */
const OUTLINE_MESSAGES = 10;

/** Rows of the outline: tools, system, then the last messages, each with the tokens of its texts and its breakpoints; at the end the overhead of all. */
export function outlineRows(parts: readonly RequestPart[]): string[] {
  const groups = groupParts(parts);
  const fixed = groups.filter(([first]) => first?.message === null);
  const messages = groups.slice(fixed.length);
  const earlier = messages.slice(0, -OUTLINE_MESSAGES);
  return [
    ...fixed.map(outlineRow),
    ...(earlier.length === 0 ? [] : [row(`${grouped(earlier.length)} earlier messages`, earlier.flat())]),
    ...messages.slice(-OUTLINE_MESSAGES).map(outlineRow),
    sizeRow(framingTokens(parts), 'message overhead'),
  ];
}

function groupParts(parts: readonly RequestPart[]): RequestPart[][] {
  const groups = new Map<string, RequestPart[]>();
  for (const part of parts) {
    // Rules stand in the system prompt, but the panel has them apart.
    const key = part.message === null && part.item !== null ? itemName(part.item) : `${part.place} ${String(part.message)}`;
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()];
}

function outlineRow(group: readonly RequestPart[]): string {
  const [first] = group;
  if (first !== undefined && first.message === null && first.item !== null) {
    return row(itemName(first.item), group);
  }
  const number = first === undefined || first.message === null ? '' : ` ${String(first.message + 1)}`;
  return row(`${first?.place ?? ''}${number}`, group);
}

function itemName({ kind, name }: RequestItem): string {
  return `${kind} ${name}`;
}

function row(name: string, group: readonly RequestPart[]): string {
  const marks = group.flatMap((part) => (part.mark === null ? [] : [part.mark]));
  const note = marks.length === 0 ? '' : `  breakpoint ${marks.join(', ')}`;
  return sizeRow(contentTokens(group), `${name}${note}`);
}

function sizeRow(tokens: number, name: string): string {
  return `${grouped(tokens).padStart(9)} ${tokens === 1 ? 'token ' : 'tokens'}  ${name}`;
}
