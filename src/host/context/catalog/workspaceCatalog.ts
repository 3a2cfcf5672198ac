import {
  chosenByAgent,
  serverKey,
  type AgentProfile,
  type AgentProfiles,
  type ChosenIncludes,
} from '../../../engine/context/agentProfile.js';
import { EMPTY_CATALOG, itemOf, remarksOn, type Catalog, type CatalogItem, type Remark } from '../../../engine/context/catalogItem.js';
import { mayUseServer, type ToolLimit } from '../../../engine/context/toolLimit.js';
import { itemKey } from '../../../engine/record/item.js';
import type { ToolServer, Tool } from '../../../engine/tools/tool.js';
import type { Score } from '../../../engine/context/rank/lexical.js';
import { ruleFamily } from '../files/ruleFamilies.js';
import { isUserPath, type UserFiles } from '../files/userFiles.js';
import { KeptFiles } from '../files/keptFiles.js';
import type { WorkspaceFiles } from '../files/workspaceFiles.js';
import { toLoupeError, type LoupeError } from '../../../engine/errors.js';
import { ChatCatalogs, catalogSettingsKey, type CatalogSettings } from './chatCatalogs.js';
import type { CatalogListing } from '../files/catalogListing.js';
import type { CatalogLocations } from '../files/catalogLocations.js';
import { mayBeNested } from '../files/catalogPlaces.js';
import type { CatalogRanker } from './catalogRanker.js';
import type { CatalogReading } from './readCatalog.js';
import type { WorkspacePrompt } from './readPrompts.js';
import type { UsedFamilies } from './ruleFormats.js';
import type { CatalogPath } from '../files/catalogPlaces.js';

export interface CatalogSource {
  /** Whether the workspace is in Restricted Mode. The catalog is then empty. */
  readonly isRestricted: () => boolean;
  /** Returns the catalog of the workspace; empty in an untrusted workspace. Never rejects. */
  readonly read: () => Promise<Catalog>;
  /** Returns the catalog for a chat with these settings. Ignores an unknown agent. Never rejects. */
  readonly ofChat: (chat: CatalogSettings) => Promise<Catalog>;
  /** Returns the include modes for all chats, changed by the agent's modes. Empty in Restricted Mode. Never rejects. */
  readonly includesOf: (agent: string) => Promise<ChosenIncludes>;
  /** Returns the agents of the workspace. Empty in Restricted Mode. Never rejects. */
  readonly profiles: () => Promise<AgentProfiles>;
  /** Returns a sentence for each problem that belongs to no single item. Never rejects. */
  readonly remarks: () => Promise<readonly Remark[]>;
  /** Returns the items that fit a message, best first, at most `most`. Never rejects. */
  readonly rank: (message: string, most: number, ranked: RankingScope) => Promise<readonly Score[]>;
}

export interface RankingScope {
  readonly chat: CatalogSettings;
  /** Whether the model loads tools on demand. Requests then list `onDemand` tools, and Loupe picks none of these. */
  readonly loadsTools: boolean;
}

interface CatalogContents {
  readonly catalog: Catalog;
  readonly profiles: AgentProfiles;
  readonly prompts: readonly WorkspacePrompt[];
  readonly remarks: readonly Remark[];
}

const NOTHING: CatalogContents = { catalog: EMPTY_CATALOG, profiles: new Map(), prompts: [], remarks: [] };

export interface ChangedFile {
  /** Absolute path. */
  readonly place: string;
  /** Whether the file existed before the change, and still exists. */
  readonly isThere: boolean;
}

export interface WorkspaceCatalogPorts {
  readonly files: () => WorkspaceFiles;
  /** Returns the absolute paths of rule files in subfolders. A rule applies to the files of its folder. */
  readonly findNested: () => Promise<readonly string[]>;
  /** Returns the folders in VS Code's settings. */
  readonly locations: () => CatalogLocations;
  readonly isTrusted: () => boolean;
  /** Returns the include modes for all chats. The modes of an agent take precedence. */
  readonly includes: () => ChosenIncludes;
  /** Returns the programs whose rules chats use. The rules of other programs are off. */
  readonly ruleFamilies: () => UsedFamilies;
  /** Returns the rules that the user has for all workspaces, as the settings name them. */
  readonly userFiles: () => UserFiles;
  readonly servers: () => readonly ToolServer[];
  readonly logInfo: (text: string) => void;
  readonly logError: (error: LoupeError) => void;
}

/** The catalog of the workspace. Loupe reads the catalog after each change, and finds rules in subfolders later. */
export class WorkspaceCatalog implements CatalogSource {
  readonly isRestricted: () => boolean;
  readonly #ports: WorkspaceCatalogPorts;
  #read: Promise<CatalogContents> | null = null;
  /** The rules of the user in the last reading. */
  #userFiles: UserFiles | null = null;
  #latest: Catalog = EMPTY_CATALOG;
  readonly #chatCatalogs = new ChatCatalogs();
  readonly #toolItems = new ToolItems();
  #merged: { readonly files: Catalog; readonly tools: readonly CatalogItem[]; readonly catalog: Catalog } | null = null;
  /** The ranker of each catalog, by the key from `catalogSettingsKey`. */
  readonly #rankers = new Map<string, CatalogRanker>();
  /** The absolute paths of rules in subfolders that the last search found. */
  #nested: readonly string[] = [];
  #searching: Promise<void> | null = null;
  /** The files of the catalog. Null when the files may have changed. */
  #listing: Promise<readonly [CatalogListing, Awaited<ReturnType<UserFiles['list']>>]> | null = null;
  /** The workspace paths of the files that the last reading read or looked for. */
  #reads = new Set<string>();
  readonly #kept = new KeptFiles();
  #foundMore: () => void = () => undefined;

  constructor(ports: WorkspaceCatalogPorts) {
    this.#ports = ports;
    this.isRestricted = () => !ports.isTrusted();
  }

  async read(): Promise<Catalog> {
    return this.#withTools((await this.#all()).catalog);
  }

  async ofChat(chat: CatalogSettings): Promise<Catalog> {
    const { catalog, profiles } = await this.#all();
    return this.#chatCatalogs.of(chat, this.#withTools(catalog), { profiles, common: this.#common() });
  }

  async includesOf(agent: string): Promise<ChosenIncludes> {
    const profile = (await this.profiles()).get(agent) ?? null;
    const ofAgent = new Map([...(profile?.includes ?? []), ...this.#unusedServers(profile?.limit ?? null)]);
    return new Map([...this.#common(), ...chosenByAgent(ofAgent)]);
  }

  /** Returns the mode `off` for each server without a tool that the agent may use. Loupe then does not start it. */
  #unusedServers(limit: ToolLimit | null): AgentProfile['includes'] {
    const servers = limit === null ? [] : this.#ports.servers().filter(({ name }) => !mayUseServer(name, limit));
    return new Map(servers.map(({ name }) => [serverKey(name), 'off']));
  }

  #common(): ChosenIncludes {
    return this.isRestricted() ? new Map() : this.#ports.includes();
  }

  async profiles(): Promise<AgentProfiles> {
    return (await this.#all()).profiles;
  }

  /** Returns the prompts of the workspace. Empty in Restricted Mode. Never rejects. */
  async prompts(): Promise<readonly WorkspacePrompt[]> {
    return (await this.#all()).prompts;
  }

  async remarks(): Promise<readonly Remark[]> {
    return (await this.#all()).remarks;
  }

  /** Adds the tools of the servers to the catalog. Returns the same object until files or tools change. */
  #withTools(files: Catalog): Catalog {
    const tools = this.isRestricted() ? [] : this.#toolItems.of(this.#ports.servers());
    const last = this.#merged;
    if (last?.files === files && last.tools.length === tools.length && last.tools.every((item, at) => item === tools[at])) {
      return last.catalog;
    }
    const catalog = tools.length === 0 ? files : new Map([...files, ...tools.map((item) => [itemKey(itemOf(item)), item] as const)]);
    this.#merged = { files, tools, catalog };
    return catalog;
  }

  #all(): Promise<CatalogContents> {
    if (this.isRestricted()) {
      return Promise.resolve(NOTHING);
    }
    this.#searching ??= this.#search();
    this.#read ??= this.#readAnew().catch((thrown: unknown) => this.#failed(thrown));
    return this.#read;
  }

  onFoundMore(listener: () => void): void {
    this.#foundMore = listener;
  }

  /** Ranks items. First waits for the search for rules in subfolders, so that requests can contain these rules. */
  async rank(message: string, most: number, { chat, loadsTools }: RankingScope): Promise<readonly Score[]> {
    await this.#all();
    await this.#searching;
    const catalog = await this.ofChat(chat);
    if (message.trim() === '' || catalog.size === 0) {
      return [];
    }
    // The ranker is loaded with the first message, because activation does not need it.
    const { CatalogRanker } = await import('./catalogRanker.js');
    const key = catalogSettingsKey(chat);
    const ranker = this.#rankers.get(key) ?? new CatalogRanker();
    this.#rankers.set(key, ranker);
    return ranker.rank(catalog, message, { most, loadsTools });
  }

  /** Whether the catalog depends on the file at an absolute path, such as a file that a rule imports. */
  isRead(place: string): boolean {
    return this.#reads.size > 0 && this.#pathsOf(place).some((path) => this.#reads.has(path));
  }

  /** Returns the paths of an absolute path: two for a rule of the user in a workspace folder. */
  #pathsOf(place: string): readonly string[] {
    const paths = [this.#ports.files().relative(place), this.#userFiles?.relative(place) ?? null];
    return paths.filter((path) => path !== null);
  }

  /** Call this after a change of a file. Pass null after a change of the workspace folders. */
  changed(file: ChangedFile | null): void {
    this.#read = null;
    for (const path of file === null ? [] : this.#pathsOf(file.place)) {
      this.#kept.fileChanged(path);
    }
    if (file?.isThere === true && this.isRead(file.place)) {
      return;
    }
    this.#kept.anyChanged();
    this.#listing = null;
    if (file === null || mayBeNested(file.place)) {
      this.#searching = null;
    }
  }

  /** Checks the rules of the user at the next reading. Returns false if the settings name none. */
  checkUserFiles(): boolean {
    const isUsed = this.#userFiles !== null && this.#userFiles.families.size > 0;
    if (isUsed) {
      this.#kept.anyChanged();
      this.settingsChanged();
    }
    return isUsed;
  }

  /** Call this after a change of the settings with programs or folders of rules. */
  settingsChanged(): void {
    this.#read = null;
    this.#listing = null;
  }

  /** Searches for rules in subfolders. Never rejects, because all other rules work without them. */
  async #search(): Promise<void> {
    try {
      const found = await this.#ports.findNested();
      if (found.join('\n') !== this.#nested.join('\n')) {
        this.#nested = found;
        this.#listing = null;
        this.#read = null;
        this.#foundMore();
      }
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
    }
  }

  /** Logs a failure. Returns an empty catalog with a remark, so that chats continue without rules. */
  #failed(thrown: unknown): CatalogContents {
    const error = toLoupeError(thrown);
    this.#ports.logError(error);
    return {
      ...NOTHING,
      remarks: remarksOn('', [
        `Loupe uses no rules, references, skills, agents and prompts, because reading their files failed. ${error.message}`,
      ]),
    };
  }

  async #readAnew(): Promise<CatalogContents> {
    const { files, logInfo, logError } = this.#ports;
    const [families, userFiles] = [this.#ports.ruleFamilies(), this.#ports.userFiles()];
    this.#userFiles = userFiles;
    const locations = this.#ports.locations();
    this.#listing ??= Promise.all([files().catalogPaths(this.#nested, locations), userFiles.list()]);
    const [{ paths: inWorkspace, skipped, remarks: unlisted }, own] = await this.#listing;
    const paths = [...own.paths, ...inWorkspace];
    const remarks = [...own.remarks, ...unlisted, ...tooMany(inWorkspace, skipped), ...remarksOn('', locations.problems)];
    for (const { text } of remarks) {
      logInfo(text);
    }
    if (paths.length === 0) {
      return { ...NOTHING, remarks };
    }
    // The YAML parser is loaded with the first rule, because activation does not need it.
    const { readContents } = await import('./readContents.js');
    const reads = new Set<string>();
    const read: CatalogReading['read'] = (path) => {
      reads.add(path);
      return this.#kept.read(path, isUserPath(path) ? userFiles : files());
    };
    this.#reads = reads;
    const isOff: CatalogReading['isOff'] = ({ path }) => {
      const family = ruleFamily(path);
      return families !== null && family !== null && !families.has(family);
    };
    const { catalog, profiles, prompts } = await readContents(paths, { read, isOff, logError }, this.#latest);
    this.#latest = catalog;
    this.#kept.keepOnly(reads);
    return { catalog, profiles, prompts: prompts.prompts, remarks: [...remarks, ...prompts.remarks] };
  }
}

function tooMany(paths: readonly CatalogPath[], leftOut: readonly CatalogPath[]): readonly Remark[] {
  const [first] = leftOut;
  if (first === undefined) {
    return [];
  }
  const [read, out] = [paths.length, leftOut.length].map((count) => count.toLocaleString('en'));
  return remarksOn(first.source, [
    `Loupe reads only the first ${read ?? ''} files of rules, references, skills, agents and prompts. It skips ${out ?? ''} files, from ${first.source} on.`,
  ]);
}

interface CachedTools {
  readonly from: readonly Tool[];
  readonly problem: string | null;
  readonly items: readonly CatalogItem[];
}

/** Makes catalog items of the servers' tools. Unchanged tools keep their items, so rankers do not index them again. */
export class ToolItems {
  readonly #made = new Map<string, CachedTools>();

  of(servers: readonly ToolServer[]): readonly CatalogItem[] {
    return servers.flatMap((server) => {
      const known = this.#made.get(server.name);
      const { tools, problem } = server;
      if (known?.from === tools && known.problem === problem) {
        return known.items;
      }
      const items = tools.map((tool) => toolItem(server, tool));
      this.#made.set(server.name, { from: tools, problem, items });
      return items;
    });
  }
}

function toolItem({ name: serverName, include, problem }: ToolServer, { name, description }: Tool): CatalogItem {
  return {
    type: 'tool',
    name,
    serverName,
    source: serverName,
    description,
    include,
    applies: null,
    offBy: null,
    priority: 0,
    text: description,
    problem: problem === null ? null : { code: 'serverFailed', text: problem },
    remarks: [],
    copies: [],
  };
}
