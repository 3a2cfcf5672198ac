import * as vscode from 'vscode';
import { assertNever } from '../../../engine/assertNever.js';
import type { ChatModel, ChatModels, ReceivedPart } from './chatModel.js';
import type { LmImage, LmMessage, LmRequest, LmText, LmToolCall, LmToolResult } from './wire.js';

const JUSTIFICATION = 'Loupe uses this model to answer your messages.';

/** The models of `vscode.lm`. Only converts between JSON and the objects of the API. */
export const vscodeChatModels: ChatModels = {
  select: async () => (await vscode.lm.selectChatModels()).map(chatModel),
  onChange: (listener) => {
    const subscription = vscode.lm.onDidChangeChatModels(listener);
    return () => {
      subscription.dispose();
    };
  },
};

function chatModel(model: vscode.LanguageModelChat): ChatModel {
  const { vendor, id, name, maxInputTokens } = model;
  return {
    vendor,
    id,
    name,
    maxInputTokens,
    send: async (request, signal) => {
      const response = await model.sendRequest(request.messages.map(chatMessage), options(request), tokenOf(signal));
      return receivedParts(response.stream);
    },
    countTokens: async (content, signal) =>
      model.countTokens(typeof content === 'string' ? content : chatMessage(content), tokenOf(signal)),
  };
}

function options({ tools, modelOptions }: LmRequest): vscode.LanguageModelChatRequestOptions {
  return {
    justification: JUSTIFICATION,
    modelOptions,
    // The schema is always an object, in spite of its wider type in the engine.
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: inputSchema as object })),
  };
}

function chatMessage(message: LmMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'user':
      return vscode.LanguageModelChatMessage.User(message.content.map(userPart));
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant(message.content.map(assistantPart));
    default:
      return assertNever(message);
  }
}

type ContentPart = vscode.LanguageModelTextPart | vscode.LanguageModelDataPart;

function userPart(part: LmText | LmImage | LmToolResult): ContentPart | vscode.LanguageModelToolResultPart {
  return part.type === 'toolResult'
    ? new vscode.LanguageModelToolResultPart(part.callId, part.content.map(contentPart))
    : contentPart(part);
}

function contentPart(part: LmText | LmImage): ContentPart {
  return part.type === 'text' ? textPart(part) : vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mimeType);
}

function assistantPart(part: LmText | LmToolCall): vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart {
  return part.type === 'text' ? textPart(part) : new vscode.LanguageModelToolCallPart(part.id, part.name, part.args);
}

function textPart({ text }: LmText): vscode.LanguageModelTextPart {
  return new vscode.LanguageModelTextPart(text);
}

async function* receivedParts(stream: AsyncIterable<unknown>): AsyncGenerator<ReceivedPart, void> {
  for await (const part of stream) {
    yield receivedPart(part);
  }
}

function receivedPart(part: unknown): ReceivedPart {
  if (part instanceof vscode.LanguageModelTextPart) {
    return { type: 'text', text: part.value };
  }
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { type: 'toolCall', id: part.callId, name: part.name, input: part.input };
  }
  if (part instanceof vscode.LanguageModelDataPart) {
    return { type: 'data', mimeType: part.mimeType, bytes: part.data };
  }
  return { type: 'other' };
}

/** Returns a cancellation token for the signal. The listener stays, because the signal serves only one request. */
function tokenOf(signal: AbortSignal): vscode.CancellationToken {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => {
    source.cancel();
    source.dispose();
  };
  if (signal.aborted) {
    cancel();
  } else {
    signal.addEventListener('abort', cancel, { once: true });
  }
  return source.token;
}
