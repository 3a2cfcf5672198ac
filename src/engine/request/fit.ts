import { type BudgetConfig, roomLimit } from '../budget/budget.js';
import type { FileContents } from '../context/fileContents.js';
import type { FileCut } from '../record/manifest.js';
import { firstLines, fullLines, lineCount } from '../context/lines.js';
import { sumTokens } from '../sumTokens.js';
import type { Calibration } from '../tokens/calibration.js';
import { type Arrangement, arrange } from './arrange.js';
import type { BlockFactory } from './blockFactory.js';
import { NO_REPOSITORY } from '../repository/repositoryTexts.js';
import { pickBlock, textsAroundFiles } from './gather.js';
import type { Block } from '../model/block.js';
import { promptBlocks } from '../model/prompt.js';
import { type Request, type RequestInput, type UnmeasuredRequest, measuredRequest, requestWithBreakpoints } from './request.js';
import { type NamedFile, type ShownLines, shownFile } from './shownFiles.js';
import { workspaceBlock, workspaceName } from './workspace.js';

/** Minimum tokens of a cut file: some twenty lines. A shorter part would mislead the model, so the file is dropped. */
export const LEAST_USEFUL = 256;

interface WeighedFile extends NamedFile {
  /** Tokens of the whole file in its prompt form. */
  readonly tokens: number;
}

/**
 * Decides how much of each file fits into `room` tokens. Cuts the largest files to one common size, at line ends, so
 * that all other files stay whole. While that size is below `LEAST_USEFUL`, drops the largest file. If several files
 * are the largest, drops the last of them by path.
 */
export function dropLines(files: FileContents, room: number, factory: BlockFactory): ShownLines {
  const weighed = [...files].map(([path, content]) => weigh({ path, content }, factory)).sort(bySize);
  const shown = new Map<string, number>();
  let size = sizeOfLargest(weighed, room);
  while (size < LEAST_USEFUL) {
    const largest = weighed.pop();
    if (largest === undefined) {
      break;
    }
    shown.set(largest.path, 0);
    size = sizeOfLargest(weighed, room);
  }
  for (const file of weighed.filter(({ tokens }) => tokens > size)) {
    shown.set(file.path, linesWithin(file, size, factory));
  }
  return shown;
}

function weigh(file: NamedFile, factory: BlockFactory): WeighedFile {
  return { ...file, tokens: shownFile(file, null, factory)?.tokens ?? 0 };
}

/** Sorts by tokens, then by path in UTF-16 code units: the same order on every machine. */
function bySize(a: WeighedFile, b: WeighedFile): number {
  return a.tokens === b.tokens ? (a.path < b.path ? -1 : 1) : a.tokens - b.tokens;
}

/** Returns the size to which the largest files are cut so that all fit into `room`. Infinite if they fit whole. */
function sizeOfLargest(ascending: readonly WeighedFile[], room: number): number {
  let left = room;
  for (const [index, { tokens }] of ascending.entries()) {
    const size = Math.floor(left / (ascending.length - index));
    if (tokens > size) {
      return size;
    }
    left -= tokens;
  }
  return Infinity;
}

/**
 * Returns how many lines of a file fit into `most` tokens. 0 when these lines have fewer than `LEAST_USEFUL` tokens.
 * Estimates the lines from the average tokens per character, so that a large file is counted only a few times.
 */
function linesWithin(file: WeighedFile, most: number, factory: BlockFactory): number {
  let [characters, { tokens }] = [file.content.length, file];
  for (;;) {
    const lines = fullLines(file.content, Math.floor((characters * most) / tokens));
    const block = shownFile(file, lines, factory);
    if (block === null || block.tokens <= most) {
      return (block?.tokens ?? 0) < LEAST_USEFUL ? 0 : lines;
    }
    characters = firstLines(file.content, lines).length;
    ({ tokens } = block);
  }
}

/** The input of a request. `shownLines` contains the cuts of the last request, for files that have not changed. */
export interface FitInput extends RequestInput {
  readonly config: BudgetConfig;
  readonly calibration: Calibration;
}

/** Returns the provider's count of the input tokens of a request, or null when the provider has not counted it. */
export type CountByProvider = (draft: UnmeasuredRequest) => number | null;

/**
 * The share of the available room that files fill when they are cut. The remaining room is for later messages. Without
 * it, each later message would cut the files again, and all text after the files would be uncached.
 */
const FILLED = 0.75;

/** The room for files is a multiple of this share of the budget, so that typing rarely changes the cuts. */
const STEP = 1 / 64;

const ALL: ReadonlySet<string> = new Set();

/** New cuts must show at least this many times as many lines. A smaller gain is not worth the cache write. */
const WORTH = 2;

/**
 * Returns the request with as much of its files as fits. `first` is the arrangement of the unchanged input. A request
 * that still does not fit is over its budget (`excess`). In this order:
 * 1. Drop what the request no longer needs, then the repository map.
 * 2. If the last cuts fit, keep them, unless much more would fit: all files, or `WORTH` times as many lines.
 * 3. Cut the files again.
 * 4. Drop the editor state, then the picks for the message, then references and skills of the system prompt, but not
 *    its rules.
 */
export function fittedRequest(input: FitInput, first: Arrangement, factory: BlockFactory, countByProvider: CountByProvider): Request {
  const { files, shownLines, calibration } = input;
  const measured = (arrangement: Arrangement): Request => {
    const draft = requestWithBreakpoints(arrangement, input);
    return measuredRequest(draft, input.config, { calibration, byProvider: countByProvider(draft) });
  };
  const compose = (shown: ShownLines, mustRebuild: boolean, without: ReadonlySet<string>): Request => {
    const kept = <T extends { readonly key: string }>(items: readonly T[]): readonly T[] => items.filter(({ key }) => !without.has(key));
    const [workspace, picked, standing] = [kept(input.workspace), kept(input.picked), kept(input.standing)];
    return measured(arrange({ ...input, workspace, picked, standing, shownLines: shown, mustRebuild }, factory));
  };
  const recut = (request: Request): ShownLines => dropLines(files, roomForFiles(request, calibration, factory), factory);
  let request = measured(first);
  if (!fits(request) && hasUnneeded(request)) {
    request = compose(shownLines, true, ALL);
  }
  const map = fits(request) ? new Map<string, FileCut>() : droppedMap(input, request, factory);
  if (map.size > 0) {
    const without = { ...input, repository: NO_REPOSITORY };
    const fitted = fittedRequest(without, arrange(without, factory), factory, countByProvider);
    return { ...fitted, cuts: new Map([...fitted.cuts, ...map]) };
  }
  if (fits(request) && shownLines.size > 0) {
    const more = recut(request);
    const grown = isWorthIt(files, shownLines, more) ? compose(more, input.mustRebuild, ALL) : request;
    return fits(grown) ? grown : request;
  }
  // The provider may count each new request differently, so the cuts repeat, each time with less room.
  while (!fits(request) && fileTokens(request) > 0) {
    request = compose(recut(request), true, ALL);
  }
  return fits(request) ? request : withoutItems(input, request, { compose: (without) => compose(recut(request), true, without), factory });
}

/** Returns the parts of a request's repository map as dropped, by item key. Empty for a request without the map. */
function droppedMap({ repository }: FitInput, { prompt }: Request, { sha256 }: BlockFactory): ReadonlyMap<string, FileCut> {
  const parts = (['tree', 'map'] as const).filter((part) => repository[part].length > 0);
  return new Map(
    parts.map((part) => {
      const key = `repository:${part}`;
      const text = repository[part].map((piece) => piece.text).join('\n\n');
      const ofTokens = sumTokens(promptBlocks(prompt).filter(({ item }) => item === key));
      return [key, { hash: sha256(text), lines: 0, ofLines: lineCount(text), tokens: 0, ofTokens }];
    }),
  );
}

interface DroppableItem {
  readonly key: string;
  readonly text: string;
  readonly block: () => Block;
}

/** Returns what may be dropped, in this order: the last item first, but the largest reference or skill first. */
function droppableItems({ workspace, picked, standing }: FitInput, factory: BlockFactory): readonly DroppableItem[] {
  const references = standing.filter(({ category }) => category !== 'rules').toSorted((a, b) => b.text.length - a.text.length);
  return [
    ...workspace.toReversed().map((part) => ({ ...part, block: () => workspaceBlock(part, factory) })),
    ...[...picked.toReversed(), ...references].map((item) => ({ ...item, block: () => pickBlock(item, factory) })),
  ];
}

/** Drops items until the request fits. */
function withoutItems(
  input: FitInput,
  request: Request,
  { compose, factory }: { readonly compose: (without: ReadonlySet<string>) => Request; readonly factory: BlockFactory },
): Request {
  const droppable = droppableItems(input, factory);
  const dropped = new Map<string, FileCut>();
  let fitted = request;
  let freed = 0;
  for (const [at, item] of droppable.entries()) {
    if (fits(fitted)) {
      break;
    }
    const cut = droppedWhole(item, factory);
    dropped.set(item.key, cut);
    freed += cut.ofTokens;
    // Composing is slow, so Loupe composes again only when it has dropped enough tokens by the model's counter.
    if (freed >= overBy(fitted) || at === droppable.length - 1) {
      fitted = compose(new Set(dropped.keys()));
      freed = 0;
    }
  }
  const editorDropped = input.workspace.filter(({ key }) => dropped.has(key)).map(({ key }) => workspaceName(key));
  const adaptations = editorDropped.length === 0 ? fitted.adaptations : { ...fitted.adaptations, editorDropped };
  return { ...fitted, adaptations, cuts: new Map([...fitted.cuts, ...dropped]) };
}

function droppedWhole({ text, block }: DroppableItem, factory: BlockFactory): FileCut {
  return { hash: factory.sha256(text), lines: 0, ofLines: lineCount(text), tokens: 0, ofTokens: block().tokens };
}

/** Whether new cuts are worth a cache write: all files fit, or the same files show `WORTH` times as many lines. */
function isWorthIt(files: FileContents, now: ShownLines, more: ShownLines): boolean {
  const linesIn = (shown: ShownLines): number =>
    [...now.keys()].reduce((sum, path) => sum + (shown.get(path) ?? lineCount(files.get(path) ?? '')), 0);
  return more.size === 0 || ([...more.keys()].every((path) => now.has(path)) && linesIn(more) >= WORTH * Math.max(1, linesIn(now)));
}

function hasUnneeded({ prompt }: Request): boolean {
  return promptBlocks(prompt).some(({ form }) => form === 'superseded' || form === 'carried' || form === 'difference');
}

function fits({ size, budget, model }: Request): boolean {
  return size.tokens <= roomLimit(budget, model, size);
}

function overBy({ size, budget, model }: Request): number {
  return size.tokens - roomLimit(budget, model, size);
}

/** Returns how many tokens, by the model's counter, the other contents of a request leave for files. Never negative. */
function roomForFiles(request: Request, { factor }: Calibration, factory: BlockFactory): number {
  const { size, budget, model } = request;
  const perCounted = size.basis === 'estimate' ? factor : size.tokens / Math.max(1, size.counted);
  const held = fileTokens(request);
  const rest = size.counted - held + (held > 0 ? 0 : aroundFiles(request, factory));
  const room = (roomLimit(budget, model, size) / perCounted - rest) * FILLED;
  const step = Math.max(1, Math.floor(budget * STEP));
  return Math.max(0, Math.floor(room / step) * step);
}

/** Returns the tokens that the first file adds besides its own: the texts around the files, as two messages. */
function aroundFiles({ model }: Request, factory: BlockFactory): number {
  const { header, acknowledged } = textsAroundFiles(factory);
  return header.tokens + acknowledged.tokens + 2 * model.capabilities.framing.perMessage;
}

function fileTokens({ prompt }: Request): number {
  return sumTokens(promptBlocks(prompt).filter(({ category, item }) => category === 'files' && item !== null));
}
