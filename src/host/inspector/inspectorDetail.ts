import { contentHash } from '../../engine/model/block.js';
import {
  type DetailKind,
  type DetailLine,
  type InspectorDetail,
  type InspectorQuery,
  LINES_AT_ONCE,
  MOST_OF_LINE,
} from '../../protocol/inspector/inspector.js';
import { tokens, counted } from '../../protocol/numbers.js';
import { blockText } from './blockText.js';
import type { HeldBlock } from './heldRequest.js';
import { differsAt } from './inspectedRequest.js';
import type { PayloadLines } from './payloadLines.js';
import { structuredPatch } from 'diff';

/** The body of a request, or the `problem` why it cannot be shown. */
export type Payload =
  | { readonly problem: string }
  | { readonly lines: PayloadLines; readonly places: readonly (number | null)[]; readonly note: string | null };

export interface ComparedBlocks {
  /** The number of the request in the chat, from 1. */
  readonly number: number;
  readonly blocks: readonly HeldBlock[];
}

export interface Details {
  readonly blocks: readonly HeldBlock[];
  /** The body of the request. Null until Loupe has read the body. */
  readonly payload: Payload | null;
  readonly compared: ComparedBlocks | null;
  /** Whether the provider wrote a part of the request to its cache. */
  readonly wasWritten: boolean;
}

type DetailQuery = Pick<InspectorQuery, 'before' | 'most'> & { readonly block: number; readonly kind: DetailKind };

/** Returns the details of a block. Null until Loupe has read them. */
export function inspectorDetail(asked: DetailQuery, { blocks, payload, ...change }: Details): InspectorDetail | null {
  const block = blocks[asked.block];
  if (block === undefined) {
    return null;
  }
  switch (asked.kind) {
    case 'text':
      return textDetail(asked, block);
    case 'payload':
      return payload === null ? null : payloadDetail(asked, payload);
    case 'change':
      return change.compared === null ? null : changeDetail(asked, { blocks, ...change, compared: change.compared });
  }
}

function textDetail(asked: DetailQuery, { part, problem }: HeldBlock): InspectorDetail {
  if (part === null) {
    return onlyNote(asked, problem ?? '');
  }
  const lines = textLines(blockText(part)).map((text, at) => ({ ...line(text), number: at + 1 }));
  return { ...named(asked), note: '', ...shownOf(lines, asked.most) };
}

function payloadDetail(asked: DetailQuery, payload: Payload): InspectorDetail {
  if ('problem' in payload) {
    return onlyNote(asked, payload.problem);
  }
  const { lines, places, note } = payload;
  const place = places[asked.block] ?? null;
  const [blockFrom, blockTo] = place === null ? [0, lines.count] : lines.around(place);
  const from = Math.max(0, blockFrom - asked.before);
  // Shows only the lines of the block at first. The user can ask for later lines.
  const to = Math.min(asked.most > LINES_AT_ONCE ? lines.count : blockTo, blockFrom + asked.most);
  const shown = lines
    .read(from, to, MOST_OF_LINE)
    .map(({ text, cut }, at): DetailLine => ({ text, cut, mark: '', number: from + at + 1, numberBefore: null }));
  const range = `Lines ${tokens(from + 1)} to ${tokens(to)} of ${tokens(lines.count)}, byte for byte. Loupe hides API keys.`;
  const all = [...(note === null ? [] : [note]), ...(place === null ? ['Loupe does not know where this block is in the payload.'] : [])];
  return { ...named(asked), note: [range, ...all].join(' '), lines: shown, linesBefore: from, linesAfter: lines.count - to };
}

type ChangeDetails = Omit<Details, 'payload'> & { readonly compared: ComparedBlocks };

function changeDetail(asked: DetailQuery, { blocks, compared, wasWritten }: ChangeDetails): InspectorDetail {
  const block = blocks[asked.block];
  const { number } = compared;
  const before = compared.blocks.find(({ key }) => key === block?.key) ?? null;
  if (block === undefined || before === null) {
    return onlyNote(asked, `This block is new: request ${tokens(number)} did not contain it.`);
  }
  if (contentHash(before) === contentHash(block)) {
    const moved = compared.blocks[asked.block]?.key === block.key ? '' : ' Only its place has changed.';
    return onlyNote(asked, `This block is the same as in request ${tokens(number)}.${moved}`);
  }
  return block.part === null || before.part === null
    ? onlyNote(asked, block.problem ?? before.problem ?? '')
    : changedDetail(asked, changedLines(blockText(before.part), blockText(block.part)), {
        number,
        isFirst: differsAt(compared.blocks, blocks) === asked.block,
        wasWritten,
      });
}

function changedDetail(
  asked: DetailQuery,
  lines: readonly DetailLine[] | null,
  { number, isFirst, wasWritten }: { readonly number: number; readonly isFirst: boolean; readonly wasWritten: boolean },
): InspectorDetail {
  const note = isFirst ? ['This is the first changed block.', ...(wasWritten ? ['The provider cached all later blocks again.'] : [])] : [];
  return lines === null
    ? onlyNote(asked, `Nearly all lines of this block differ from request ${tokens(number)}, so Loupe does not list them.`)
    : { ...named(asked), note: note.join(' '), ...shownOf(lines, asked.most) };
}

function named({ block, kind }: DetailQuery): Pick<InspectorDetail, 'block' | 'kind'> {
  return { block, kind };
}

function onlyNote(asked: DetailQuery, note: string): InspectorDetail {
  return { ...named(asked), note, lines: [], linesBefore: 0, linesAfter: 0 };
}

function shownOf(lines: readonly DetailLine[], most: number): Pick<InspectorDetail, 'lines' | 'linesBefore' | 'linesAfter'> {
  return { lines: lines.slice(0, most), linesBefore: 0, linesAfter: Math.max(0, lines.length - most) };
}

/** Number of unchanged lines to show before and after a change. */
const CONTEXT_LINES = 3;

/** Maximum number of changed lines. Beyond it, the texts have little in common, and the comparison takes long. */
const MOST_CHANGED_LINES = 2_000;

/** Returns the changed lines with some lines around them. Null for texts with almost nothing in common. */
export function changedLines(before: string, after: string): readonly DetailLine[] | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, maxEditLength: MOST_CHANGED_LINES });
  if (patch === undefined) {
    return null;
  }
  const lines: DetailLine[] = [];
  let at = 1;
  const same = (count: number, where: string): void => {
    if (count > 0) {
      lines.push({ ...line(`${counted(count, 'line')} ${where} the same`), mark: '@' });
    }
  };
  for (const [index, hunk] of patch.hunks.entries()) {
    same(hunk.newStart - at, index === 0 ? 'before are' : 'between are');
    at = hunk.newStart;
    let atBefore = hunk.oldStart;
    for (const each of hunk.lines.filter((text) => !text.startsWith('\\'))) {
      const kind = each[0];
      lines.push({
        ...line(each.slice(1)),
        mark: kind === '+' ? '+' : kind === '-' ? '−' : '',
        number: kind === '-' ? null : at,
        numberBefore: kind === '+' ? null : atBefore,
      });
      at += kind === '-' ? 0 : 1;
      atBefore += kind === '+' ? 0 : 1;
    }
  }
  same(textLines(after).length - at + 1, 'after are');
  return lines;
}

/** Returns a line without a mark (added, removed) and without a line number. */
function line(text: string): DetailLine {
  const shown = text.slice(0, MOST_OF_LINE);
  return { text: shown, cut: text.length - shown.length, mark: '', number: null, numberBefore: null };
}

/** Splits a text into lines. Does not add an empty line after a final line break. */
function textLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
