import { roomLimit, type BudgetConfig } from '../budget/budget.js';
import type { FileContents } from '../context/fileContents.js';
import type { FileCut } from '../record/fileCut.js';
import { lineCount } from '../context/lines.js';
import { sumTokens } from '../sumTokens.js';
import type { Calibration } from '../tokens/calibration.js';
import { arrange, type Arrangement } from './arrange.js';
import type { BlockFactory } from './blockFactory.js';
import { pickBlock, textsAroundFiles, type CatalogText } from './gather.js';
import { promptBlocks } from '../model/prompt.js';
import { markedRequest, measuredRequest, type DraftRequest, type Request, type RequestInput } from './request.js';
import { shed } from './shed.js';
import type { ShownLines } from './shownFiles.js';

/** What a request is made of. `shownLines` is what the last one showed of the files that have not changed. */
export interface FitInput extends RequestInput {
  readonly config: BudgetConfig;
  readonly calibration: Calibration;
  /** Input tokens that the provider counted for this request; null without its count. */
  readonly countByProvider: (draft: DraftRequest) => number | null;
}

/**
 * The share of their room that files take when they are cut. The rest is for the messages that follow: else each of them would
 * cut the files anew, and the provider's cache would serve nothing behind them.
 */
const FILLED = 0.75;

/**
 * The room for files counts in steps of this share of the budget: what is typed into a message box changes the cuts seldom, and
 * not at each key.
 */
const STEP = 1 / 64;

/** Nothing of the catalog is left out. */
const ALL: ReadonlySet<string> = new Set();

/** A cut stays until so many times as many lines have room: then it is worth writing them to the cache again. */
const WORTH = 2;

/**
 * Returns the request with as much of its files as it has room for. In this order:
 *
 * 1. What it no longer needs is dropped.
 * 2. The cut of the last request stays while it fits, unless all files or `WORTH` times as many lines of the cut ones have room.
 * 3. The files are cut again.
 * 4. What was picked for the message is dropped, then references. Rules never are.
 *
 * A request that still does not fit is over its budget (`excess`). `first` is the arrangement of the input as it is.
 */
export function fittedRequest(input: FitInput, first: Arrangement, factory: BlockFactory): Request {
  const { files, shownLines, calibration } = input;
  const measured = (arrangement: Arrangement): Request => {
    const draft = markedRequest(arrangement, input);
    return measuredRequest(draft, input.config, { calibration, byProvider: input.countByProvider(draft) });
  };
  const compose = (shown: ShownLines, mustRebuild: boolean, without: ReadonlySet<string>): Request => {
    const kept = (items: readonly CatalogText[]): readonly CatalogText[] => items.filter(({ key }) => !without.has(key));
    const [picked, standing] = [kept(input.picked), kept(input.standing)];
    return measured(arrange({ ...input, picked, standing, shownLines: shown, mustRebuild }, factory));
  };
  const anew = (request: Request): ShownLines => shed(files, roomForFiles(request, calibration, factory), factory);
  let request = measured(first);
  if (!fits(request) && hasUnneeded(request)) {
    request = compose(shownLines, true, ALL);
  }
  if (fits(request) && shownLines.size > 0) {
    const more = anew(request);
    const grown = isWorthIt(files, shownLines, more) ? compose(more, input.mustRebuild, ALL) : request;
    return fits(grown) ? grown : request;
  }
  // Each round has less room for files than the last one took: a provider's count may change what a token of ours stands for.
  while (!fits(request) && fileTokens(request) > 0) {
    request = compose(anew(request), true, ALL);
  }
  return fits(request) ? request : withoutCatalog(input, request, { compose: (without) => compose(anew(request), true, without), factory });
}

/** The request without so many of the picks, the last one first, and then of the references and skills, the largest first, as it has no room for. */
function withoutCatalog(
  input: FitInput,
  request: Request,
  { compose, factory }: { readonly compose: (without: ReadonlySet<string>) => Request; readonly factory: BlockFactory },
): Request {
  const references = input.standing.filter(({ category }) => category !== 'rules').toSorted((a, b) => b.text.length - a.text.length);
  const leaving = [...input.picked.toReversed(), ...references];
  const dropped = new Map<string, FileCut>();
  let fitted = request;
  let freed = 0;
  for (const [at, item] of leaving.entries()) {
    if (fits(fitted)) {
      break;
    }
    const cut = leftOutWhole(item, factory);
    dropped.set(item.key, cut);
    freed += cut.ofTokens;
    // Composing is the work: not before enough has left, as far as our counter knows.
    if (freed >= overBy(fitted) || at === leaving.length - 1) {
      fitted = compose(new Set(dropped.keys()));
      freed = 0;
    }
  }
  return { ...fitted, cuts: new Map([...fitted.cuts, ...dropped]) };
}

function leftOutWhole(item: CatalogText, factory: BlockFactory): FileCut {
  const { tokens } = pickBlock(item, factory);
  return { hash: factory.sha256(item.text), lines: 0, ofLines: lineCount(item.text), tokens: 0, ofTokens: tokens };
}

/** Whether a cut shows all files whole, or cuts no others, and of those that are cut now shows at least `WORTH` times as many lines. */
function isWorthIt(files: FileContents, now: ShownLines, more: ShownLines): boolean {
  const linesIn = (shown: ShownLines): number =>
    [...now.keys()].reduce((sum, path) => sum + (shown.get(path) ?? lineCount(files.get(path) ?? '')), 0);
  return more.size === 0 || ([...more.keys()].every((path) => now.has(path)) && linesIn(more) >= WORTH * Math.max(1, linesIn(now)));
}

/** Whether a request holds blocks that it could do without, or with fewer of. */
function hasUnneeded({ prompt }: Request): boolean {
  return promptBlocks(prompt).some(({ form }) => form === 'superseded' || form === 'carried' || form === 'difference');
}

function fits({ size, budget, model }: Request): boolean {
  return size.tokens <= roomLimit(budget, model, size);
}

function overBy({ size, budget, model }: Request): number {
  return size.tokens - roomLimit(budget, model, size);
}

/** Tokens by the model's counter that files may take beside all else of a request. Never negative. */
function roomForFiles(request: Request, { factor }: Calibration, factory: BlockFactory): number {
  const { size, budget, model } = request;
  const perCounted = size.basis === 'estimate' ? factor : size.tokens / Math.max(1, size.counted);
  const held = fileTokens(request);
  const rest = size.counted - held + (held > 0 ? 0 : aroundFiles(request, factory));
  const room = (roomLimit(budget, model, size) / perCounted - rest) * FILLED;
  const step = Math.max(1, Math.floor(budget * STEP));
  return Math.max(0, Math.floor(room / step) * step);
}

/** Most tokens that the first file brings with it. */
function aroundFiles({ model }: Request, factory: BlockFactory): number {
  const { header, acknowledged } = textsAroundFiles(factory);
  return header.tokens + acknowledged.tokens + 2 * model.capabilities.framing.perMessage;
}

function fileTokens({ prompt }: Request): number {
  return sumTokens(promptBlocks(prompt).filter(({ category, item }) => category === 'files' && item !== null));
}
