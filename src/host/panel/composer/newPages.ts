import { manifestBase } from '../../../engine/request/base.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { FetchedPage, SessionContextItem } from '../../../engine/record/item.js';
import { fileSize } from '../../../protocol/numbers.js';
import { PAGE_WARNINGS } from '../../context/pages/pageWarnings.js';
import type { WithMessageRow } from '../../../protocol/panel/withMessage.js';
import type { Preview } from '../nextRequest/preview.js';

/** The sizes of the next request, which can be older than the pages of the chat. */
type NextSizes = Pick<Preview, 'request' | 'sizeOf'>;

/** Returns the keys of the web pages that the next request sends for the first time. */
export function newPages(state: ChatState): ReadonlySet<string> {
  const sent = new Set(manifestBase(state)?.content?.blocks.map(({ item }) => item));
  return new Set([...state.context].flatMap(([key, { type }]) => (type === 'page' && !sent.has(key) ? [key] : [])));
}

/** Returns a row for each web page that the next request sends for the first time. */
export function newPageRows({ state, next }: { readonly state: ChatState; readonly next: NextSizes }): readonly WithMessageRow[] {
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
    isRemovable: true,
    image: null,
    scaled: null,
  };
}
