import { canContinue, lastRun } from '../../../engine/chat/branch.js';
import type { RunState } from '../../../engine/chat/slices/runs.js';
import type { ChatState } from '../../../engine/chat/state.js';
import { failure } from '../../../engine/errors.js';
import { ownToolName } from '../../../engine/record/toolNames.js';
import type { ChatSession } from '../../chat/chatSession.js';
import { type HandlerRoom, inChat, type RoomHandlers } from '../shell/handles.js';

/** Returns the handlers of the buttons that help after a failed reply. */
export function failureHandlers(room: HandlerRoom) {
  const { panel, offer, features } = room;
  const { context, providers } = features;
  const goOn = (session: ChatSession, run: FailedRun): Promise<void> =>
    canContinue(run) ? session.conversation.continueRun() : offer.retry(session, run.userMessageId);
  return {
    ...inChat(room, {
      async excludeTool(session) {
        const run = failedRun(session.state);
        const tool = refusedTool(run, session.state);
        if (tool === null) {
          throw failure('chat.nothingToContinue');
        }
        await context.excludeTool(session, tool);
        await goOn(session, run);
      },
      async setKeyAndRetry(session) {
        const run = failedRun(session.state);
        const isSet = await providers.setKey(providerOf(run, session.state));
        // While the user entered the key, a message of another window may have followed.
        if (isSet && lastRun(session.state)?.id === run.id) {
          await goOn(session, run);
        }
      },
      editProvider: ({ state }) => providers.edit(providerOf(failedRun(state), state)),
    }),
    showChatSettings() {
      panel.typeIn('settings');
    },
  } satisfies RoomHandlers;
}

type FailedRun = RunState & { readonly userMessageId: string };

/** Returns the last run, if it failed. */
function failedRun(state: ChatState): FailedRun {
  const run = lastRun(state);
  if (run === undefined || run.error === null || run.userMessageId === null) {
    throw failure('chat.nothingToContinue');
  }
  return { ...run, userMessageId: run.userMessageId };
}

/** Returns the provider that the last request of a run went to. Before any request: the provider of the chat. */
function providerOf({ attemptIds }: RunState, { attempts, config }: ChatState): string {
  return (attempts.get(attemptIds.at(-1) ?? '')?.model ?? config.model).provider;
}

/** Returns the name in Loupe of the tool that the server refused in a run. Null if the run has another error. */
function refusedTool({ error, attemptIds }: RunState, { attempts }: ChatState): string | null {
  const { manifest } = attempts.get(attemptIds.at(-1) ?? '') ?? {};
  return error?.refusedTool === undefined || manifest === undefined ? null : ownToolName(error.refusedTool, manifest.toolNames);
}
