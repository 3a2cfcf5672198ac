import { conversationIn, type ChatState } from '../../../engine/chat/state.js';
import { endOfConversation, transcript } from '../../../engine/chat/transcript.js';
import type { SentMessage } from '../../../engine/chat/message/message.js';
import { UntilChange } from '../../../engine/chat/untilChange.js';
import { CompactedChat, type Compacted } from '../../../engine/chat/checkpoint.js';
import { lastRecords } from '../../../engine/request/base.js';
import type { ContextRecord } from '../../../engine/record/manifest.js';

/** What a request takes from the log of its chat, as it was at one time. */
export interface History extends Pick<Compacted, 'checkpoint' | 'pinned'> {
  /** The chat with what the request takes of its conversation. */
  readonly state: ChatState;
  readonly said: readonly SentMessage[];
  /** The number of messages of people and models in it. */
  readonly messages: number;
  /** What the last request recorded of its context. */
  readonly records: readonly ContextRecord[];
  /** Whether it has all that is loaded, and whether that is all there is. */
  readonly isLoaded: boolean;
  readonly lacksSome: boolean;
}

/** The histories of one chat, each read once until the chat changes: a preview at each key asks for the same. */
export class Histories {
  readonly #compacted = new CompactedChat();
  readonly #known = new UntilChange<Map<number, History>>();

  /** The history, with no more of the conversation than its end of so many characters. */
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
