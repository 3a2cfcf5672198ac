import { lastRun } from '../../../engine/chat/branch.js';
import type { Message } from '../../../engine/chat/message/message.js';
import type { ChatState } from '../../../engine/chat/state.js';
import type { ChatSession } from '../../chat/chatSession.js';

/**
 * The context keys for `enablement` and `when` in `package.json`. Most keys are negative (`hasNo…`): no key is set
 * before Loupe is loaded, and a missing key must not disable a command.
 */
export interface ContextKeys {
  readonly 'loupe.hasNoFiles': boolean;
  readonly 'loupe.hasNoMessage': boolean;
  readonly 'loupe.hasNoReply': boolean;
  readonly 'loupe.hasNoRequest': boolean;
  /** Whether this VS Code window writes a reply in the chat. */
  readonly 'loupe.isAnswering': boolean;
  /**
   * Whether the panel has the focus, so that its keybindings apply only there. VS Code's own `focusedView` is not set
   * for the page in a view, and not reset when the focus leaves the view.
   */
  readonly 'loupe.hasFocus': boolean;
}

export type SetContext = (key: keyof ContextKeys, value: boolean) => void;

/** Returns the keys that depend on the visible chat. */
export function contextKeys({ state, conversation }: ChatSession): Omit<ContextKeys, 'loupe.hasFocus'> {
  return {
    'loupe.hasNoFiles': [...state.context.values()].every(({ type }) => type !== 'file'),
    'loupe.hasNoMessage': !hasMessage(state, 'user'),
    'loupe.hasNoReply': !hasMessage(state, 'assistant'),
    'loupe.hasNoRequest': lastRun(state) === undefined && isWhole(state),
    'loupe.isAnswering': conversation.isRunning,
  };
}

/** Sends each context key to VS Code only when it has changed. */
export class ContextKeySender {
  readonly #set: SetContext;
  #sent: Partial<ContextKeys> = {};

  constructor(set: SetContext) {
    this.#set = set;
  }

  send(keys: Partial<ContextKeys>): void {
    for (const key of Object.keys(keys) as (keyof ContextKeys)[]) {
      const value = keys[key];
      if (value !== undefined && this.#sent[key] !== value) {
        this.#set(key, value);
      }
    }
    this.#sent = { ...this.#sent, ...keys };
  }
}

/** Whether the chat has a message with this role. True for a partly loaded chat, whose other messages are unknown. */
function hasMessage(state: ChatState, role: Message['role']): boolean {
  return !isWhole(state) || state.timeline.some((item) => item.kind === 'message' && item.message.role === role);
}

function isWhole({ extent }: ChatState): boolean {
  return extent === 'whole';
}
