import type { ChatConfig } from './config.js';

/** The event that every chat begins with. */
export interface ChatCreated {
  readonly type: 'chat-created';
  readonly chatId: string;
  readonly config: ChatConfig;
  /** URIs of the workspace folders it was created in, so that it can be found when their storage moves. */
  readonly folders: readonly string[];
  /** The chat and the message it was forked from. */
  readonly parent: { readonly chatId: string; readonly messageId: string } | null;
}
