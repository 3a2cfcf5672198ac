import { manifestBase } from '../../../engine/request/base.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { FetchedPage, SessionContextItem } from '../../../engine/record/item.js';
import { fileSize } from '../../../protocol/numbers.js';
import type { SizeOfBlocks } from '../../../engine/next/blockSizes.js';
import { PAGE_WARNINGS } from '../../context/pages/pageWarnings.js';
import type { WithMessageRow } from '../../../protocol/panel/withMessage.js';

interface RequestSizes {
  readonly sizeOf: SizeOfBlocks;
}

/** Returns the keys of the web pages that the next request sends for the first time. */
export function newPages(state: ChatState): ReadonlySet<string> {
  const sent = new Set(manifestBase(state)?.content?.blocks.map(({ item }) => item));
  return new Set([...state.context].flatMap(([key, { type }]) => (type === 'page' && !sent.has(key) ? [key] : [])));
}

/** Returns a row for each web page that the next request sends for the first time. */
export function newPageRows(state: ChatState, next: RequestSizes): readonly WithMessageRow[] {
  const fresh = newPages(state);
  return [...state.context].flatMap(([key, item]) =>
    item.page !== undefined && fresh.has(key) ? [pageRow(key, item, item.page, next)] : [],
  );
}

function pageRow(key: string, { name }: SessionContextItem, page: FetchedPage, next: RequestSizes): WithMessageRow {
  const warning = page.warning === null ? null : PAGE_WARNINGS[page.warning];
  const size = next.sizeOf(({ item }) => item === key);
  return {
    key,
    kind: 'page',
    name: page.title,
    detail: [name, fileSize(page.bytes), ...(warning === null ? [] : [warning.text])].join('\n'),
    tokens: size?.tokens ?? null,
    isEstimate: true,
    price: size?.price ?? null,
    warning: warning === null ? null : warning.brief,
    isRemovable: true,
    image: null,
  };
}
