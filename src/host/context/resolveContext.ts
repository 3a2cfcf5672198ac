import { type Catalog, type CatalogItem, EMPTY_CATALOG, itemOf, type Remark, remarksOn } from '../../engine/context/catalogItem.js';
import { type FileContents, type FileRead, type FileReader, addContent } from '../../engine/context/fileContents.js';
import type { ResolvedContext, ResolvedItem } from '../../engine/next/resolved.js';
import type { NotSelectedReason, ResourceBase, SessionContextItem, WrittenType } from '../../engine/record/item.js';
import { isCatalogType, isResource, itemKey } from '../../engine/record/item.js';
import type { Score } from '../../engine/context/rank/lexical.js';
import { isSame } from '../../engine/same.js';
import type { Sha256 } from '../../engine/ports.js';
import { pickLimits, type Selection, select } from '../../engine/context/select.js';
import type { ChatState } from '../../engine/chat/state.js';
import { hasServer } from '../../engine/tools/serverName.js';
import type { CatalogText } from '../../engine/request/gather.js';
import type { Model } from '../../engine/model/model.js';
import { toLoupeError } from '../../engine/errors.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ShortenedRule } from '../../engine/context/repeatedSections.js';
import type { CatalogSettings } from './catalog/chatCatalogs.js';
import { shortenedRules } from './catalog/shortenedRules.js';
import type { CatalogSource } from './catalog/workspaceCatalog.js';
import { parseSelectionName } from './selectionName.js';

const NOTHING_SELECTED: Selection = { always: [], onDemand: [], picked: [], forFiles: [], absent: [] };

/** What a context is made from. All members but `contents` and `scores` are the same objects until they change. */
interface ContextInputs extends WantedContext {
  readonly chat: ContextChat;
  readonly known: KnownCatalog;
  readonly contents: readonly ItemContent[];
  /** The remarks on the files of the catalog. */
  readonly remarks: readonly Remark[];
}

type ContextChat = Pick<ChatState, 'context' | 'removed' | 'declined' | 'config'>;

type Context = Omit<ResolvedContext, 'repository'>;

/** Reads the context of a chat. Keeps the last one until something that it depends on changes: few key presses do. */
export class ContextReader {
  readonly #sources: ContextSources;
  #last: { readonly from: ContextInputs; readonly context: Context } | null = null;

  constructor(sources: ContextSources) {
    this.#sources = sources;
  }

  /**
   * Reads all context items of a chat, and selects catalog items for the chat's files and the message. Never rejects.
   * An item that cannot be read is not selected, and the result has the reason.
   */
  async read(chat: ContextChat, wanted: WantedContext): Promise<Context> {
    const from = await contextInputs(chat, wanted, this.#sources);
    const last = this.#last;
    const context = last !== null && isSameContext(last.from, from) ? last.context : contextOf(from, this.#sources);
    this.#last = { from, context };
    return context;
  }
}

async function contextInputs(
  chat: ContextChat,
  { scores, tools, model }: WantedContext,
  { files: reader, blobs, catalog, toolbox }: ContextSources,
): Promise<ContextInputs> {
  const { context } = chat;
  const needsCatalog = scores !== null || [...context.values()].some(({ type }) => isCatalogType(type));
  const current = needsCatalog ? await catalog.ofChat(chat.config) : EMPTY_CATALOG;
  const known: KnownCatalog = { items: tools === null ? current : withTools(current, tools), isRestricted: catalog.isRestricted() };
  const held = [...context.values()].filter((item) => isOffered(item, chat.config, known));
  const contents = held.length === 0 ? [] : await Promise.all(held.map((item) => lookUp(item, reader, { blobs, known, toolbox })));
  return { chat, scores, tools, model, known, contents, remarks: needsCatalog ? await catalog.remarks() : [] };
}

/** Whether two contexts are equal. Never for rules with regular expressions: their time also decides. */
function isSameContext(last: ContextInputs, now: ContextInputs): boolean {
  return (
    last.chat === now.chat &&
    last.known.items === now.known.items &&
    last.known.isRestricted === now.known.isRestricted &&
    last.tools === now.tools &&
    last.model.capabilities === now.model.capabilities &&
    isSame(last.remarks, now.remarks) &&
    isSame(last.scores, now.scores) &&
    isSame(last.contents, now.contents) &&
    !hasExpressions(now.known.items)
  );
}

function hasExpressions(catalog: Catalog): boolean {
  return [...catalog.values()].some(({ applies }) => (applies?.expressions ?? null) !== null);
}

function contextOf(
  { chat, scores, model, known, contents: looked, remarks: ofFiles }: ContextInputs,
  { sha256 }: Pick<ContextSources, 'sha256'>,
): Context {
  const { context } = chat;
  const resolved: ResolvedItem[] = [];
  const files = new Map<string, string>();
  for (const { item, content, problem } of looked) {
    const notSelectedReason = content === null ? problem : isCatalogType(item.type) ? null : addContent(files, item.name, content);
    resolved.push({ item, hash: content === null ? null : sha256(content), notSelectedReason });
  }
  const isForFile = filesMatcher(known.items, context, files);
  const { tools: takesTools, toolsOnDemand: loadsTools } = model.capabilities;
  const selection =
    scores === null
      ? NOTHING_SELECTED
      : select({ catalog: known.items, chat, isForFile, takesTools, loadsTools, scores, limits: pickLimits(chat.config) });
  const inRequest = new Set([
    ...resolved.flatMap(({ item, notSelectedReason }) => (notSelectedReason === null ? [itemKey(item)] : [])),
    ...selection.forFiles.map(itemKey),
    ...selection.always.map(itemKey),
    ...selection.onDemand.map(itemKey),
    ...selection.picked.filter(({ type }) => type === 'tool').map(itemKey),
  ]);
  const textsOf = (keys: Iterable<string>, shortened: ReadonlyMap<string, ShortenedRule>): CatalogText[] =>
    [...keys].flatMap((key) => {
      const item = known.items.get(key);
      if (item === undefined || item.type === 'tool') {
        return [];
      }
      const short = shortened.get(key);
      const text = catalogText(key, item.type, { ...item, ...short });
      return [short === undefined ? text : { ...text, pointers: short.pointers }];
    });
  // Uses the order of the catalog, not of adding, so that equal rules give an equal prompt.
  const standingKeys = [...known.items.keys()].filter((key) => inRequest.has(key));
  const rules = standingKeys.flatMap((key) => known.items.get(key) ?? []).filter(({ type }) => type === 'rule');
  const standing = [...textsOf(standingKeys, shortenedRules(rules)), ...resourceTexts(looked)];
  const remarks = [...ofFiles, ...[...known.items.values()].flatMap(remarksOf)];
  const picked = textsOf(selection.picked.map(itemKey), new Map());
  const tools = [...known.items].flatMap(([key, item]) => (item.type === 'tool' && inRequest.has(key) ? [item] : []));
  return { files, standing, picked, tools, resolved, selection, catalog: known.items, isRestricted: known.isRestricted, remarks };
}

function remarksOf({ source, applies, remarks }: CatalogItem): readonly Remark[] {
  const isSlow = applies?.expressions?.areSlow() === true;
  const slow = `A regular expression of ${source} takes too long, so Loupe does not send the file. Simplify "regex" in the file.`;
  return isSlow ? [...remarks, ...remarksOn(source, [slow])] : remarks;
}

/** Whether a request can contain the item. False for a tool of a server that is off, unless the run began with it. */
function isOffered(item: SessionContextItem, config: CatalogSettings, { items }: KnownCatalog): boolean {
  return item.type !== 'tool' || hasServer(config, item.serverName) || items.has(itemKey(item));
}

/** What a request takes from the catalog in addition to the chat's context. */
export interface WantedContext {
  /** How well each catalog item matches the message. Null to pick no items. */
  readonly scores: readonly Score[] | null;
  /** The request can offer only these tools. Null for all tools of the catalog. */
  readonly tools: readonly CatalogItem[] | null;
  readonly model: Pick<Model, 'capabilities'>;
}

function withTools(catalog: Catalog, tools: readonly CatalogItem[]): Catalog {
  const others = [...catalog].filter(([, { type }]) => type !== 'tool');
  return new Map([...others, ...tools.map((item) => [itemKey(itemOf(item)), item] as const)]);
}

export interface ContextSources {
  readonly files: FileReader;
  readonly sha256: Sha256;
  readonly blobs: Pick<Blobs, 'get'>;
  readonly catalog: CatalogSource;
  readonly toolbox: { readonly resources: ResourceTexts };
}

export interface ResourceTexts {
  known(item: ResourceBase): FileRead;
}

interface KnownCatalog {
  readonly items: Catalog;
  readonly isRestricted: boolean;
}

const CATALOG_TEXTS: Readonly<Record<WrittenType, Pick<CatalogText, 'category'> & { readonly title: string }>> = {
  rule: { category: 'rules', title: 'Rules' },
  reference: { category: 'references', title: 'Reference' },
  skill: { category: 'skills', title: 'Skill' },
};

export function catalogText(
  key: string,
  type: WrittenType,
  { name, source, copies, text }: Pick<CatalogItem, 'name' | 'source' | 'copies' | 'text'>,
): CatalogText {
  const sources = [...(name === source ? [] : [source]), ...copies];
  const from = sources.length === 0 ? '' : ` (${sources.join(', ')})`;
  return {
    key,
    category: CATALOG_TEXTS[type].category,
    text: `# ${CATALOG_TEXTS[type].title}: ${name}${from}\n\n${text ?? ''}`,
  };
}

interface ItemContent {
  readonly item: SessionContextItem;
  readonly content: string | null;
  readonly problem: NotSelectedReason | null;
}

async function lookUp(
  item: SessionContextItem,
  reader: FileReader,
  { blobs, known, toolbox }: Pick<ContextSources, 'blobs' | 'toolbox'> & { readonly known: KnownCatalog },
): Promise<ItemContent> {
  if (isResource(item) && !known.isRestricted) {
    return lookedUp(item, toolbox.resources.known(item));
  }
  if (isCatalogType(item.type)) {
    return lookUpInCatalog(item, known);
  }
  if (item.given !== null) {
    return 'inline' in item.given ? { item, content: item.given.inline, problem: null } : keptText(item, item.given.blob, blobs);
  }
  return lookedUp(item, await reader.read(item.name));
}

function lookedUp(item: SessionContextItem, read: FileRead): ItemContent {
  return read.ok ? { item, content: read.content, problem: null } : { item, content: null, problem: read.problem };
}

/** Returns the texts of resources, sorted by key, so that equal resources give an equal prompt. */
function resourceTexts(looked: readonly ItemContent[]): readonly CatalogText[] {
  const texts = looked.flatMap(({ item, content }) =>
    content === null || !isResource(item)
      ? []
      : [catalogText(itemKey(item), 'reference', { name: item.name, source: `server ${item.serverName}`, copies: [], text: content })],
  );
  return texts.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function lookUpInCatalog(item: SessionContextItem, { items, isRestricted }: KnownCatalog): ItemContent {
  const found = items.get(itemKey(item));
  if (isRestricted) {
    return { item, content: null, problem: { code: 'restricted' } };
  }
  if (found === undefined) {
    return { item, content: null, problem: { code: 'notInCatalog' } };
  }
  return found.offBy === null
    ? { item, content: found.text, problem: found.problem }
    : { item, content: null, problem: { code: 'disabled', by: found.offBy } };
}

async function keptText(item: SessionContextItem, blob: string, blobs: Pick<Blobs, 'get'>): Promise<ItemContent> {
  try {
    return { item, content: Buffer.from(await blobs.get(blob)).toString('utf8'), problem: null };
  } catch (thrown) {
    return { item, content: null, problem: { code: 'givenTextGone', text: toLoupeError(thrown).message } };
  }
}

/** Catalog items that apply to the files of a chat. Cached, because the preview after each key press needs them. */
interface MatchedItems {
  readonly paths: readonly string[];
  /** The texts of the files; empty if no item depends on texts. */
  readonly texts: readonly (string | null)[];
  readonly items: ReadonlySet<CatalogItem>;
}

const lastMatched = new WeakMap<Catalog, MatchedItems>();

/** Returns a function that tests whether a catalog item applies to a file or selection of the chat. */
function filesMatcher(
  catalog: Catalog,
  context: ReadonlyMap<string, SessionContextItem>,
  contents: FileContents,
): (item: CatalogItem) => boolean {
  const names = [...context.values()].flatMap(({ type, name }) => (type === 'file' ? [name] : []));
  const paths = names.map((name) => parseSelectionName(name).path);
  const texts = hasExpressions(catalog) ? names.map((name) => contents.get(name) ?? null) : [];
  const before = lastMatched.get(catalog);
  const isKnown = before !== undefined && isSame(before.paths, paths) && isSame(before.texts, texts);
  const matched = isKnown ? before : { paths, texts, items: matchedItems(catalog, paths, texts) };
  lastMatched.set(catalog, matched);
  return (item) => matched.items.has(item);
}

function matchedItems(catalog: Catalog, paths: readonly string[], texts: MatchedItems['texts']): ReadonlySet<CatalogItem> {
  return new Set(
    [...catalog.values()].filter(({ applies }) => applies !== null && paths.some((path, at) => applies.matches(path, texts[at] ?? null))),
  );
}
