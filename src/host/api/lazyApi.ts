import type { LoupeApi } from '../../protocol/api/api.js';

/** Returns the API for `activate`. Loads the services at the first call of an API function. */
export function lazyApi(version: string, load: () => Promise<Omit<LoupeApi, 'version'>>): LoupeApi {
  return {
    version,
    newChat: async () => (await load()).newChat(),
    listChats: async (options) => (await load()).listChats(options),
    getChat: async (chatId) => (await load()).getChat(chatId),
    getSession: async (chatId) => (await load()).getSession(chatId),
    sendMessage: async (text, options) => (await load()).sendMessage(text, options),
    searchHistory: async (query, options) => (await load()).searchHistory(query, options),
    listAttempts: async (chatId) => (await load()).listAttempts(chatId),
    getRequest: async (chatId, id) => (await load()).getRequest(chatId, id),
    diagnose: async (chatId, id) => (await load()).diagnose(chatId, id),
    previewNextRequest: async (chatId, options) => (await load()).previewNextRequest(chatId, options),
    getHistoryStatus: async (chatId) => (await load()).getHistoryStatus(chatId),
    getUsage: async (chatId) => (await load()).getUsage(chatId),
    summarize: async (chatId, options) => (await load()).summarize(chatId, options),
    undoCompaction: async (chatId) => (await load()).undoCompaction(chatId),
    pin: async (chatId, messageId) => (await load()).pin(chatId, messageId),
    unpin: async (chatId, messageId) => (await load()).unpin(chatId, messageId),
    exclude: async (chatId, messageId, options) => (await load()).exclude(chatId, messageId, options),
    include: async (chatId, messageId, options) => (await load()).include(chatId, messageId, options),
    respond: async (chatId, questionId, answer) => (await load()).respond(chatId, questionId, answer),
    setFragment: async (chatId, id, text) => (await load()).setFragment(chatId, id, text),
    setWorkspace: async (chatId, text) => (await load()).setWorkspace(chatId, text),
  };
}
