import { type HandlerRoom, inChat, type RoomHandlers } from '../shell/handles.js';

/** Returns the handlers of messages about tool calls and the files that they wrote. */
export function callHandlers(room: HandlerRoom) {
  const { replyFiles, results, viewEdit, compareTool } = room.features;
  return {
    ...inChat(room, {
      answerCall: ({ answers }, { callId, scope, reason }) => answers.approve(callId, { scope, reason }),
      answerSteps: ({ answers }, { goesOn }) => answers.goOn(goesOn),
      takeBackApproval: ({ answers }, { binding }) => answers.takeBack(binding),
      stopCall({ conversation }, { callId }) {
        conversation.stopCall(callId);
      },
      compareTool: ({ state }, { callId }) => compareTool(state, callId),
    }),
    viewChange: ({ args }) => viewEdit(args),
    showWritten: ({ chatId, messageId, path }) => replyFiles.show(chatId, { messageId, path }),
    undoWritten: ({ chatId, messageId, path }) => replyFiles.undo(chatId, { messageId, path }),
    showUnapplied: ({ chatId, callId }) => replyFiles.showUnapplied(chatId, callId),
    openResult: ({ chatId, messageId, callId }) => results.open(chatId, messageId, callId),
  } satisfies RoomHandlers;
}
