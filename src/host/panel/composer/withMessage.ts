import type { Model } from '../../../engine/model/model.js';
import type { ImagePart } from '../../../engine/model/part.js';
import { isImageKnown } from '../../../engine/tokens/imageTokens.js';
import { imageFacts } from '../../../protocol/images.js';
import type { WithMessageRow } from '../../../protocol/panel/composer.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { Draft, Drafts } from '../../chat/drafts.js';
import { imageMark, scaledImage } from '../../request/imageProblem.js';
import type { ContextRemovals, SwitchInSettings } from './contextRemovals.js';
import { configChange } from '../../../engine/chat/settings/configValues.js';
import { settingOf } from '../../../engine/chat/settings/config.js';
import { PART_SETTINGS, type PartSetting } from '../../../engine/chat/settings/editorSettings.js';
import { contextKey, isPick } from '../../../engine/request/gather.js';
import { workspaceKey } from '../../../engine/request/workspace.js';
import type { Chats } from '../../chat/chats.js';
import { EDITOR_PARTS, EXTENSION_PART } from '../../context/editorState/editorParts.js';
import type { Preview } from '../nextRequest/preview.js';
import { manifestBase } from '../../../engine/request/base.js';
import { itemKey, type FetchedPage, type SessionContextItem } from '../../../engine/record/item.js';
import { fileSize } from '../../../protocol/numbers.js';
import { PAGE_WARNINGS } from '../../context/pages/pageWarnings.js';

/** What the rows are made from: the draft, and the next request, which can be older than the draft. */
interface RowSource {
  readonly draft: Draft;
  readonly next: Preview;
  readonly state: ChatState;
}

/** One kind of row: how to list its rows, and how to remove one of them from the message. */
interface RowKind {
  readonly rows: (source: RowSource) => readonly WithMessageRow[];
  /** `id` is the key of the row without its kind. */
  readonly remove: (chatId: string, id: string, ports: RemovalPorts) => unknown;
}

interface RemovalPorts {
  readonly drafts: Pick<Drafts, 'removeImage'>;
  readonly chats: Pick<Chats, 'open'>;
  readonly removals: Pick<ContextRemovals, 'remove' | 'switchItem'>;
  readonly features: { readonly context: { readonly switchInSettings: SwitchInSettings } };
}

/** The kinds of rows in the order in which the message box shows them. Add a new kind of row here. */
const ROW_KINDS: Readonly<Record<WithMessageRow['kind'], RowKind>> = {
  image: {
    rows: imageRows,
    remove: (chatId, blob, { drafts }) => {
      drafts.removeImage(chatId, blob);
    },
  },
  editor: {
    rows: editorRows,
    remove: async (chatId, id, { chats }) => {
      const session = await chats.open(chatId);
      await (id === EXTENSION_ROW
        ? session.fragments.setWorkspace(null)
        : session.changeConfig(configChange(session.state.config, { [id]: 'off' })));
    },
  },
  page: {
    rows: newPageRows,
    remove: async (chatId, address, { chats, removals }) => {
      await removals.remove(await chats.open(chatId), [`page:${address}`], 'rows');
    },
  },
  pick: {
    rows: pickRows,
    remove: async (chatId, key, { chats, removals, features }) => {
      await removals.switchItem(await chats.open(chatId), { key, to: 'chat' }, features.context.switchInSettings);
    },
  },
};

/** Returns what goes with the message in the message box only. */
export function withMessageRows(source: RowSource): readonly WithMessageRow[] {
  return Object.values(ROW_KINDS).flatMap(({ rows }) => rows(source));
}

/** Removes the item of a row from the message. A row that no longer exists changes nothing. */
export function removeWithMessage(chatId: string, key: string, ports: RemovalPorts): unknown {
  const end = key.indexOf(':');
  const kind: RowKind | undefined = new Map<string, RowKind>(Object.entries(ROW_KINDS)).get(key.slice(0, end));
  return kind?.remove(chatId, key.slice(end + 1), ports);
}

function imageRows({ draft, next }: RowSource): readonly WithMessageRow[] {
  const composed = next.managed?.composed ?? null;
  const ofMessage = `message:${draft.messageId}/`;
  return draft.images.map((image, index) => {
    const size = next.sizeOf(({ key, part }) => key.startsWith(ofMessage) && part.type === 'image' && part.blob === image.blob);
    return {
      key: `image:${image.blob}`,
      kind: 'image',
      name: image.name ?? `Image ${String(index + 1)}`,
      detail: imageFacts(image),
      tokens: size?.tokens ?? null,
      isEstimate: composed === null || !isCounted(image, composed.model),
      price: size?.price ?? null,
      warning: composed === null ? null : imageMark(image, composed),
      score: null,
      isRemovable: true,
      image,
      scaled: composed === null ? null : scaledImage(image, composed),
    };
  });
}

function isCounted(image: ImagePart, { capabilities }: Pick<Model, 'capabilities'>): boolean {
  return capabilities.counterIsExact && isImageKnown(image, capabilities.imageTokens);
}

/** Parts of the editor state that cost a few tokens in each request. *Next request* lists them. */
const SMALL_PARTS: ReadonlySet<PartSetting> = new Set(['editorDate', 'editorFile']);

/** The id of the row of the text that another extension has set. */
const EXTENSION_ROW = 'extension';

/** Returns a row for each large part of the editor state. Removing a row switches off the part in this chat. */
function editorRows(source: RowSource): readonly WithMessageRow[] {
  return [
    ...PART_SETTINGS.filter((setting) => !SMALL_PARTS.has(setting)).flatMap((setting) => {
      const detail = `Remove it to switch off ${settingOf(setting).label} (Editor state) in the settings of this chat.`;
      return editorRow({ id: setting, part: EDITOR_PARTS[setting].name, detail }, source);
    }),
    ...editorRow(
      { id: EXTENSION_ROW, part: EXTENSION_PART, detail: 'Another extension has set this text. Remove it from this chat.' },
      source,
    ),
  ];
}

function editorRow(
  { id, part, detail }: { readonly id: string; readonly part: string; readonly detail: string },
  { next }: RowSource,
): readonly WithMessageRow[] {
  const wanted = workspaceKey(part);
  const size = next.sizeOf(({ item, form }) => item === wanted && form === 'full');
  return next.workspace
    .filter(({ key }) => key === wanted)
    .map(({ name }) => ({
      key: `editor:${id}`,
      kind: 'editor',
      name: `Editor: ${name}`,
      detail,
      tokens: size?.tokens ?? null,
      isEstimate: next.request?.basis !== 'exact',
      price: size?.price ?? null,
      warning: null,
      score: null,
      isRemovable: true,
      image: null,
      scaled: null,
    }));
}

/** The sizes of the next request, which can be older than the pages of the chat. */
type NextSizes = Pick<Preview, 'request' | 'sizeOf'>;

/** Returns the keys of the web pages that the next request sends for the first time. */
export function newPages(state: ChatState): ReadonlySet<string> {
  const sent = new Set(manifestBase(state)?.content?.blocks.map(({ item }) => item));
  return new Set([...state.context].flatMap(([key, { type }]) => (type === 'page' && !sent.has(key) ? [key] : [])));
}

/** Returns a row for each web page that the next request sends for the first time. */
function newPageRows({ state, next }: { readonly state: ChatState; readonly next: NextSizes }): readonly WithMessageRow[] {
  const fresh = newPages(state);
  return [...state.context].flatMap(([key, item]) =>
    item.page !== undefined && fresh.has(key) ? [pageRow(key, item, item.page, next)] : [],
  );
}

function pageRow(key: string, { name }: SessionContextItem, page: FetchedPage, { request, sizeOf }: NextSizes): WithMessageRow {
  const warning = page.warning === null ? null : PAGE_WARNINGS[page.warning];
  const size = sizeOf(({ item }) => item === key);
  return {
    key,
    kind: 'page',
    name: page.title,
    detail: [name, fileSize(page.bytes), ...(warning === null ? [] : [warning.text])].join('\n'),
    tokens: size?.tokens ?? null,
    isEstimate: request?.basis !== 'exact',
    price: size?.price ?? null,
    warning: warning === null ? null : warning.brief,
    score: null,
    isRemovable: true,
    image: null,
    scaled: null,
  };
}

/** Returns a row for each rule, reference and skill that Loupe picks for the text in the message box. */
function pickRows({ next }: RowSource): readonly WithMessageRow[] {
  const picked = next.managed?.composed.context.selection.picked ?? [];
  return picked
    .filter(({ type }) => type !== 'tool')
    .map((item) => {
      const key = itemKey(item);
      const size = next.sizeOf(({ item: of }) => of !== null && isPick(of) && contextKey(of) === key);
      return {
        key: `pick:${key}`,
        kind: 'pick',
        name: item.name,
        detail: 'Loupe will add this item, because its words match your text. Remove it to exclude it from this chat.',
        tokens: size?.tokens ?? null,
        isEstimate: next.request?.basis !== 'exact',
        price: size?.price ?? null,
        warning: null,
        score: item.similarityScore ?? null,
        isRemovable: true,
        image: null,
        scaled: null,
      };
    });
}
