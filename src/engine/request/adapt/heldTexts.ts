import { fencedText } from '../../context/fence.js';
import type { WirePart } from '../../model/block.js';
import type { ToolResultContent, ToolResultPart } from '../../model/part.js';
import type { TextDifferences } from '../../ports.js';
import { SENT_RESULT_BYTES } from '../resultText.js';

/** Texts that requests contain, and how a later text differs from an earlier one. */

/** Lines of a file. Loupe's tool for files writes the number of each line, which would make every later line differ. */
export interface HeldLines {
  /** The lines without their numbers and without the last line feed. */
  readonly raw: string;
  /** Number of the first line. */
  readonly first: number;
  readonly isNumbered: boolean;
  /** The note after numbered lines, such as where to read on. Empty without a note. */
  readonly rest: string;
}

/** The content of a tool result. Equal keys mean equal contents of the same tool. */
export interface HeldResult {
  readonly key: string;
  /** Characters of the texts. Infinity for a result with an image, which is always long enough for a pointer. */
  readonly characters: number;
  /** Null for a result with other content than one text, or with a text that is sent in part. */
  readonly lines: HeldLines | null;
}

const RESULTS = new WeakMap<ToolResultPart, HeldResult>();

/** Returns the content of a result. Cached, because each request reads all results of a conversation. */
export function heldResult(result: ToolResultPart, sent: Extract<WirePart, { readonly type: 'toolResult' }>): HeldResult {
  const known = RESULTS.get(result) ?? readResult(result, sent);
  RESULTS.set(result, known);
  return known;
}

function readResult(result: ToolResultPart, sent: Extract<WirePart, { readonly type: 'toolResult' }>): HeldResult {
  const { content } = result;
  const isCut = content.some((item) => item.type === 'blob' && item.bytes > SENT_RESULT_BYTES);
  const [only] = sent.content;
  return {
    key: contentKey(result),
    characters: sent.content.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : Infinity), 0),
    lines: isCut || sent.content.length !== 1 || only?.type !== 'text' ? null : linesIn(result, only.text),
  };
}

const KEYS = new WeakMap<ToolResultPart, string>();

/** Returns a text that is equal for equal contents of the same tool. Cached, because contents can be long. */
export function contentKey(result: ToolResultPart): string {
  const { name, isError, content } = result;
  const key = KEYS.get(result) ?? [name, String(isError), ...content.map(identity)].join('\0');
  KEYS.set(result, key);
  return key;
}

function identity(item: ToolResultContent): string {
  switch (item.type) {
    case 'text':
      return `text:${item.text}`;
    case 'toolReference':
      return `tool:${item.name}`;
    case 'blob':
    case 'image':
      return `${item.type}:${item.blob}`;
  }
}

const LINES = new WeakMap<object, { readonly text: string; readonly lines: HeldLines }>();

/** Returns the lines of a text of `owner`. Cached, so that each request gets the same object. */
export function ownLines(owner: object, text: string): HeldLines {
  const known = LINES.get(owner);
  const lines = known?.text === text ? known.lines : plainLines(text);
  LINES.set(owner, { text, lines });
  return lines;
}

/** The tool whose results have line numbers. In the results of other tools, such numbers can be part of the file. */
const NUMBERING_TOOL = 'read_file';

const NUMBERED = /^(\d+)\t/;

function plainLines(text: string): HeldLines {
  return { raw: text.endsWith('\n') ? text.slice(0, -1) : text, first: 1, isNumbered: false, rest: '' };
}

/** Returns the lines of a result. Removes line numbers if each line has the next number, except a note at the end. */
function linesIn({ name }: ToolResultPart, text: string): HeldLines {
  const first = name === NUMBERING_TOOL ? Number(NUMBERED.exec(text)?.[1] ?? 0) : 0;
  if (first === 0) {
    return plainLines(text);
  }
  const raw: string[] = [];
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const number = `${String(first + at)}\t`;
    if (line.startsWith(number)) {
      raw.push(line.slice(number.length));
    } else if (at === lines.length - 1) {
      return { raw: raw.join('\n'), first, isNumbered: true, rest: line };
    } else {
      return plainLines(text);
    }
  }
  return { raw: raw.join('\n'), first, isNumbered: true, rest: '' };
}

/** How lines compare with earlier lines. `from` and `to` are null if the lines are all of the earlier lines. */
export type LineComparison =
  | { readonly kind: 'same'; readonly from: number | null; readonly to: number | null }
  /** `change`: the unified diff in a fence. */
  | { readonly kind: 'changed'; readonly change: string };

/** The comparisons of lines with earlier texts. Cached, because each request makes them again. */
const COMPARISONS = new WeakMap<HeldLines, WeakMap<HeldLines, LineComparison | null>>();

/** Compares lines with earlier lines of the same file. Null if a difference would be long. */
export function comparedLines(now: HeldLines, before: HeldLines, differences: TextDifferences): LineComparison | null {
  const known = COMPARISONS.get(now) ?? new WeakMap<HeldLines, LineComparison | null>();
  COMPARISONS.set(now, known);
  const found = known.get(before);
  if (found !== undefined) {
    return found;
  }
  const compared = sameLines(now, before) ?? changedLines(now, before, differences);
  known.set(before, compared);
  return compared;
}

function sameLines(now: HeldLines, before: HeldLines): LineComparison | null {
  if (now.raw === before.raw && now.first === before.first && now.rest === before.rest) {
    return { kind: 'same', from: null, to: null };
  }
  const skipped = now.first - before.first;
  const lines = before.raw.split('\n');
  const to = skipped + now.raw.split('\n').length;
  const isPart = now.isNumbered && skipped >= 0 && to <= lines.length && lines.slice(skipped, to).join('\n') === now.raw;
  return isPart ? { kind: 'same', from: now.first, to: before.first + to - 1 } : null;
}

/** A difference must be shorter than this share of the text. Models read a short difference more reliably. */
export const LONGEST_DIFFERENCE = 0.5;

/** Maximum number of changed lines. The search for more takes longer than the pause that a user notices. */
const MOST_CHANGED_LINES = 200;

function changedLines(now: HeldLines, before: HeldLines, differences: TextDifferences): LineComparison | null {
  const most = now.raw.length * LONGEST_DIFFERENCE;
  if (now.first !== before.first || now.rest !== before.rest || leastChanged(now.raw, before.raw) > most) {
    return null;
  }
  const difference = differences.between(`${before.raw}\n`, `${now.raw}\n`, MOST_CHANGED_LINES);
  return difference === null || difference.length > most
    ? null
    : { kind: 'changed', change: fencedText('diff', withFirst(difference, now.first)) };
}

/** Returns characters that a difference has at least: those of lines that only one text has. Fast for any texts. */
function leastChanged(a: string, b: string): number {
  const [linesOfA, linesOfB] = [a.split('\n'), b.split('\n')];
  const [inA, inB] = [new Set(linesOfA), new Set(linesOfB)];
  const only = (lines: readonly string[], other: ReadonlySet<string>): number =>
    lines.reduce((sum, line) => sum + (other.has(line) ? 0 : line.length), 0);
  return only(linesOfA, inB) + only(linesOfB, inA);
}

/** Adds to the line numbers of a unified diff, for lines that begin in the middle of a file. */
function withFirst(difference: string, first: number): string {
  const moved = (number: string): string => String(Number(number) + first - 1);
  return first === 1
    ? difference
    : difference.replace(/^@@ -(\d+)((?:,\d+)?) \+(\d+)/gm, (_all, before: string, count: string, after: string) => {
        return `@@ -${moved(before)}${count} +${moved(after)}`;
      });
}
