import { grouped } from './failures.js';
import { totalTokens, type RequestPart } from './requestParts.js';

/** Messages that the outline shows one by one: more would bury the answer. */
const OUTLINE_MESSAGES = 10;

/** Rows of the outline: tools, system, then the last messages; tokens of each and where breakpoints stand. */
export function outlineRows(parts: readonly RequestPart[]): string[] {
  const groups = groupParts(parts);
  const hidden = Math.max(0, groups.filter((group) => group[0]?.message !== null).length - OUTLINE_MESSAGES);
  const isHidden = (group: readonly RequestPart[]): boolean => (group[0]?.message ?? Infinity) < hidden;
  const fixed = groups.filter((group) => group[0]?.message === null);
  const shown = groups.filter((group) => group[0]?.message !== null && !isHidden(group));
  const earlier = groups.filter(isHidden).flat();
  return [
    ...fixed.map(outlineRow),
    ...(earlier.length === 0 ? [] : [row(totalTokens(earlier), `${grouped(hidden)} earlier messages`, earlier)]),
    ...shown.map(outlineRow),
  ];
}

function groupParts(parts: readonly RequestPart[]): RequestPart[][] {
  const groups = new Map<string, RequestPart[]>();
  for (const part of parts) {
    const key = `${part.place} ${String(part.message)}`;
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()];
}

function outlineRow(group: readonly RequestPart[]): string {
  const [first] = group;
  const number = first === undefined || first.message === null ? '' : ` ${String(first.message + 1)}`;
  return row(totalTokens(group), `${first?.place ?? ''}${number}`, group);
}

function row(tokens: number, name: string, group: readonly RequestPart[]): string {
  const marks = group.flatMap((part) => (part.mark === null ? [] : [part.mark]));
  const note = marks.length === 0 ? '' : `  breakpoint ${marks.join(', ')}`;
  return `${grouped(tokens).padStart(9)} tokens  ${name}${note}`;
}
