import { contextWindowTokens } from '../../engine/accounting/contextWindow.js';
import { ledgerTotals } from '../../engine/chat/ledger.js';
import { chatTitle } from '../../engine/chat/message/opening.js';
import { plainConfig } from '../../engine/chat/settings/configValues.js';
import { type LoupeError, failure, toLoupeError } from '../../engine/errors.js';
import type { ImagePart } from '../../engine/model/part.js';
import type { ApiChat, ApiHistoryStatus, ApiQuestion, ApiUsage, LoupeApi } from '../../protocol/api/api.js';
import type { ApiMessage } from '../../protocol/api/apiMessage.js';
import type { ChatSession } from '../chat/chatSession.js';
import type { Chats } from '../chat/chats.js';
import type { Drafts } from '../chat/drafts.js';
import type { ModelRegistry } from '../models/registry.js';
import { historyStatus } from '../request/historyStatus.js';
import { storedImage } from '../context/images/addImages.js';
import { checkedQuery, searchHistory } from '../search/searchHistory.js';
import { apiAttempts } from './apiAttempts.js';
import { apiMessages, apiSessionItem, contextNames } from './apiMessages.js';
import { apiPreview, apiRequest, apiDiagnosis } from './apiRequests.js';
import { diagnosisPorts } from '../request/verdict/attemptDiagnosis.js';
import { toolCallsOf, writtenParts } from '../../engine/chat/message/message.js';
import { type OpenQuestion, openQuestions } from '../../engine/chat/openQuestions.js';
import type { ChatState } from '../../engine/chat/state.js';
import { messagesOf } from '../../engine/chat/timeline.js';
import { questionView } from '../panel/conversation/spendQuestionView.js';

export interface ApiPorts {
  readonly chats: Chats;
  readonly drafts: Pick<Drafts, 'load' | 'get'>;
  readonly models: Pick<ModelRegistry, 'list' | 'counter'>;
  logError(error: LoupeError): void;
  readonly current: () => Promise<ChatSession>;
}

/** Creates the public API, on the same operations that the panel and the commands use. */
export function createApi({ chats, drafts, models, current, ...ports }: ApiPorts): Omit<LoupeApi, 'version'> {
  const diagnosis = diagnosisPorts(models, ports);
  const open = (chatId: string): Promise<ChatSession> => chats.open(chatId);
  return {
    async newChat() {
      return (await chats.create()).id;
    },
    async listChats({ limit }) {
      await chats.refresh();
      return chats.list().slice(0, limit);
    },
    async getChat(chatId) {
      const session = await open(chatId);
      await session.whole();
      return apiChat(session);
    },
    getSession: (chatId) => messagesOrNone(() => open(chatId)),
    async sendMessage(text, options) {
      const session = options?.chatId === undefined ? await current() : await open(options.chatId);
      const images = await storedImages(session, options?.images ?? []);
      await session.conversation.sendParts(writtenParts({ text, images }));
    },
    searchHistory: async (query, options) =>
      (await searchHistory(chats, checkedQuery(query, options), new AbortController().signal)).results,
    listAttempts: async (chatId) => apiAttempts(await (await open(chatId)).whole()),
    getRequest: async (chatId, id) => apiRequest(await open(chatId), id),
    diagnose: async (chatId, id) => apiDiagnosis(await open(chatId), id, diagnosis),
    async previewNextRequest(chatId, options) {
      const session = await open(chatId);
      if (options?.text !== undefined) {
        return apiPreview(await session.next.preview({ text: options.text, editing: null }));
      }
      await drafts.load(chatId);
      return apiPreview(await session.next.preview(drafts.get(chatId)));
    },
    getHistoryStatus: async (chatId) => apiHistoryStatus(await open(chatId)),
    async getUsage(chatId) {
      return chatId === undefined ? { ...(await chats.usage.all()), contextWindow: null } : apiUsage(await open(chatId));
    },
    summarize: async (chatId, options) => (await open(chatId)).compactor.summarize(options?.upTo ?? null),
    undoCompaction: async (chatId) => (await open(chatId)).compactor.undo(),
    pin: async (chatId, messageId) => (await open(chatId)).marks.pin(messageId),
    unpin: async (chatId, messageId) => (await open(chatId)).marks.unpin(messageId),
    async exclude(chatId, messageId, options) {
      const { marks } = await open(chatId);
      const leaves = options?.now === true ? 'now' : 'later';
      await (options?.callId === undefined ? marks.exclude(messageId, leaves) : marks.excludeCall(messageId, options.callId, leaves));
    },
    async include(chatId, messageId, options) {
      const { marks } = await open(chatId);
      await (options?.callId === undefined ? marks.include(messageId) : marks.includeCall(messageId, options.callId));
    },
    async respond(chatId, questionId, answer) {
      await respond(await open(chatId), questionId, answer === 'allow');
    },
    ...textSetters(open),
  };
}

/** Returns the functions that set texts of other extensions. */
function textSetters(open: (chatId: string) => Promise<ChatSession>): Pick<LoupeApi, 'setFragment' | 'setWorkspace'> {
  return {
    async setFragment(chatId, id, text) {
      await (await open(chatId)).fragments.set(id, text ?? null);
    },
    async setWorkspace(chatId, text) {
      await (await open(chatId)).fragments.setWorkspace(text);
    },
  };
}

/** Stores the images of data URIs in a chat. Rejects with `invalidInput` for the first image that cannot be sent. */
async function storedImages(session: ChatSession, uris: readonly string[]): Promise<readonly ImagePart[]> {
  const images: ImagePart[] = [];
  for (const [index, uri] of uris.entries()) {
    const name = `Image ${String(index + 1)}`;
    const base64 = /^data:image\/[\w.+-]+;base64,/.exec(uri);
    if (base64 === null) {
      throw failure('image.notDataUri', { name });
    }
    images.push(await storedImage(session, { name, read: () => Promise.resolve(Buffer.from(uri.slice(base64[0].length), 'base64')) }));
  }
  return images;
}

async function messagesOrNone(open: () => Promise<ChatSession>): Promise<readonly ApiMessage[]> {
  try {
    const session = await open();
    await session.whole();
    return await apiMessages(session);
  } catch (thrown) {
    const error = toLoupeError(thrown);
    if (error.code === 'chat.gone') {
      return [];
    }
    throw error;
  }
}

async function apiChat(session: ChatSession): Promise<ApiChat> {
  const { state, conversation } = session;
  const context = [...state.context.values()].map(apiSessionItem);
  const chat = {
    id: state.chatId,
    title: chatTitle(state),
    createdAt: state.createdAt,
    running: conversation.isRunning,
    config: plainConfig(state.config),
    files: context.filter((item) => item.type === 'file').map((item) => item.name),
    context,
    ...contextNames(context),
  };
  return { ...chat, messages: await apiMessages(session), questions: apiQuestions(session) };
}

async function apiHistoryStatus(session: ChatSession): Promise<ApiHistoryStatus> {
  return historyStatus(await session.next.preview({ text: '', editing: null }), session.state.config);
}

/** Returns the usage of a chat. The poll ends a run whose window has crashed, so that the usage includes this run. */
async function apiUsage(session: ChatSession): Promise<ApiUsage> {
  await session.poll();
  const { state } = session;
  return { ...ledgerTotals(state), contextWindow: contextWindowTokens(state) };
}

export function apiQuestions({ spending, servers, state }: ChatSession): readonly ApiQuestion[] {
  return [
    ...(servers.question === null ? [] : [{ kind: 'server', ...servers.question } as const]),
    ...spending.questions.map((question) => ({ kind: 'spend', ...questionView(question) }) as const),
    ...openQuestions(state).map((question) => questionOf(question, state)),
  ];
}

/** Answers a question of a chat. Throws `invalidInput` when the question was answered or its run has ended. */
export async function respond(session: ChatSession, questionId: string, isAllowed: boolean): Promise<void> {
  const question = openQuestions(session.state).find((each) => idOf(each) === questionId);
  if (question?.kind === 'call') {
    await session.answers.approve(question.callId, { scope: isAllowed ? 'once' : 'refused', reason: null });
  } else if (question?.kind === 'steps') {
    await session.answers.goOn(isAllowed);
  } else if (!session.servers.answer(questionId, isAllowed) && !session.spending.answer(questionId, isAllowed)) {
    throw failure('spend.noQuestion');
  }
}

/** Returns an id for a question. Call ids are not unique, because servers choose them. */
function idOf(question: OpenQuestion): string {
  return question.kind === 'call' ? `${question.runId}/${question.callId}` : `${question.runId}/${String(question.steps)}`;
}

function questionOf(question: OpenQuestion, { timeline }: ChatState): ApiQuestion {
  const id = idOf(question);
  if (question.kind === 'steps') {
    return { kind: 'steps', id, steps: question.steps };
  }
  const { asked, callId } = question;
  const reply = messagesOf(timeline).findLast((message) => message.role === 'assistant');
  const call = reply?.role === 'assistant' ? toolCallsOf(reply).find((each) => each.id === callId) : undefined;
  return { kind: 'tool', id, serverName: asked.serverName, name: asked.name, arguments: call?.rawArgs ?? '' };
}
