import type { DraftView } from '../../../protocol/panel/view.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { Draft } from '../../chat/drafts.js';
import { storedImage } from '../../context/images/addImages.js';
import { type HandlerRoom, inChat, type RoomHandlers, type MessageOf } from '../shell/handles.js';
import { type ChatNow, ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { commandRows, runChatCommand } from './chatCommands.js';
import { chipRows, itemKeys } from './contextChips.js';
import { newPages, removeWithMessage, withMessageRows } from './withMessage.js';

/** Derives the draft, what goes with it, and the chips of context items. */
export function composerSlices(room: PanelRoom): PanelSlices<'draft' | 'withMessage' | 'restoreOffer' | 'context' | 'contextTotal'> {
  return {
    draft: ofChat(['draft'], ({ session }) => draftView(room.drafts.get(session.id), room.id)),
    withMessage: ofChat(['chat', 'draft', 'next'], ({ session, next }) =>
      withMessageRows({ draft: room.drafts.get(session.id), next, state: session.state }),
    ),
    restoreOffer: ofChat(['draft'], ({ session }) => room.restoreOffer(session.id)),
    context: ofChat(['chat', 'next', 'open'], (shown) => shownChips(shown).context),
    contextTotal: ofChat(['chat', 'next', 'open'], (shown) => shownChips(shown).contextTotal),
  };
}

/** Returns the chips. Rows of the message box show a new web page until it is sent. */
function shownChips({ session, next, open }: ChatNow): ReturnType<typeof chipRows> {
  const fresh = newPages(session.state);
  return chipRows(fresh.size === 0 ? next.chips : next.chips.filter(({ key }) => !fresh.has(key)), next.tools, open.chips);
}

/** Returns a panel's view of a draft. `edit`: number of the last edit that has arrived from this panel. */
function draftView({ text, revision, edits, editing, original }: Draft, panelId: string): DraftView {
  return { text, revision, edit: edits.get(panelId) ?? 0, editing, isShortened: original !== null };
}

/** Returns the handlers of messages about the draft. */
export function draftHandlers(room: HandlerRoom) {
  const { panel, panelId, draftActions, drafts, offer, features } = room;
  /** Shows the end of the conversation, where a sent or queued message appears. */
  const showEnd = (session: ChatSession): void => {
    if (session === panel.session) {
      panel.showLatest();
    }
  };
  return {
    ...inChat(room, {
      async send(session, { text }) {
        offer.dropRetry(session.id);
        showEnd(session);
        await draftActions.send(session, text);
      },
      async sendQueued(session, { messageId }) {
        showEnd(session);
        await session.conversation.sendQueued(messageId);
      },
      takeBack: (session, { messageId }) => draftActions.takeBack(session, messageId),
      shortenMessage: (session) => draftActions.shorten(session),
      takeOriginalBack(session) {
        draftActions.takeOriginalBack(session);
      },
      async usePrompt(session, { key, at }) {
        const made = await features.prompts.fill(key);
        if (made !== null) {
          // Opens the chat again, because it can be deleted while the user answers the questions of the prompt.
          const chat = await room.chats.open(session.id);
          draftActions.insert(chat, made.text, at);
          await Promise.all([features.prompts.showNotes(chat, made), features.context.addReferenced(chat, made.files)]);
        }
      },
      async scaleImage(session, { blob, mimeType }) {
        const content = Buffer.from(await session.records.blob(blob)).toString('base64');
        panel.channel.tell({ type: 'imageToScale', chatId: session.id, blob, url: `data:${mimeType};base64,${content}` });
      },
      async replaceImage(session, { blob, bytes }) {
        const name = drafts.get(session.id).images.find((image) => image.blob === blob)?.name ?? 'Image';
        drafts.replaceImage(session.id, blob, await storedImage(session, { name, read: () => Promise.resolve(bytes) }));
      },
      beginEdit: (session, { messageId }) => draftActions.beginEdit(session, messageId),
      cancelEdit(session) {
        draftActions.cancelEdit(session);
      },
    }),
    draft({ chatId, text, edit }) {
      drafts.typed(chatId, text, { panel: panelId, number: edit });
    },
    async removeWithMessage({ chatId, key }) {
      await removeWithMessage(chatId, key, room);
    },
    setRestoring({ chatId, isOn }) {
      offer.set(chatId, isOn);
    },
    compareRestored: ({ chatId, messageId, path }) => features.restores.show(chatId, messageId, path),
  } satisfies RoomHandlers;
}

/** Returns the handlers of messages about mentions and chips. */
export function chipHandlers(room: HandlerRoom) {
  const { panel, panelId, drafts, removals, features } = room;
  const { context, prompts, servers, toolTexts } = features;
  const find = (session: ChatSession, { mark, text }: Pick<MessageOf<'findMentions'>, 'mark' | 'text'>) =>
    mark === '/'
      ? prompts.find(text, () => commandRows(text, session))
      : context.findMentions(session, text, panel.knownTokens(session.id));
  return {
    ...inChat(room, {
      findMentions: find,
      chatCommand: (session, message) => runChatCommand(session, message, room),
      async startToFind(session, { server, ...asked }) {
        await Promise.all([servers.startToFind(server), find(session, asked)]);
        await find(session, asked);
      },
      mention: (session, { key }) => context.mention(session, key),
      addFiles: (session) => context.pickFiles(session, panel.knownTokens(session.id)),
      pickImages: (session) => context.pickImages(session),
      addPage: (session, { address }) => context.addPage(session, address),
      dropFiles: (session, { uris }) => context.addDropped(session, uris),
      removeContext: (session, { key }) => removals.remove(session, itemKeys(panel.chips(session.id), key), 'chips'),
      removeAllContext(session) {
        // All items except tools, which have no chips of their own.
        const keys = [...session.state.context].flatMap(([key, { type }]) => (type === 'tool' ? [] : [key]));
        return removals.remove(session, keys, 'chips');
      },
    }),
    readingImages({ chatId }) {
      drafts.beginRead(panelId, chatId);
    },
    async addImages({ chatId, ...added }) {
      let areAdded = false;
      try {
        areAdded = await context.addImages(await room.chats.open(chatId), added);
      } finally {
        drafts.endRead(panelId, chatId, areAdded);
        // Shows the rows of the images first, because the panel then removes the rows that it showed meanwhile.
        panel.channel.delta();
        panel.channel.tell({ type: 'imagesAdded', chatId });
      }
    },
    openContextItem({ chatId, key }) {
      if (key.startsWith('page:')) {
        return features.pageTexts.show(chatId, key);
      }
      if (key.startsWith('tool:')) {
        return toolTexts.showTool(key);
      }
      return key.startsWith('resource:') ? toolTexts.showResource(key) : context.openItem(key);
    },
  } satisfies RoomHandlers;
}
