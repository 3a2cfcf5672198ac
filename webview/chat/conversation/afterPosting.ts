import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { ConversationElement } from './conversation.js';

const TYPES_ON: ReadonlySet<ToHost['type']> = new Set<ToHost['type']>([
  'send',
  'sendQueued',
  'stop',
  'retry',
  'continue',
  'goOnOnce',
  'answerSpend',
  'answerServer',
  'sendWithoutServers',
  'cancelEdit',
]);

/** What these do shows at the end of the conversation. */
const LEADS_TO_END: ReadonlySet<ToHost['type']> = new Set<ToHost['type']>([
  'send',
  'sendQueued',
  'bringBack',
  'retry',
  'continue',
  'goOnOnce',
]);

/**
 * What the panel does after it has posted a message. The button of some goes with its click, so that the focus would be nowhere: the
 * message box gets it. What the user has done comes into sight.
 */
export function afterPosting({ type }: ToHost, panel: ParentNode, focusComposer: () => void): void {
  if (LEADS_TO_END.has(type)) {
    panel.querySelector<ConversationElement>('loupe-conversation')?.toEnd();
  }
  if (TYPES_ON.has(type)) {
    focusComposer();
  }
}
