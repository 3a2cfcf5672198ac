import type { FoundMessage, PanelSearchRole, SearchResults } from '../../../src/protocol/panel/search.js';
import { CHAT_ID, MINUTE } from './parts.js';
import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ImageResponse } from '../../../src/protocol/images.js';

/** A chart of the tide at a gauge over a day. */
const CHART = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 480" preserveAspectRatio="none"><rect width="640" height="480" fill="#f7fafc"/>
<g stroke="#c8d4dc">${[120, 240, 360].map((y) => `<path d="M40 ${y}H620"/>`).join('')}</g><path d="M40 20V440H620" fill="none" stroke="#52606d" stroke-width="3"/>
<path d="M40 240C110 60 180 60 250 240S390 420 460 240 560 80 620 110" fill="none" stroke="#0b6bcb" stroke-width="7"/></svg>`;

/** The reply of the host to a request for an image: a chart, or a problem for the blob `gone`. */
export function shownImage({ chatId, blob }: Extract<ToHost, { readonly type: 'showImage' }>): ImageResponse {
  const image = { type: 'image', chatId, blob } as const;
  return blob === 'gone'
    ? { ...image, url: null, problem: 'Saved content of this chat could not be read.' }
    : { ...image, url: `data:image/svg+xml,${encodeURIComponent(CHART)}`, problem: null };
}

const HOUR = 60 * MINUTE;

/** The reply of the host to any search: all messages of the searched role. */
export function searchResults({ text, role }: { readonly text: string; readonly role: PanelSearchRole }, now: number): SearchResults {
  const messages = MESSAGES.map((message) => ({ ...message, match: text, at: now - message.at }));
  return {
    type: 'searchResults',
    text,
    role,
    messages: text === '' ? [] : messages.filter((message) => role === 'all' || message.role === role),
    isCut: false,
    unread: 0,
    failure: null,
  };
}

/** The messages. `at` is the age of a message. */
const MESSAGES: readonly Omit<FoundMessage, 'match'>[] = [
  {
    chatId: CHAT_ID,
    chatTitle: 'Make the token counter linear',
    messageId: 'a1',
    role: 'assistant',
    at: 2 * HOUR,
    before: 'A lone ',
    after: ' is three bytes in UTF-8, so the counter has to look at pairs before it cuts.…',
  },
  {
    chatId: CHAT_ID,
    chatTitle: 'Make the token counter linear',
    messageId: 'u1',
    role: 'user',
    at: 2 * HOUR + MINUTE,
    before: 'What happens to a ',
    after: ' that is cut in two?',
  },
  {
    chatId: 'other1',
    chatTitle: 'Why does CI hang on Windows?',
    messageId: 't1',
    role: 'tool-results',
    at: 48 * HOUR,
    before: '…warning: lone ',
    after: ' in log line 4,182',
  },
];
