import { costOfRun } from '../../../engine/accounting/runCost.js';
import { openQuestions } from '../../../engine/chat/openQuestions.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { versionMessage } from '../../../engine/chat/versions.js';
import { type LoupeError, toLoupeError } from '../../../engine/errors.js';
import { type DrawableType, type ImageResponse, MOST_IMAGE_BYTES } from '../../../protocol/images.js';
import type { StepQuestionView } from '../../../protocol/panel/toolCalls.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { type HandlerRoom, inChat, type RoomHandlers } from '../shell/handles.js';
import { ofChat, type PanelRoom, type PanelSlices } from '../shell/slice.js';
import { OutputCounts } from './outputCounts.js';
import { spendQuestionView } from './spendQuestionView.js';
import type { AttemptState } from '../../../engine/chat/slices/attempts.js';
import { type ItemUse, itemUses, type UsingReply } from '../../../engine/context/use/itemUses.js';
import { textBegin } from '../../../engine/chat/message/textBegin.js';
import type { ManifestContent } from '../../../engine/record/manifest.js';
import { manifestContentOf } from '../../../engine/request/rebuild.js';
import type { ReplyUses } from '../../../protocol/panel/requestRows.js';
import type { PanelState } from '../../../protocol/panel/state.js';
import type { EntryView } from '../../../protocol/panel/entries.js';
import { turnOf, usableItems } from '../../request/usableItems.js';

const BYTES_PER_MB = 1024 * 1024;

/** Derives the entries of the conversation, and open questions to the user. */
export function conversationSlices(
  room: PanelRoom,
): PanelSlices<'entries' | 'turns' | 'outputs' | 'replyUses' | 'stepQuestion' | 'spendQuestion' | 'startingServers'> {
  const { learned } = room.chats;
  const calibration = learned.calibration.bind(learned);
  const uses = new UsesOfReplies();
  const outputs = new OutputCounts({ models: room.models, calibration, changed: room.changed.bind(null, 'reply') });
  return {
    entries: ofChat(['chat', 'reply'], ({ shown }) => room.edits.derive(shown.entries)),
    turns: ofChat(['chat', 'call'], ({ shown }) => shown.turns),
    outputs: ofChat(['chat', 'reply'], ({ shown, session }) => outputs.derive(shown.entries, session.state)),
    replyUses: ofChat(['chat'], ({ shown, session }) => uses.derive(shown.entries, session.state)),
    stepQuestion: ofChat(['chat'], ({ session }) => stepQuestionView(session.state)),
    spendQuestion: ofChat(['chat'], ({ session }) => spendQuestionView(session)),
    startingServers: ofChat(['chat'], ({ session }) => session.servers.starting),
  };
}

/** Returns the open question whether the run may call more tools. Null without such a question. */
function stepQuestionView(state: ChatState): StepQuestionView | null {
  const question = openQuestions(state).find(({ kind }) => kind === 'steps');
  return question?.kind === 'steps' ? { runId: question.runId, steps: question.steps, cost: costOfRun(question.runId, state) } : null;
}

/** Returns the handlers of messages about runs and branches. */
export function runHandlers(room: HandlerRoom) {
  const { panel, offer, shown, features } = room;
  return {
    ...inChat(room, {
      stop: ({ conversation }) => conversation.stop(),
      retry: (session, { messageId }) => offer.retry(session, messageId),
      answerRetry: (session, { goesOn }) => offer.answerRetry(session, goesOn),
      continue: ({ conversation }) => conversation.continueRun(),
      keepReply: ({ conversation }) => conversation.keepReply(),
      goOnOnce: ({ conversation }) => conversation.goOnOnce(),
      answerSpend({ spending }, { questionId, isAllowed }) {
        spending.answer(questionId, isAllowed);
      },
      sendWithoutServers({ servers }) {
        servers.sendWithout();
      },
      async bringBack(session, { rewindId }) {
        await session.conversation.restoreBranch(rewindId);
        if (session === panel.session) {
          // Shows the end, because the restored messages are there, wherever the user clicked.
          panel.showLatest();
          panel.focusComposer();
        }
      },
      async showVersion({ id, conversation, state }, { rewindId }) {
        const messageId = versionMessage(state, rewindId);
        await conversation.restoreBranch(rewindId);
        if (messageId !== null && panel.session?.id === id) {
          await panel.reveal(messageId, null);
        }
      },
      fork: (session, { messageId }) => shown.fork(session, messageId),
    }),
    answerServer: ({ question, isAllowed }) => features.servers.answer(question, isAllowed),
  } satisfies RoomHandlers;
}

/** Returns the handlers of messages about the visible entries, and about the texts, links and images in entries. */
export function entryHandlers(room: HandlerRoom) {
  const { panel, features, logError } = room;
  const { editors, insertAtCursor, applyCode, context, inspectors, openImage } = features;
  return {
    ...inChat(room, {
      async showImage(session, image) {
        panel.channel.tell(await shownImage(session, image, logError));
      },
    }),
    showEarlier: () => panel.showEarlier(),
    showLater() {
      panel.showLater();
    },
    showLatest() {
      panel.showLatest();
    },
    openImage: (image) => openImage(image),
    copy: ({ text }) => editors.copy(text),
    insertAtCursor: ({ text }) => insertAtCursor(text),
    applyCode: ({ path, text }) => applyCode(path, text),
    newFile: ({ text, language }) => editors.newFile(text, language),
    openLink: ({ href }) => editors.openLink(href),
    openFile: ({ path, line }) => context.openFile(path, line),
    async findPaths({ paths }) {
      panel.channel.tell({ type: 'pathsFound', found: await context.existingFiles(paths) });
    },
    showRequest: ({ chatId, messageId }) => inspectors.showRequest(chatId, messageId),
    selectReply: ({ chatId, messageId }) => inspectors.replySelected(chatId, messageId),
  } satisfies RoomHandlers;
}

/** Reads an image of a chat for its panel. Never rejects: the result says why an image is missing. */
async function shownImage(
  session: Pick<ChatSession, 'id' | 'records'>,
  { blob, mimeType }: { readonly blob: string; readonly mimeType: DrawableType },
  logError: (error: LoupeError) => void,
): Promise<ImageResponse> {
  const image = { type: 'image', chatId: session.id, blob } as const;
  try {
    const bytes = await session.records.blob(blob);
    return bytes.length > MOST_IMAGE_BYTES
      ? { ...image, url: null, problem: `This image is larger than ${String(MOST_IMAGE_BYTES / BYTES_PER_MB)} MB, the limit of the panel.` }
      : { ...image, url: `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`, problem: null };
  } catch (thrown) {
    const error = toLoupeError(thrown);
    logError(error);
    return { ...image, url: null, problem: error.message };
  }
}

/** Returns the handlers of messages about tool calls and the files that they wrote. */
export function callHandlers(room: HandlerRoom) {
  const { replyFiles, turnFiles, results, viewEdit, compareTool } = room.features;
  return {
    ...inChat(room, {
      answerCall: ({ answers }, { callId, scope, reason }) =>
        scope === 'every' ? answers.approveEveryCommand(callId) : answers.approve(callId, { scope, reason }),
      answerSteps: ({ answers }, { goesOn }) => answers.goOn(goesOn),
      takeBackApproval: (session, { binding }) => room.removals.takeBackApproval(session, binding),
      stopCall({ conversation }, { callId }) {
        conversation.stopCall(callId);
      },
      compareTool: ({ state }, { callId }) => compareTool(state, callId),
    }),
    viewChange: ({ args }) => viewEdit(args),
    showWritten: ({ chatId, messageId, path }) => replyFiles.show(chatId, { messageId, path }),
    undoWritten: ({ chatId, messageId, path }) => replyFiles.undo(chatId, { messageId, path }),
    showTurnChange: ({ chatId, messageId }) => turnFiles.show(chatId, messageId),
    undoTurn: ({ chatId, messageId }) => turnFiles.undo(chatId, messageId),
    showUnapplied: ({ chatId, callId }) => replyFiles.showUnapplied(chatId, callId),
    openResult: ({ chatId, messageId, callId }) => results.open(chatId, messageId, callId),
  } satisfies RoomHandlers;
}

/** Derives which items the visible replies used. Computes each turn once, after its end. */
class UsesOfReplies {
  /** Null for a request without items. */
  readonly #known = new WeakMap<AttemptState, ReplyUses | null>();

  derive(entries: readonly EntryView[], state: ChatState): PanelState['replyUses'] {
    return Object.fromEntries(
      entries.flatMap((entry) => {
        const attempt = endsTurn(entry) ? state.attempts.get(entry.id) : undefined;
        const uses = attempt === undefined ? null : this.#of(attempt, state);
        return uses === null ? [] : [[entry.id, uses] as const];
      }),
    );
  }

  #of(attempt: AttemptState, state: ChatState): ReplyUses | null {
    const known = this.#known.get(attempt);
    if (known !== undefined) {
      return known;
    }
    const written = turnOf(attempt.id, state);
    const content = written === null ? null : manifestContentOf(attempt, state.attempts);
    if (written === null || content === null) {
      return null;
    }
    const uses = usesOf(content, written);
    this.#known.set(attempt, uses);
    return uses;
  }
}

function endsTurn(entry: EntryView): boolean {
  return entry.kind === 'assistant' && entry.contextUsed !== null && entry.parts.every(({ type }) => type !== 'toolCall');
}

function usesOf(content: ManifestContent, written: UsingReply): ReplyUses | null {
  const all = usableItems(content);
  const tools = all.filter(({ type }) => type === 'tool').length;
  const uses = [...itemUses(all, written)].map(([key, own]) => [key, own.map(shortened)] as const);
  return all.length === 0 ? null : { items: all.length - tools, tools, uses: Object.fromEntries(uses) };
}

/** Shortens the text of a use, because arguments of a tool call can contain a whole file. */
function shortened({ how, where }: ItemUse): ItemUse {
  return { how, where: textBegin(where) };
}
