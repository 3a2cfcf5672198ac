import type { ChatConfig } from '../../engine/chat/config.js';
import type { ChatListItem } from '../../protocol/view.js';
import type { SessionPorts } from './chatSession.js';
import type { RequestPorts } from './requests.js';

/** What the chats of a window need from outside. */
export type ChatsPorts = SessionPorts &
  RequestPorts & {
    /** The config a new chat starts with, from the settings as they are now. */
    defaults(): ChatConfig;
    /** URIs of the workspace folders. */
    folders(): readonly string[];
  };

/** What the list of chats needs to hear. */
export interface ChatsListener {
  /** A chat came, went or changed; null when it may be any. */
  changed(chatId: string | null): void;
}

/** What another window did to a chat of this one. */
export interface OtherWindowListener {
  deleted(chat: Pick<ChatListItem, 'id' | 'title'>): void;
  broughtBack(chatId: string): void;
}
