import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Participant } from '../../engine/chat/slices/participants.js';
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
const ID_DIGITS = 16;

/** The user as git knows them. Git is asked once, at the first use. */
export class GitIdentity {
  readonly #ports: GitIdentityPorts;
  #me: Promise<Participant | null> | null = null;

  constructor(ports: GitIdentityPorts) {
    this.#ports = ports;
  }

  /** Returns the user. Null if git knows no name or does not answer: then messages have no author. Never rejects. */
  current(): Promise<Participant | null> {
    this.#me ??= this.#readInTime();
    return this.#me;
  }

  async #readInTime(): Promise<Participant | null> {
    const { clock, logInfo } = this.#ports;
    const answered = new AbortController();
    const late = async (): Promise<null> => {
      await clock.sleep(LONGEST_MS, answered.signal);
      if (!answered.signal.aborted) {
        logInfo('Git did not answer, so messages have no author.');
      }
      return null;
    };
    const me = await Promise.race([this.#read(), late()]);
    answered.abort();
    return me;
  }

  async #read(): Promise<Participant | null> {
    const git = await this.#git();
    const name = git === null ? null : await this.#config(git, 'user.name');
    if (git === null || name === null) {
      return null;
    }
    const email = await this.#config(git, 'user.email');
    return { id: this.#ports.sha256(email ?? name).slice(0, ID_DIGITS), name };
  }

  async #git(): Promise<string | null> {
    try {
      const path = await this.#ports.gitPath();
      if (path === null) {
        this.#ports.logInfo('VS Code has no git, so messages have no author.');
      }
      return path;
    } catch (thrown) {
      this.#ports.logInfo(`VS Code's git extension failed, so messages have no author: ${textOf(thrown)}`);
      return null;
    }
  }

  async #config(git: string, key: string): Promise<string | null> {
    const [folder] = this.#ports.folders();
    // Not as working folder: on Windows, a program named git in that folder would run instead.
    const place = folder === undefined ? [] : ['-C', folder];
    try {
      const { stdout } = await promisify(execFile)(git, [...place, 'config', '--get', key], { timeout: LONGEST_MS, windowsHide: true });
      return stdout.trim() === '' ? null : stdout.trim();
    } catch (thrown) {
      this.#ports.logInfo(`Git has no ${key}: ${textOf(thrown)}`);
      return null;
    }
  }
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
