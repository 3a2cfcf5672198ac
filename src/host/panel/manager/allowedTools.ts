import { isDeepStrictEqual } from 'node:util';
import type { AllowedTool, CallTarget } from '../../../engine/chat/calls/calls.js';
import { type LoupeError, toLoupeError } from '../../../engine/errors.js';
import { WORKSPACE_SERVER } from '../../../engine/tools/serverName.js';
import type { AllowedToolRow, AllowedToolsView } from '../../../protocol/panel/toolCalls.js';
import type { ChatSession } from '../../chat/chatSession.js';
import type { AlwaysAllowed } from '../../chat/runs/toolAnswers.js';
import { RUN_COMMAND } from '../../tools/workspace/runCommand.js';

interface AllowedToolsPorts {
  /** Returns the URIs of the workspace folders, sorted. */
  readonly folders: () => readonly string[];
  readonly changed: (source: 'open') => void;
  readonly logError: (error: LoupeError) => void;
}

type Session = Pick<ChatSession, 'state' | 'answers'>;

interface AlwaysList extends Omit<AllowedToolsView, 'rows'> {
  readonly approvals: readonly AlwaysAllowed[];
}

/** Derives what the user allowed, while the context pane is open. */
export class AllowedTools {
  readonly #ports: AllowedToolsPorts;
  #always: AlwaysList | null = null;
  #isReading = false;

  constructor(ports: AllowedToolsPorts) {
    this.#ports = ports;
  }

  /** Returns the approvals of the chat and the last known ones for all chats. Null until these were read once. */
  view({ state, answers }: Session): AllowedToolsView | null {
    if (!this.#isReading) {
      this.#isReading = true;
      void this.#read(answers);
    }
    if (this.#always === null) {
      return null;
    }
    const { approvals, unreadable, problem } = this.#always;
    const here = this.#ports.folders();
    const inChat = [...state.allowedTools.values()].map((allowed) => rowOf(allowed, { reach: chatReach(allowed), hasChanged: false }));
    const always = approvals.map(({ target, hasChanged }) => rowOf(target, { reach: alwaysReach(target, here), hasChanged }));
    return { rows: [...inChat, ...always], unreadable, problem };
  }

  close(): null {
    this.#always = null;
    return null;
  }

  /** Reads the approvals for all chats again, because other windows change them, too. Never rejects. */
  async #read(answers: Session['answers']): Promise<void> {
    const read = await this.#readAlways(answers);
    this.#isReading = false;
    if (!isDeepStrictEqual(read, this.#always)) {
      this.#always = read;
      this.#ports.changed('open');
    }
  }

  async #readAlways(answers: Session['answers']): Promise<AlwaysList> {
    try {
      return { ...(await answers.always()), problem: null };
    } catch (thrown) {
      const error = toLoupeError(thrown);
      this.#ports.logError(error);
      return { approvals: [], unreadable: [], problem: error.message };
    }
  }
}

function chatReach({ isForTurn }: AllowedTool): AllowedToolRow['reach'] {
  return isForTurn === true ? 'turn' : 'chat';
}

function alwaysReach({ covers }: CallTarget, here: readonly string[]): AllowedToolRow['reach'] {
  return covers === undefined ? 'all' : isDeepStrictEqual(covers.folders, here) ? 'folder' : 'elsewhere';
}

function rowOf(target: CallTarget, reach: Pick<AllowedToolRow, 'reach' | 'hasChanged'>): AllowedToolRow {
  const { binding, covers, serverName, name } = target;
  const isOwn = serverName === WORKSPACE_SERVER;
  if (covers === undefined) {
    const kind = isOwn && name === RUN_COMMAND ? 'everyCommand' : 'tool';
    return { binding, kind, name: isOwn ? name : `${serverName}:${name}`, workingFolder: null, folders: '', ...reach };
  }
  const folders = covers.folders.map(folderName).join(', ');
  return covers.kind === 'reading'
    ? { binding, kind: 'reading', name: folders, workingFolder: null, folders, ...reach }
    : { binding, kind: 'command', name: covers.command, workingFolder: covers.folder === '' ? null : covers.folder, folders, ...reach };
}

/** Returns the last part of a folder's URI, without escapes. */
function folderName(uri: string): string {
  const last = uri.replace(/\/+$/, '').split('/').at(-1) ?? uri;
  try {
    return decodeURIComponent(last);
  } catch {
    // Not every URI of a file system provider has valid escapes.
    return last;
  }
}
