import type { ChatEvent } from '../../../engine/chat/event.js';
import type { UserMessage } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ComposedRequest } from '../../../engine/next/compose.js';

/**
 * Checks a request before it is sent. Rejects with the reason when the request must not be sent. Resolves to true when
 * Loupe has asked the user. The caller must then compose and check again: the chat may have changed meanwhile.
 */
export type RunCheck = (composed: ComposedRequest, state: ChatState, signal: AbortSignal) => Promise<boolean>;

/** What Loupe does automatically with an open chat. `table.ts` lists all behaviours. Every hook is optional. */
export interface Behaviour {
  /** Called when the chat was opened, and when its log was read again. */
  chatLoaded?(): void;
  /** Called for new events of any VS Code window, before the listeners of the chat. */
  eventsLogged?(events: readonly ChatEvent[]): void;
  /** Called at the start of a run for `message`. The returned check, if any, is called for each composed request. */
  requestComposed?(message: UserMessage): RunCheck | null;
  /** Called when a run of this VS Code window has ended. */
  turnEnded?(): void;
  /** Stops all work, with a reason from `run/input.ts`, before the chat is deleted or its VS Code window closes. */
  stop?(reason: string): Promise<void>;
}
