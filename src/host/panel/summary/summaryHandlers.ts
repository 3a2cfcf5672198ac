import type { ToHost } from '../../../protocol/panel/toHost.js';
import type { Handlers } from '../../window/receiver.js';
import type { Chats } from '../../chat/chats.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { messageIdOf } from '../conversation/turns.js';

/** Returns the handlers of messages about summaries, pins and exclusions. */
export function summaryHandlers({ chats }: { readonly chats: Pick<Chats, 'open'> }) {
  const open = (chatId: string): Promise<ChatSession> => chats.open(chatId);
  return {
    async summarize({ chatId, upTo }) {
      const session = await open(chatId);
      await session.compactor.summarizeOnShow(upTo === null ? null : messageIdOf(session.state, upTo));
    },
    async planSummary({ chatId, upTo }) {
      const session = await open(chatId);
      await session.compactor.preview.plan(upTo === null ? null : messageIdOf(session.state, upTo));
    },
    writeSummary: async ({ chatId }) => (await open(chatId)).compactor.preview.write(),
    async openSummaryRows({ chatId, part, isOpen }) {
      (await open(chatId)).compactor.preview.openRows(part, isOpen);
    },
    showSummaryText: async ({ chatId }) => (await open(chatId)).compactor.preview.showText(),
    editSummary: async ({ chatId, summaryId }) => (await open(chatId)).compactor.preview.edit(summaryId),
    summaryTyped: async ({ chatId, text }) => (await open(chatId)).compactor.preview.typed(text),
    applySummary: async ({ chatId, text }) => (await open(chatId)).compactor.preview.apply(text),
    cancelSummary: async ({ chatId }) => (await open(chatId)).compactor.cancelOnShow(),
    dismissSummary: async ({ chatId }) => (await open(chatId)).compactor.dismiss(),
    undoSummary: async ({ chatId }) => (await open(chatId)).compactor.undo(),
    bringBackFact: async ({ chatId, summaryId, fact }) => (await open(chatId)).compactor.restoreFact(summaryId, fact),
    async pin({ chatId, messageId }) {
      const session = await open(chatId);
      await session.marks.pin(messageIdOf(session.state, messageId));
      await session.compactor.preview.planAgain();
    },
    async unpin({ chatId, messageId }) {
      const session = await open(chatId);
      await session.marks.unpin(messageIdOf(session.state, messageId));
      await session.compactor.preview.planAgain();
    },
    async exclude({ chatId, messageId, call, leaves }) {
      const session = await open(chatId);
      const { state, marks } = session;
      const marked = messageIdOf(state, messageId);
      await (call === null ? marks.exclude(marked, leaves) : marks.excludeCall(marked, call, leaves));
      await session.compactor.preview.planAgain();
    },
    async include({ chatId, messageId, call }) {
      const session = await open(chatId);
      const { state, marks } = session;
      const marked = messageIdOf(state, messageId);
      await (call === null ? marks.include(marked) : marks.includeCall(marked, call));
      await session.compactor.preview.planAgain();
    },
  } satisfies Partial<Handlers<ToHost>>;
}
