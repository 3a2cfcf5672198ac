import { unsearched, type OwnSlice } from './slice.js';

/** An author of messages in a chat. */
export interface Participant {
  readonly id: string;
  readonly name: string;
}

export interface ParticipantsState {
  /** Participants by id, in the order in which they joined. The first one wrote the messages without an author. */
  readonly participants: ReadonlyMap<string, Participant>;
}

/** A participant joined or changed their name. */
export interface ParticipantChanged {
  readonly type: 'participant';
  readonly participant: Participant;
}

export const participants: OwnSlice<ParticipantsState, ParticipantChanged, readonly Participant[]> = {
  initial: () => ({ participants: new Map() }),
  events: {
    participant: unsearched('slice', (state, { participant }) => void state.participants.set(participant.id, participant)),
  },
  follows: {},
  snapshot: (state) => [...state.participants.values()],
  restore: (json) => ({ participants: new Map(json.map((each) => [each.id, each])) }),
  exported: () => [],
  fork: (state, { messages }) => {
    const authors = new Set(messages.flatMap((message) => (message.role === 'user' ? [message.author] : [])));
    return [...state.participants.values()]
      .filter(({ id }, index) => authors.has(index === 0 ? null : id))
      .map((participant) => ({ type: 'participant', participant }));
  },
  isUntouched: (state) => state.participants.size === 0,
};
