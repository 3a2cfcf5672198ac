import type { ToHost } from '../../src/protocol/toHost.js';

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

/** Whether the button of the message goes with its click, so that the focus would be nowhere: the message box gets it. */
export function typesOn({ type }: ToHost): boolean {
  return TYPES_ON.has(type);
}
