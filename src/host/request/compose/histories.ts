import { conversationIn, type ChatState } from '../../../engine/chat/state.js';
import { endOfConversation, transcript } from '../../../engine/chat/transcript.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import { UntilChange } from '../../../engine/chat/untilChange.js';
import { CompactedChat, type CompactedConversation } from '../../../engine/chat/checkpoint.js';
import { lastRecords } from '../../../engine/request/base.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';

/** The content that a request takes from the log of its chat at one time. */
export interface History extends Pick<CompactedConversation, 'checkpoint' | 'pinned'> {
  /** The chat with only the part of its conversation that the request uses. */
  readonly state: ChatState;
  readonly said: readonly SentMessage[];
  /** The number of messages of users and models in it. */
  readonly messages: number;
  /** The context records of the last request. */
  readonly records: readonly ContextRecord[];
  /** `isLoaded`: it has everything that is loaded. `lacksSome`: the chat has more that is not loaded. */
  readonly isLoaded: boolean;
  readonly lacksSome: boolean;
}

/** The histories of one chat, each read once until the chat changes, because a preview runs at each key. */
export class Histories {
  readonly #compacted = new CompactedChat();
  readonly #known = new UntilChange<Map<number, History>>();

  /** Returns the history with at most this many characters from the end of the conversation. */
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
