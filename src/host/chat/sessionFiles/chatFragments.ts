import { participantsPrompt } from '../../../engine/chat/authors.js';
import type { ChatEvent } from '../../../engine/chat/event.js';
import { WORKSPACE_TEXT } from '../../../engine/chat/slices/fragments.js';
import type { ParticipantsState } from '../../../engine/chat/slices/participants.js';
import {
  SESSION_FILES_FRAGMENT as SESSION_FILES,
  type SessionFileManager,
  sessionFilesPrompt,
} from '../../../engine/context/sessionFiles.js';
import { failure } from '../../../engine/errors.js';
import type { SystemPiece } from '../../../engine/request/gather.js';
import { SystemFragments } from '../../../engine/request/systemFragments.js';
import { storedExtensionText } from '../../context/editorState/editorParts.js';
import type { Behaviour } from '../behaviours/behaviour.js';
import type { SessionLog } from '../sessionLog.js';

const PARTICIPANTS = 'participants';

const OWN: ReadonlySet<string> = new Set([SESSION_FILES, PARTICIPANTS, WORKSPACE_TEXT]);

const NOTHING_INSTEAD: ReadonlyMap<string, string> = new Map();

const MOST_ID_CHARACTERS = 100;

/** Begins and ends with no space, and has no control characters, because views show the id in one line. */
const FRAGMENT_ID = new RegExp(`^(?=\\S)[^\\p{Cc}]{1,${String(MOST_ID_CHARACTERS)}}(?<=\\S)$`, 'u');

/** About 25,000 tokens, which each request would contain. */
const MOST_FRAGMENT_CHARACTERS = 100_000;

interface ChatFragmentsPorts {
  readonly log: Pick<SessionLog, 'state' | 'record' | 'checkWritable'>;
  readonly files: Pick<SessionFileManager, 'listFiles'>;
}

/** The fragments of a chat's system prompt: Loupe's own ones, then custom ones in the order in which they were set. */
export class ChatFragments implements Behaviour {
  readonly #ports: ChatFragmentsPorts;
  #fragments = new SystemFragments();

  constructor(ports: ChatFragmentsPorts) {
    this.#ports = ports;
    this.#define();
  }

  /** Returns the fragments for a request. `state`: the state of the chat, possibly with a participant who will join. */
  pieces(state: ParticipantsState): readonly SystemPiece[] {
    const isJoining = state.participants !== this.#ports.log.state.participants;
    return this.#fragments.pieces(isJoining ? new Map([[PARTICIPANTS, participantsPrompt(state)]]) : NOTHING_INSTEAD);
  }

  /** Sets a custom fragment. A null text removes it. Throws `invalidInput` for a bad id and for a long text. */
  async set(id: string, text: string | null): Promise<void> {
    if (OWN.has(id)) {
      throw failure('fragment.reserved', { id });
    }
    if (text !== null && !FRAGMENT_ID.test(id)) {
      throw failure('fragment.badId', { most: MOST_ID_CHARACTERS });
    }
    if ((text?.length ?? 0) > MOST_FRAGMENT_CHARACTERS) {
      throw failure('fragment.tooLong', { id, most: MOST_FRAGMENT_CHARACTERS });
    }
    await this.#set(id, text);
  }

  /** Sets the text that extensions add to the workspace message. Null or an empty text removes it. */
  async setWorkspace(text: string | null): Promise<void> {
    await this.#set(WORKSPACE_TEXT, storedExtensionText(text));
  }

  async #set(id: string, text: string | null): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    if ((log.state.fragments.get(id) ?? null) !== text) {
      await log.record([{ type: 'fragment-set', fragmentId: id, text }], 'durable');
    }
  }

  chatLoaded(): void {
    this.#define();
  }

  eventsLogged(events: readonly ChatEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'fragment-set':
          this.#changed(event.fragmentId);
          break;
        case 'participant':
          this.#fragments.markDirty(PARTICIPANTS);
          break;
        case 'session-file-put':
        case 'session-file-deleted':
          this.#fragments.markDirty(SESSION_FILES);
          break;
        default:
      }
    }
  }

  #define(): void {
    const { log, files } = this.#ports;
    this.#fragments = new SystemFragments();
    this.#fragments.define(SESSION_FILES, () => sessionFilesPrompt(files.listFiles()));
    this.#fragments.define(PARTICIPANTS, () => participantsPrompt(log.state));
    for (const id of log.state.fragments.keys()) {
      this.#changed(id);
    }
  }

  #changed(id: string): void {
    const { state } = this.#ports.log;
    if (!state.fragments.has(id)) {
      this.#fragments.remove(id);
    } else if (id !== WORKSPACE_TEXT && !this.#fragments.markDirty(id)) {
      this.#fragments.define(id, () => this.#ports.log.state.fragments.get(id) ?? '');
    }
  }
}
