import { lastRun } from '../../engine/chat/branch.js';
import type { AttemptState } from '../../engine/chat/slices/attempts.js';
import { NEXT_REQUEST } from '../../protocol/inspector/inspector.js';
import { failure } from '../../engine/errors.js';
import type { Inspectors } from '../inspector/inspectors.js';
import type { ShownChat } from '../panel/shell/shownChat.js';
import type { UsagePanel } from '../usage/usagePanel.js';

export interface RequestCommandPorts {
  readonly shown: Pick<ShownChat, 'named'>;
  readonly inspectors: Pick<Inspectors, 'showRequest' | 'showNext' | 'stay' | 'active' | 'exportActive' | 'showRawActive'>;
  readonly askToSendAgain: (chatId: string, attemptId: string) => Promise<void>;
  readonly usage: Pick<UsagePanel, 'show' | 'exportTo'>;
  readonly showLog: () => void;
}

export const REQUEST_COMMANDS = {
  'loupe.showRequest': showRequest,
  'loupe.previewNextRequest': async ({ shown, inspectors }: RequestCommandPorts, chatId: unknown) =>
    inspectors.showNext((await shown.named(chatId)).id),
  'loupe.showRawRequest': ({ inspectors }: RequestCommandPorts) => inspectors.showRawActive(),
  'loupe.exportRequest': ({ inspectors }: RequestCommandPorts, target: unknown) => inspectors.exportActive(target),
  'loupe.sendAgain': sendAgain,
  'loupe.showUsage': async ({ usage }: RequestCommandPorts, chatId: unknown) => {
    usage.show(typeof chatId === 'string' ? chatId : null);
  },
  'loupe.exportUsage': ({ usage }: RequestCommandPorts, target: unknown) => usage.exportTo(target, 'csv'),
  'loupe.showLog': async ({ showLog }: RequestCommandPorts) => {
    showLog();
  },
};

async function showRequest({ shown, inspectors }: RequestCommandPorts, chatId: unknown, messageId: unknown): Promise<void> {
  const session = await shown.named(chatId);
  const attempt = (lastRun(session.state) ?? lastRun(await session.whole()))?.attemptIds.at(-1);
  const id = typeof messageId === 'string' ? messageId : attempt;
  if (id === undefined) {
    throw failure('chat.noRequest');
  }
  await inspectors.showRequest(session.id, id);
}

/** Sends the message of a request again: of the request in the focused inspector, or of the chat's last reply. */
async function sendAgain({ shown, inspectors, askToSendAgain }: RequestCommandPorts, chatId: unknown): Promise<void> {
  const active = typeof chatId === 'string' ? null : inspectors.active;
  if (active !== null && active.id !== NEXT_REQUEST) {
    inspectors.stay(active.chatId);
    await askToSendAgain(active.chatId, active.id);
    return;
  }
  const session = await shown.named(active?.chatId ?? chatId);
  const isReply = ({ purpose }: AttemptState): boolean => purpose === 'reply';
  const last = [...session.state.attempts.values()].findLast(isReply) ?? [...(await session.whole()).attempts.values()].findLast(isReply);
  if (last === undefined) {
    throw failure('chat.noRequest');
  }
  await askToSendAgain(session.id, last.id);
}
