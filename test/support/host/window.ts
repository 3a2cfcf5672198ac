import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ChatConfig } from '../../../src/engine/chat/settings/config.js';
import { defaultConfig } from '../../../src/engine/chat/settings/configValues.js';
import type { FileRead, FileReader } from '../../../src/engine/context/fileContents.js';
import { type LoupeError, toLoupeError } from '../../../src/engine/errors.js';
import type { Clock, TokenCounter } from '../../../src/engine/ports.js';
import type { Prompt } from '../../../src/engine/model/prompt.js';
import type { Model, ModelClient, PromptImages, RequestParams, StreamPart, WireRequest } from '../../../src/engine/model/model.js';
import { Chats } from '../../../src/host/chat/chats.js';
import type { ChatSession } from '../../../src/host/chat/chatSession.js';
import { loadConverter } from '../../../src/host/models/converters.js';
import { type Catalog, EMPTY_CATALOG, type Remark, itemOf } from '../../../src/engine/context/catalogItem.js';
import { chosenByAgent, type AgentInclude, type AgentProfiles } from '../../../src/engine/context/agentProfile.js';
import type { Score } from '../../../src/engine/context/rank/lexical.js';
import { chosenIncludes } from '../../../src/host/context/catalog/includeSetting.js';
import { type CatalogSettings, catalogSettingsKey, chatCatalog } from '../../../src/host/context/catalog/chatCatalogs.js';
import { type CatalogSource, type RankingScope, ToolItems } from '../../../src/host/context/catalog/workspaceCatalog.js';
import { MeaningRanker } from '../../../src/host/context/catalog/meaningRanker.js';
import { CatalogRanker } from '../../../src/host/context/catalog/catalogRanker.js';
import { readProfiles } from '../../../src/host/context/catalog/readProfiles.js';
import { readCatalog } from '../../../src/host/context/catalog/readCatalog.js';
import { catalogType } from '../../../src/host/context/files/catalogPlaces.js';
import type { EditorSource } from '../../../src/host/context/editorState/editorSource.js';
import { EditorState } from '../../../src/host/context/editorState/editorState.js';
import { refused } from '../../../src/host/context/files/refusal.js';
import { ModelRegistry, type Provider, type ProviderSource, fixedSource } from '../../../src/host/models/registry.js';
import type { Participant } from '../../../src/engine/chat/slices/participants.js';
import { itemKey } from '../../../src/engine/record/item.js';
import type { FileWatch } from '../../../src/host/tools/changedFiles.js';
import type { Toolbox } from '../../../src/host/tools/toolbox.js';
import { NO_TOOLS, type ToolExecutor, toolboxOf } from '../engine/toolExecutor.js';
import { sha256 } from '../../../src/host/window/systemPorts.js';
import type { TokenCounters } from '../../../src/host/models/tokens/counters.js';
import type { Embedder } from '../../../src/providers/endpoint.js';
import { PRACTICE_MODELS, PRACTICE_STANDARD } from '../../../src/providers/practice/models.js';
import { PracticeModel } from '../../../src/providers/practice/practiceModel.js';
import type { PracticeRequest } from '../../../src/providers/practice/wire.js';
import { ChatStore } from '../../../src/storage/chatStore.js';
import { RESTORE_STEP } from '../../../src/storage/reading/restorePoint.js';
import { type Files, nodeFiles } from '../../../src/storage/files/files.js';
import { loadTestCounter } from '../counters.js';
import { readingOf } from './catalogReading.js';
import { RunningClock, turn } from './clocks.js';
import { idleTimerOf } from './idleTimer.js';
import { type SpendOptions, spendSettings } from './spendSettings.js';
import { checkRules } from './wireRules.js';
import { randomOf } from './randomOf.js';
import { quotasIn, type WindowQuotas } from './windowQuotas.js';
import type { RepositorySource } from '../../../src/engine/next/repository.js';
import { NO_MAP } from '../engine/requests.js';

const HOST = 'this-host';
/** Larger than each process id of any system. */
export const DEAD_PID = 2 ** 30;

/** Titles are off, because tests count requests. */
export const DEFAULTS: ChatConfig = { ...defaultConfig(PRACTICE_STANDARD.ref), titles: 'off' };

export class MemoryFiles implements FileReader {
  readonly texts = new Map<string, string>();
  isTrusted = true;
  remarks: readonly Remark[] = [];
  /** The include modes of all chats, by item key. */
  readonly includes = new Map<string, AgentInclude>();
  readonly #ranker = new CatalogRanker();

  isRestricted(): boolean {
    return !this.isTrusted;
  }

  async catalog(): Promise<Catalog> {
    const paths = this.#paths((path) => !['agent', 'prompt', null].includes(catalogType(path)));
    return this.isTrusted ? readCatalog(paths, readingOf(this.read.bind(this)), EMPTY_CATALOG) : EMPTY_CATALOG;
  }

  profiles(): Promise<AgentProfiles> {
    const paths = this.#paths((path) => catalogType(path) === 'agent');
    return readProfiles(this.isTrusted ? paths : [], readingOf(this.read.bind(this)));
  }

  #paths(isWanted: (path: string) => boolean): { path: string; source: string; prefix: string; file: string }[] {
    return [...this.texts.keys()].filter(isWanted).map((path) => ({ path, source: path, prefix: '', file: path }));
  }

  async ofChat(chat: CatalogSettings): Promise<Catalog> {
    return this.had(chat, await this.catalog());
  }

  async had(chat: CatalogSettings, catalog: Catalog): Promise<Catalog> {
    const profile = (await this.profiles()).get(chat.agent) ?? null;
    return chatCatalog(chat, catalog, { profile, common: chosenIncludes(this.includes, {}) });
  }

  rank(message: string, catalog: Catalog, limits: { readonly most: number; readonly loadsTools: boolean }): Promise<readonly Score[]> {
    return this.#ranker.rank(catalog, message, limits);
  }

  read(path: string): Promise<FileRead> {
    const content = this.texts.get(path);
    return Promise.resolve(
      content === undefined ? refused(path, { code: 'missing' }) : { ok: true, content, bytes: Buffer.byteLength(content, 'utf8') },
    );
  }
}

export class RecordingModel implements ModelClient {
  readonly bodies: string[] = [];
  /** The errors of the next requests. Null means success. */
  readonly failures: (LoupeError | null)[] = [];
  readonly images: PromptImages[] = [];
  readonly counted: string[] = [];
  /** Replaces the count of the practice model. */
  onCount: ((signal: AbortSignal) => Promise<number>) | null = null;
  readonly #inner: PracticeModel;

  constructor(inner: PracticeModel) {
    this.#inner = inner;
  }

  convert(model: Model, prompt: Prompt, params: RequestParams, images: PromptImages): WireRequest {
    this.images.push(images);
    return this.#inner.convert(model, prompt, params);
  }

  async countTokens(model: Model, request: WireRequest, signal: AbortSignal): Promise<number> {
    this.counted.push(request.body);
    return (await this.onCount?.(signal)) ?? this.#inner.countTokens(model, request, signal);
  }

  stream(model: Model, request: WireRequest, signal: AbortSignal): AsyncIterable<StreamPart> {
    this.bodies.push(request.body);
    const failure = this.failures.shift() ?? null;
    if (failure !== null) {
      throw failure;
    }
    checkRules(JSON.parse(request.body) as PracticeRequest);
    return this.#inner.stream(model, request, signal);
  }
}

export interface WindowOptions extends SpendOptions {
  readonly clock?: Clock;
  /** Waits of idle chats. Without it, no wait ends, so that Loupe does not look at idle chats. */
  readonly idleTimer?: Pick<Clock, 'sleep'>;
  readonly writerId?: string;
  readonly pid?: number;
  /** Default: a name that no computer has. */
  readonly host?: string;
  readonly tools?: ToolExecutor;
  readonly toolbox?: Toolbox;
  /** Default: files never change. */
  readonly watchFiles?: () => FileWatch;
  readonly repository?: RepositorySource;
  readonly files?: MemoryFiles;
  /** Default: the catalog of `files`, which is read again for each request. */
  readonly catalog?: CatalogSource;
  /** Default: the editor shows nothing. */
  readonly editor?: EditorSource;
  readonly storage?: Files;
  readonly models?: readonly Model[];
  readonly sources?: readonly ProviderSource[];
  readonly config?: Partial<ChatConfig>;
  /** Whether the provider may count tokens. Default: true. */
  readonly countsTokens?: boolean;
  /** Default: rank by words only. */
  readonly embedder?: Embedder;
  readonly loadConverter?: typeof loadConverter;
  /** Default: the counter of the practice model. */
  readonly counters?: Pick<TokenCounters, 'get'>;
  /** Bytes of log between two restore points. Default: as in the product. */
  readonly restoreStep?: number;
  /** The user as an author. Default: unknown. */
  readonly me?: () => Participant | null | Promise<Participant>;
  /** Called each time. Default: one folder. */
  readonly folders?: () => readonly string[];
}

const UNCHANGED: FileWatch = { begin: () => Promise.resolve(), changes: () => Promise.resolve([]), end: () => undefined };

/** A VS Code window with its chats, built as in the extension, and its logged errors. */
export interface Window extends WindowQuotas {
  readonly folder: string;
  readonly chats: Chats;
  readonly store: ChatStore;
  /** Opens a store for the chats of another workspace. */
  readonly storeAt: (folder: string) => ChatStore;
  readonly models: ModelRegistry;
  readonly defaults: () => ChatConfig;
  readonly settings: ReturnType<typeof spendSettings>;
  readonly model: RecordingModel;
  readonly clock: Clock;
  readonly files: MemoryFiles;
  readonly catalog: CatalogSource;
  readonly toolbox: Toolbox;
  readonly errors: LoupeError[];
  readonly closing: (() => Promise<void>)[];
}

export function buildWindow(root: string, counter: TokenCounter, options: WindowOptions): Window {
  const clock = options.clock ?? new RunningClock();
  const writerId = options.writerId ?? 'window';
  const system = { clock, random: randomOf(writerId) };
  const errors: LoupeError[] = [];
  const defaults = (): ChatConfig => ({ ...DEFAULTS, ...options.config });
  const logError = (error: unknown): void => {
    errors.push(toLoupeError(error));
  };
  const storeAt = (folder: string): ChatStore =>
    new ChatStore({
      ...system,
      root: folder,
      self: { writerId, pid: options.pid ?? process.pid, host: options.host ?? HOST },
      files: options.storage ?? nodeFiles,
      ticker: () => () => undefined,
      report: logError,
      restoreStep: options.restoreStep ?? RESTORE_STEP,
    });
  const store = storeAt(root);
  const model = new RecordingModel(new PracticeModel(clock, randomOf(`${writerId} model`), () => Promise.resolve(counter)));
  const provider = {
    id: 'practice',
    label: 'Practice',
    countsTokens: options.countsTokens ?? true,
    models: options.models ?? PRACTICE_MODELS,
    loadClient: () => Promise.resolve(model),
  };
  const models = registryOf(provider, counter, options);
  const files = options.files ?? new MemoryFiles();
  const toolbox = options.toolbox ?? toolboxOf(options.tools ?? NO_TOOLS);
  const catalog = catalogOf(options, files, toolbox);
  const settings = spendSettings(options);
  const noted = quotasIn(root, clock, logError);
  const chats = new Chats(store, {
    ...{ ...system, idleTimer: idleTimerOf(options) },
    writerId,
    models,
    catalog,
    meaning: new MeaningRanker({ catalog, embedder: () => options.embedder ?? null, sha256, clock, logError }),
    sha256,
    loadConverter: options.loadConverter ?? loadConverter,
    files,
    toolbox,
    quotas: noted.quotas,
    repository: options.repository ?? NO_MAP,
    watchFiles: options.watchFiles ?? (() => UNCHANGED),
    editor: editorOf(options, logError),
    logError,
    defaults,
    spendLimits: () => settings.spendLimits(),
    localTime: (at) => at,
    me: () => Promise.resolve(options.me?.() ?? null),
    folders: options.folders ?? (() => ['file:///workspace']),
  });
  const parts = { store, storeAt, models, defaults, settings, model, clock, files, catalog, toolbox, errors };
  return { folder: root, chats, ...noted, ...parts, closing: [] };
}

/** Without a catalog in the options, returns the catalog of `files`, which is read again at each call. */
function catalogOf({ catalog }: WindowOptions, files: MemoryFiles, toolbox: Toolbox): CatalogSource {
  if (catalog !== undefined) {
    return catalog;
  }
  const items = new ToolItems();
  const withTools = (written: Catalog): Catalog =>
    files.isRestricted()
      ? written
      : new Map([...written, ...items.of(toolbox.servers()).map((item) => [itemKey(itemOf(item)), item] as const)]);
  const kept = new Map<string, Catalog>();
  /** Returns the same object until the catalog changes, as the extension does. */
  const ofChat = async (chat: CatalogSettings): Promise<Catalog> => {
    const now = await files.had(chat, withTools(await files.catalog()));
    const before = kept.get(catalogSettingsKey(chat));
    const catalog = isDeepStrictEqual(before, now) ? (before ?? now) : now;
    kept.set(catalogSettingsKey(chat), catalog);
    return catalog;
  };
  return {
    isRestricted: files.isRestricted.bind(files),
    read: async () => withTools(await files.catalog()),
    ofChat,
    remarks: () => Promise.resolve(files.remarks),
    rank: async (message: string, most: number, { chat, loadsTools }: RankingScope) =>
      files.rank(message, await ofChat(chat), { most, loadsTools }),
    includesOf: async (agent: string) =>
      new Map([...chosenIncludes(files.includes, {}), ...chosenByAgent((await files.profiles()).get(agent)?.includes ?? new Map())]),
    profiles: files.profiles.bind(files),
  };
}

/** Returns the editor of a window. Without an editor in the options, requests contain no editor state. */
function editorOf({ editor }: WindowOptions, logError: (error: unknown) => void): Pick<EditorState, 'read'> {
  return editor === undefined ? { read: () => Promise.resolve([]) } : new EditorState({ source: editor, logError });
}

function registryOf(provider: Provider, counter: TokenCounter, { sources, counters }: WindowOptions): ModelRegistry {
  return new ModelRegistry([fixedSource([provider]), ...(sources ?? [])], counters ?? { get: () => Promise.resolve(counter) });
}

export class Windows {
  #counter: TokenCounter | null = null;
  readonly #folders: string[] = [];
  readonly #open: Window[] = [];
  #folder = '';

  get counter(): TokenCounter {
    if (this.#counter === null) {
      throw new Error('The counter is loaded before the first test.');
    }
    return this.#counter;
  }

  get folder(): string {
    return this.#folder;
  }

  async load(): Promise<void> {
    this.#counter = await loadTestCounter(PRACTICE_STANDARD.capabilities.counter);
  }

  async newFolder(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'loupe-host-'));
    this.#folders.push(this.#folder);
  }

  open(options: WindowOptions): Window {
    const window = buildWindow(this.#folder, this.counter, options);
    this.#open.push(window);
    return window;
  }

  /** Opens a window with a new chat, and sends the texts to the chat. */
  async openChat(options: WindowOptions, ...texts: readonly string[]): Promise<{ readonly window: Window; readonly session: ChatSession }> {
    const window = this.open(options);
    const session = await window.chats.create();
    for (const text of texts) {
      await session.conversation.send(text);
    }
    return { window, session };
  }

  async closeAll(): Promise<void> {
    // A window that a test left as killed has runs that never end. Only its files are closed.
    const open = this.#open.splice(0);
    await Promise.all(open.flatMap(({ closing }) => closing.map((close) => close())));
    await Promise.allSettled(open.map((window) => window.store.close()));
    for (const folder of this.#folders.splice(0)) {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** Registers the hooks that create and remove the storage of each test. */
export function useWindows(): Windows {
  const windows = new Windows();
  before(() => windows.load());
  beforeEach(() => windows.newFolder());
  afterEach(() => windows.closeAll());
  return windows;
}

/** Lets windows check what they wait for, as their tickers do, until `done` resolves. */
export async function lookUntil(done: Promise<unknown>, ...looking: readonly Window[]): Promise<void> {
  const over = new AbortController();
  const watched = done.finally(() => {
    over.abort();
  });
  while (!over.signal.aborted) {
    await Promise.all(looking.map(({ chats }) => chats.otherWindows.pollRuns()));
    await turn();
  }
  await watched;
}
