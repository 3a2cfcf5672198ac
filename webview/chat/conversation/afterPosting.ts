import type { ToHost } from '../../../src/protocol/panel/toHost.js';

const TYPES_ON: ReadonlySet<ToHost['type']> = new Set<ToHost['type']>([
  'send',
  'sendQueued',
  'stop',
  'retry',
  'continue',
  'goOnOnce',
  'excludeTool',
  'setKeyAndRetry',
  'answerSpend',
  'answerServer',
  'sendWithoutServers',
  'cancelEdit',
]);

/** Types of messages to the host with a visible effect at the end of the conversation. */
const LEADS_TO_END: ReadonlySet<ToHost['type']> = new Set<ToHost['type']>([
  'send',
  'sendQueued',
  'bringBack',
  'retry',
  'continue',
  'goOnOnce',
  'excludeTool',
]);

/** After the panel has sent a message: scrolls to the end (`LEADS_TO_END`) and focuses the message box (`TYPES_ON`). */
export function afterPosting({ type }: ToHost, panel: ParentNode, focusComposer: () => void): void {
  if (LEADS_TO_END.has(type)) {
    panel.querySelector('loupe-conversation')?.toEnd();
  }
  if (TYPES_ON.has(type)) {
    focusComposer();
  }
}
