import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { newestMessage } from '../../../src/engine/next/chatInputs.js';
import { resolveRepository, type ResolvedRepository } from '../../../src/engine/next/repository.js';
import { promptBlocks, type Prompt } from '../../../src/engine/model/prompt.js';
import type { TokenCounter } from '../../../src/engine/ports.js';
import { NO_LINKS } from '../../../src/engine/repository/fileLinks.js';
import { NO_REPOSITORY } from '../../../src/engine/repository/repositoryTexts.js';
import { BlockFactory } from '../../../src/engine/request/blockFactory.js';
import { outlivedShare } from '../../../src/engine/request/layout/adaptive/breakpoints.js';
import { LAYOUTS } from '../../../src/engine/request/layout/layouts.js';
import type { Situation } from '../../../src/engine/request/layout/situation.js';
import { languageOf } from '../../../src/tools/symbols/languages.js';
import { SymbolScanner } from '../../../src/tools/symbols/symbolScanner.js';
import { loadTestCounter } from '../../support/counters.js';
import { MarkedCache } from '../../support/cachingServer/markedCache.js';
import { markedCache, OPEN_MODEL, withCapabilities } from '../../support/engine/models.js';
import { sha256 } from '../../support/engine/ports.js';
import { RecordedChat } from '../../support/engine/requests.js';
import { situationAfter } from '../../support/engine/situations.js';
import { root } from '../../support/paths.mjs';
import { ScannedRepository } from '../../support/symbols/scannedRepository.js';
import { inFolder } from '../folder.js';
import { costOf, RULES } from '../judge/judge.js';
import { MappedChats, type MappedChat } from '../judge/mappedChats.js';
import { Random } from '../judge/random.js';
import { seedsOfCommit } from '../judge/seeds.js';
import { TRACES } from '../judge/traceSettings.js';
import type { Row } from '../row.js';

const TURNS = 30;
/** Per kind. More would take minutes. */
const CHATS = 2;
const KINDS = ['qa-short', 'pair-programming'] as const;
const MODEL = withCapabilities(OPEN_MODEL, { cache: markedCache({ minimumTokens: RULES.minimumTokens }) });
const MAP = { repositoryMap: 'map', repositoryTokens: 3_000, repositoryWithout: '' } as const;
/** Tokens. The map needs eight times its own tokens. */
const BUDGET = 200_000;
/** Sizes of the files that a simulated chat contains, in characters. */
const FILE_SIZES = [1_000, 25_000] as const;

type LayoutName = keyof typeof LAYOUTS;

/** The cost of simulated chats with the map of this repository, against the same chats without it. */
export const mapCost: Row = {
  name: 'map-cost',
  job: `what the requests of chats of ${String(TURNS)} turns cost with the repository map of Loupe's own code, against the same chats without it`,
  measure: () =>
    inFolder(async (folder) => {
      const counter = await loadTestCounter('o200k_base');
      const { seeds, origin } = await seedsOfCommit(CHATS);
      const workspace = await Workspace.create(folder);
      const rows = [];
      for (const layout of Object.keys(LAYOUTS) as LayoutName[]) {
        const costs = [];
        for (const kind of KINDS) {
          costs.push(await costsOf(seeds, { kind, layout, counter, workspace }));
        }
        rows.push({ name: layout, figures: [...costs.map(meanRatio), Math.max(...costs.flat().map(ratio))] });
      }
      workspace.end();
      return {
        samples: [],
        amount: null,
        verdicts: rows.flatMap(({ name, figures }) =>
          KINDS.map((kind, at) => ({ what: `${name}, ${kind}, times`, measured: figures[at] ?? NaN, target: { atMost: 1.1 } })),
        ),
        figures: {
          title: `Cost with the map against the cost without it; seeds ${seeds.join(', ')} (${origin})`,
          columns: [...KINDS, 'dearest of these chats'],
          rows,
        },
      };
    }),
};

/** The cost of a chat. */
interface Costs {
  readonly withMap: number;
  readonly without: number;
}

function ratio({ withMap, without }: Costs): number {
  return withMap / without;
}

function meanRatio(costs: readonly Costs[]): number {
  const sum = (of: (each: Costs) => number): number => costs.reduce((total, each) => total + of(each), 0);
  return sum(({ withMap }) => withMap) / sum(({ without }) => without);
}

interface ChatKind extends Omit<CostOptions, 'workspace'> {
  readonly kind: (typeof KINDS)[number];
  readonly layout: LayoutName;
  readonly workspace: Workspace;
}

async function costsOf(seeds: readonly number[], { kind, layout, counter, workspace }: ChatKind): Promise<readonly Costs[]> {
  const settings = TRACES[kind];
  if (settings === undefined) {
    throw new RangeError(`There are no chats of the kind ${kind}.`);
  }
  const costs = [];
  for (const seed of seeds) {
    const chat = new MappedChats(workspace.sources, settings, new Random(seed)).hold(TURNS);
    await workspace.write(new Map());
    costs.push({
      without: await chatCost(chat, layout, { counter, workspace: null }),
      withMap: await chatCost(chat, layout, { counter, workspace }),
    });
  }
  return costs;
}

/** A copy of this repository that chats can edit. */
class Workspace {
  /** Source files that a chat can contain. */
  readonly sources: ReadonlyMap<string, string>;
  readonly #root: string;
  readonly #scanner: SymbolScanner;
  readonly repository: ScannedRepository;
  #written: ReadonlyMap<string, string> = new Map();

  private constructor(folder: string, files: readonly string[], sources: ReadonlyMap<string, string>) {
    this.#root = folder;
    this.sources = sources;
    this.#scanner = new SymbolScanner({
      ...{ script: join(root, 'dist/symbolWorker.js'), grammars: join(root, 'dist/grammars'), cache: join(folder, 'symbols.jsonl') },
      ...{ limitMs: 60_000, idleMs: 60_000, logInfo: () => undefined },
    });
    this.repository = new ScannedRepository(this.#scanner, folder, files);
  }

  static async create(folder: string): Promise<Workspace> {
    const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 2 ** 26 });
    const files = stdout.split('\0').filter((path) => path !== '');
    const sources = new Map<string, string>();
    for (const path of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await cp(join(root, path), join(folder, path));
      if (path.startsWith('src/') && languageOf(path) !== null) {
        const content = await readFile(join(root, path), 'utf8');
        if (content.length >= FILE_SIZES[0] && content.length <= FILE_SIZES[1]) {
          sources.set(path, content);
        }
      }
    }
    return new Workspace(folder, files, sources);
  }

  /** Writes these contents, and the first ones to all other files. */
  async write(edited: ReadonlyMap<string, string>): Promise<void> {
    const paths = new Set([...this.#written.keys(), ...edited.keys()]);
    const contentIn = (files: ReadonlyMap<string, string>, path: string): string => files.get(path) ?? this.sources.get(path) ?? '';
    const changed = [...paths].filter((path) => contentIn(this.#written, path) !== contentIn(edited, path));
    await Promise.all(changed.map((path) => writeFile(join(this.#root, path), contentIn(edited, path))));
    this.#written = edited;
    this.repository.edited(changed);
  }

  end(): void {
    this.#scanner.dispose();
  }
}

class CountedChat extends RecordedChat {
  protected override readonly factory: BlockFactory;

  constructor(counter: TokenCounter) {
    super();
    this.factory = new BlockFactory(counter, sha256);
  }
}

interface CostOptions {
  readonly counter: TokenCounter;
  /** Null for a chat without the map. */
  readonly workspace: Workspace | null;
}

async function chatCost({ requests, ...fixed }: MappedChat, layout: LayoutName, { counter, workspace }: CostOptions): Promise<number> {
  const chat = new CountedChat(counter);
  const cache = new MarkedCache();
  const pauses: number[] = [];
  let cost = 0;
  let last = 0;
  for (const { at, messages, files, edited } of requests) {
    const idleMs = (at - last) * 1_000;
    last = at;
    if (messages.at(-1)?.role === 'user') {
      pauses.push(idleMs);
    }
    const situation = { ...situationAfter(chat, idleMs), outlivedShare: outlivedShare(pauses) };
    const { texts: repository, links: fileLinks } = await mapOf(
      { situation, files, message: newestMessage(messages), counter },
      workspace,
      edited,
    );
    const content = { model: MODEL, layout: LAYOUTS[layout], ...fixed, situation, messages, files, repository, fileLinks };
    const { prompt } = chat.send(content);
    const pending = cache.use(judgedPrompt(prompt), 'main', RULES, at * 1_000);
    pending.begin();
    cost += costOf(pending.use);
  }
  return cost;
}

interface MapRequest {
  readonly situation: Situation;
  readonly files: ReadonlyMap<string, string>;
  readonly message: string;
  readonly counter: TokenCounter;
}

async function mapOf(
  { files, ...request }: MapRequest,
  workspace: Workspace | null,
  edited: ReadonlyMap<string, string>,
): Promise<Pick<ResolvedRepository, 'texts' | 'links'>> {
  if (workspace === null) {
    return { texts: NO_REPOSITORY, links: NO_LINKS };
  }
  await workspace.write(edited);
  return resolveRepository(
    { ...request, config: MAP, model: MODEL, budget: BUDGET, mustRebuild: false, hasInstruction: false, files: new Set(files.keys()) },
    workspace.repository,
  );
}

function judgedPrompt(prompt: Prompt): Parameters<MarkedCache['use']>[0] {
  const rest = { level: 'messages', run: null, opening: '', path: '' } as const;
  const ttl = (breakpoint: { readonly ttl: string } | null): '5m' | '1h' | null =>
    breakpoint === null ? null : breakpoint.ttl === '1h' ? '1h' : '5m';
  return {
    blocks: promptBlocks(prompt).map(({ hash, tokens, breakpoint }) => ({ ...rest, text: hash, tokens, mark: ttl(breakpoint) })),
    parameters: '',
    tail: 0,
  };
}
