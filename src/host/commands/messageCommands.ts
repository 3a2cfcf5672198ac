import * as vscode from 'vscode';
import { failure } from '../../engine/errors.js';
import { member } from '../../providers/json.js';
import type { ChatSession } from '../chat/chatSession.js';
import { lastMessage } from '../chat/lastMessage.js';
import type { DraftActions } from '../panel/composer/draftActions.js';
import type { Panel } from '../panel/shell/panel.js';
import type { RestoreOffer } from '../panel/composer/restoreOffer.js';
import type { ShownChat } from '../panel/shell/shownChat.js';
import { counted, price } from '../../protocol/numbers.js';
import type { Relayout } from '../../engine/next/relayout.js';

export interface MessageCommandPorts {
  readonly shown: ShownChat;
  readonly panel: Pick<Panel, 'focusComposer'>;
  readonly revealPanel: () => Promise<void>;
  readonly draftActions: DraftActions;
  readonly offer: Pick<RestoreOffer, 'retry' | 'view'>;
}

export const MESSAGE_COMMANDS = {
  'loupe.sendMessage': sendMessage,
  'loupe.editMessage': editMessage,
  'loupe.retry': retry,
  'loupe.stop': async ({ shown }: MessageCommandPorts, chatId: unknown) => (await shown.named(chatId)).conversation.stop(),
  'loupe.summarizeConversation': async ({ shown, revealPanel }: MessageCommandPorts, options: unknown) => {
    const upTo = member(options, 'upTo');
    const { compactor } = await shown.named(member(options, 'chatId'));
    if (options !== undefined) {
      await compactor.summarize(typeof upTo === 'string' ? upTo : null);
      return;
    }
    // Without arguments, the user reviews the summary first. With arguments (from extensions), no review.
    await compactor.preview.plan(null);
    await revealPanel();
  },
  'loupe.undoCompaction': async ({ shown }: MessageCommandPorts, chatId: unknown) => (await shown.named(chatId)).compactor.undo(),
  'loupe.rebuildLayout': async ({ shown }: MessageCommandPorts, chatId: unknown) => {
    const session = await shown.named(chatId);
    // Without arguments, the user must confirm. Other extensions pass arguments and get no question.
    await (chatId === undefined ? rebuildLayout(session) : session.context.rebuildLayout());
  },
};

async function sendMessage({ shown, panel, revealPanel }: MessageCommandPorts, text: unknown, options: unknown): Promise<void> {
  const session = await shown.named(member(options, 'chatId'));
  if (typeof text === 'string') {
    await session.conversation.send(text);
  } else {
    await revealPanel();
    panel.focusComposer();
  }
}

async function editMessage(
  { shown, draftActions, revealPanel }: MessageCommandPorts,
  messageId: unknown,
  text: unknown,
  options: unknown,
): Promise<void> {
  const session = await shown.named(member(options, 'chatId'));
  const id = typeof messageId === 'string' ? messageId : await lastUserMessage(session);
  if (typeof text === 'string') {
    await session.conversation.edit(id, text);
  } else {
    await revealPanel();
    await draftActions.beginEdit(session, id);
  }
}

async function retry({ shown, offer, revealPanel }: MessageCommandPorts, messageId: unknown, options: unknown): Promise<void> {
  const session = await shown.named(member(options, 'chatId'));
  const id = typeof messageId === 'string' ? messageId : await lastUserMessage(session);
  if (messageId !== undefined || options !== undefined) {
    await session.conversation.retry(id);
    return;
  }
  // Without arguments, offers to restore changed files. Other extensions pass arguments and get no question.
  await offer.retry(session, id);
  if (offer.view(session.id)?.cause === 'retry') {
    await revealPanel();
  }
}

async function lastUserMessage(session: ChatSession): Promise<string> {
  const id = await lastMessage(session, 'user');
  if (id === null) {
    throw failure('chat.noMessage');
  }
  return id;
}

/** Shows the price of rebuilding the prompt, then rebuilds it if the user agrees. Rejects when nothing would change. */
async function rebuildLayout(session: ChatSession): Promise<void> {
  const relayout = await session.context.relayout();
  if (relayout === null) {
    throw failure('chat.layoutNeedsNothing');
  }
  const asked = { modal: true, detail: relayoutInWords(relayout) };
  if ((await vscode.window.showInformationMessage('Rebuild the prompt of the next request?', asked, 'Rebuild')) !== undefined) {
    await session.context.rebuildLayout();
  }
}

function relayoutInWords({ droppedTokens, rewrittenTokens, cost, saving }: Relayout): string {
  const goes = `The rebuilt prompt has ${counted(droppedTokens, 'token')} less than the current prompt.`;
  if (cost === null || saving === null) {
    return `${goes} The provider writes ${counted(rewrittenTokens, 'token')} to its cache again.`;
  }
  const dear =
    cost <= 0 ? 'The rebuild costs nothing extra.' : `The cache write of ${counted(rewrittenTokens, 'token')} costs about ${price(cost)}.`;
  return `${goes} ${dear} Each later request costs about ${price(Math.max(0, saving))} less.`;
}
