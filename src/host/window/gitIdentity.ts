import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Participant } from '../../engine/chat/slices/participants.js';
import { messageOf } from '../../engine/errors.js';
import type { Clock, Sha256 } from '../../engine/ports.js';

interface GitIdentityPorts {
  /** Returns the workspace folders, because a repository can have its own name of the user. */
  folders(): readonly string[];
  readonly sha256: Sha256;
  /** Returns the path of the git program. Null without one. */
  readonly gitPath: () => Promise<string | null>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logInfo: (text: string) => void;
}

/** A message waits for git at most this long, also while VS Code looks for the program. */
const LONGEST_MS = 5_000;
/** Time in ms after which Loupe ends a git program that hangs. Later messages use a late answer. */
const ENDED_MS = 60_000;
const ID_DIGITS = 16;

/** What git answered. Null without an answer: git is missing, as before the user trusts the workspace, or hangs. */
type GitAnswer = { readonly value: string | null } | null;

/** The user as git knows them. Git is asked until it answers. */
export class GitIdentity {
  readonly #ports: GitIdentityPorts;
  #me: Promise<Participant | null> | null = null;
  #lastNote: string | null = null;

  constructor(ports: GitIdentityPorts) {
    this.#ports = ports;
  }

  /** Returns the user. Null if git knows no name or does not answer: then messages have no author. Never rejects. */
  current(): Promise<Participant | null> {
    this.#me ??= this.#readInTime();
    return this.#me;
  }

  async #readInTime(): Promise<Participant | null> {
    const answered = new AbortController();
    const late = async (): Promise<null> => {
      await this.#ports.clock.sleep(LONGEST_MS, answered.signal);
      if (!answered.signal.aborted) {
        this.#note('Git did not answer, so messages have no author.');
      }
      return null;
    };
    const me = await Promise.race([this.#read(), late()]);
    answered.abort();
    return me;
  }

  /** Later calls use what git answered, even after the time. Without an answer, the next call asks again. */
  async #read(): Promise<Participant | null> {
    const git = await this.#git();
    const name = git === null ? null : await this.#config(git, 'user.name');
    const email = git === null || name === null ? null : await this.#config(git, 'user.email');
    if (name === null || (name.value !== null && email === null)) {
      this.#me = null;
      return null;
    }
    const me = name.value === null ? null : { id: this.#ports.sha256(email?.value ?? name.value).slice(0, ID_DIGITS), name: name.value };
    this.#me = Promise.resolve(me);
    return me;
  }

  async #git(): Promise<string | null> {
    try {
      const path = await this.#ports.gitPath();
      if (path === null) {
        this.#note('VS Code has no git, so messages have no author.');
      }
      return path;
    } catch (thrown) {
      this.#note(`VS Code's git extension failed, so messages have no author: ${messageOf(thrown)}`);
      return null;
    }
  }

  /** Each message can ask again, but the log has the same note once. */
  #note(text: string): void {
    if (text !== this.#lastNote) {
      this.#lastNote = text;
      this.#ports.logInfo(text);
    }
  }

  async #config(git: string, key: string): Promise<GitAnswer> {
    const [folder] = this.#ports.folders();
    // Not as working folder: on Windows, a program named git in that folder would run instead.
    const place = folder === undefined ? [] : ['-C', folder];
    try {
      const { stdout } = await promisify(execFile)(git, [...place, 'config', '--get', key], { timeout: ENDED_MS, windowsHide: true });
      return { value: stdout.trim() === '' ? null : stdout.trim() };
    } catch (thrown) {
      this.#note(`Git has no ${key}: ${messageOf(thrown)}`);
      // Without an exit code, git did not start, or Loupe ended it.
      return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'number' ? { value: null } : null;
    }
  }
}
