import * as vscode from 'vscode';
import type { Chats } from '../../chat/chats.js';
import { textWithoutLinks } from '../../window/plainText.js';
import { systemClock } from '../../window/systemPorts.js';
import { type IdleNotice, IdleNotices, type IdleNoticesPorts } from './idleNotices.js';

/** Not in `package.json`, because only the links of notifications run it. */
const COMMAND = 'loupe.answerIdleOffer';

interface ShowIdleNoticesPorts extends Pick<IdleNoticesPorts, 'isVisible'> {
  readonly chats: IdleNoticesPorts['chats'] & Pick<Chats, 'open'>;
  readonly fail: (thrown: unknown) => void;
}

/** Shows notifications about idle chats, and does what the user chooses there. */
export function showIdleNotices(
  { chats, isVisible, fail }: ShowIdleNoticesPorts,
  { subscriptions }: Pick<vscode.ExtensionContext, 'subscriptions'>,
): IdleNotices {
  const answer = async (chatId: string, action: 'summarize' | 'keepWarm' | 'leave'): Promise<void> => {
    const { idle } = await chats.open(chatId);
    await (action === 'leave' ? idle.leave() : idle.choose(action));
  };
  subscriptions.push(
    vscode.commands.registerCommand(COMMAND, (...args: Parameters<typeof answer>) => {
      // Does not wait, because a summary takes a while.
      void answer(...args).catch(fail);
    }),
  );
  return new IdleNotices({ chats, isVisible, now: () => systemClock.now(), show: showIdleNotice });
}

/** Shows a notification as progress, because VS Code closes no other notification for an extension. */
function showIdleNotice({ chatId, text, actions }: IdleNotice, ended: Promise<void>): void {
  const link = (label: string, action: string): string =>
    `[${label}](command:${COMMAND}?${encodeURIComponent(JSON.stringify([chatId, action]))})`;
  const links = [...actions.map(({ label, action }) => link(label, action)), link('Leave it', 'leave')];
  const title = `${textWithoutLinks(text)} ${links.join(' · ')}`;
  void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => ended);
}
