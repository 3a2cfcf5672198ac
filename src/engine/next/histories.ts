import { conversationIn, type ChatState } from '../chat/state.js';
import { endOfConversation, transcript } from '../chat/transcript.js';
import type { SentMessage } from '../chat/message/message.js';
import { UntilChange } from '../chat/untilChange.js';
import { CompactedChat, type CompactedConversation } from '../chat/checkpoint.js';
import { lastRecords } from '../request/base.js';
import type { ContextRecord } from '../record/manifest.js';

/** The part of the conversation that a request is built from. */
export interface History extends Pick<CompactedConversation, 'checkpoint' | 'pinned'> {
  /** The state of the chat. Its timeline has only the messages that the request uses. */
  readonly state: ChatState;
  readonly said: readonly SentMessage[];
  /** The number of user and assistant messages in `state`. */
  readonly messages: number;
  /** Which context items the last request contained, and why other items were not selected. */
  readonly records: readonly ContextRecord[];
  /** Whether the request uses all loaded messages. `lacksSome`: the chat has older messages that are not loaded. */
  readonly isLoaded: boolean;
  readonly lacksSome: boolean;
}

/** Caches the histories of a chat until the chat changes, because each key press needs a history. */
export class Histories {
  readonly #compacted = new CompactedChat();
  readonly #known = new UntilChange<Map<number, History>>();

  /** Returns the history with at most this many characters, taken from the end of the conversation. */
  of(state: ChatState, characters: number): History {
    const known = this.#known.of(state, () => new Map<number, History>());
    const history = known.get(characters) ?? this.#read(state, characters);
    known.set(characters, history);
    return history;
  }

  #read(state: ChatState, characters: number): History {
    const { rest, checkpoint, pinned, lacksSome } = this.#compacted.of(state);
    const timeline = endOfConversation(rest, characters);
    const taken = { ...state, timeline };
    return {
      ...{ state: taken, checkpoint, pinned, lacksSome },
      said: transcript(taken).messages,
      messages: conversationIn(timeline),
      records: lastRecords(state),
      isLoaded: timeline.length === rest.length,
    };
  }
}
