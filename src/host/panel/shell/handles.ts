import type { LoupeError } from '../../../engine/errors.js';
import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { Chats } from '../../chat/chats.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Drafts } from '../../chat/drafts.js';
import type { ShownLimits } from '../../chat/spend/shownLimits.js';
import type { Banners } from '../../window/banners.js';
import type { Handlers } from '../../window/receiver.js';
import type { ContextRemovals } from '../composer/contextRemovals.js';
import type { DraftActions } from '../composer/draftActions.js';
import type { RestoreOffer } from '../composer/restoreOffer.js';
import type { Introduction } from './introduction.js';
import type { Panel } from './panel.js';
import type { ShownChat } from './shownChat.js';
import type { PanelFeatures } from './panelFeatures.js';

/** What the handlers of a panel's messages can use. */
export interface HandlerRoom {
  readonly chats: Pick<Chats, 'open' | 'spentSums'>;
  readonly panelId: string;
  readonly panel: Panel;
  readonly shown: ShownChat;
  readonly banners: Pick<Banners, 'show' | 'hide'>;
  readonly drafts: Pick<Drafts, 'get' | 'typed' | 'removeImage' | 'replaceImage' | 'beginRead' | 'endRead'>;
  readonly draftActions: DraftActions;
  readonly offer: Pick<RestoreOffer, 'set' | 'retry' | 'answerRetry' | 'dropRetry'>;
  readonly limits: Pick<ShownLimits, 'show' | 'set'>;
  readonly introduction: Pick<Introduction, 'goTo'>;
  readonly removals: ContextRemovals;
  readonly features: PanelFeatures;
  readonly logError: (error: LoupeError) => void;
}

export type MessageOf<Type extends ToHost['type']> = Extract<ToHost, { readonly type: Type }>;

export type RoomHandlers = Partial<Handlers<ToHost>>;

type ChatMessage = Extract<ToHost, { readonly chatId: string }>;

/** Returns handlers of messages about a chat. Each handler gets the session of the chat, which is opened first. */
export function inChat<Type extends ChatMessage['type']>(
  { chats }: Pick<HandlerRoom, 'chats'>,
  handlers: { readonly [K in Type]: (session: ChatSession, message: MessageOf<K>) => unknown },
): Pick<Handlers<ToHost>, Type> {
  const handled = (Object.keys(handlers) as Type[]).map((type) => {
    // TypeScript cannot relate the type of a message to its handler.
    const handle = handlers[type] as (session: ChatSession, message: ChatMessage) => unknown;
    return [type, async (message: ChatMessage) => handle(await chats.open(message.chatId), message)] as const;
  });
  return Object.fromEntries(handled) as unknown as Pick<Handlers<ToHost>, Type>;
}
