import type { Participant, ParticipantChanged, ParticipantsState } from './slices/participants.js';

/** The name of each author of messages, by id. Null is the first participant. Empty while the chat has one author. */
export type AuthorNames = ReadonlyMap<string | null, string>;

export const ONE_AUTHOR: AuthorNames = new Map();

/** The author of the next user message, with the events to log before the message. */
interface NextAuthor {
  readonly author: string | null;
  readonly joined: readonly ParticipantChanged[];
}

/**
 * Returns the author of the next message. Messages without an author are from the first participant. A user with a new
 * e-mail address, which is the source of the id, is still the same author. `me` is null if the user's name is unknown.
 */
export function nextAuthor({ participants }: ParticipantsState, me: Participant | null): NextAuthor {
  if (me === null) {
    return { author: null, joined: [] };
  }
  const [first = me.id] = participants.keys();
  const known = participants.get(me.id) ?? [...participants.values()].find(({ name }) => name === me.name);
  const { id } = known ?? me;
  return { author: first === id ? null : id, joined: known?.name === me.name ? [] : [{ type: 'participant', participant: me }] };
}

/** Returns the state after these participants have joined. */
export function withJoined<State extends ParticipantsState>(state: State, { joined }: Pick<NextAuthor, 'joined'>): State {
  return joined.length === 0
    ? state
    : {
        ...state,
        participants: new Map([...state.participants, ...joined.map(({ participant }) => [participant.id, participant] as const)]),
      };
}

export function authorNames({ participants }: ParticipantsState): AuthorNames {
  const [first] = participants.values();
  if (first === undefined || participants.size === 1) {
    return ONE_AUTHOR;
  }
  return new Map([[null, oneLine(first.name)], ...[...participants.values()].map(({ id, name }) => [id, oneLine(name)] as const)]);
}

/** Returns the fragment of the system prompt that maps ids to names. Empty while the chat has one author. */
export function participantsPrompt({ participants }: ParticipantsState): string {
  const lines = [...participants.values()].map(({ id, name }) => `${id}: ${oneLine(name)}`);
  return lines.length < 2
    ? ''
    : `The following map is from user_uuids to real names. In user messages, real names will be used.\n${lines.join('\n')}`;
}

function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim();
}
