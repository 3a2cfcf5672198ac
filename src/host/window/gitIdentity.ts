import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Participant } from '../../engine/chat/slices/participants.js';
import type { Sha256 } from '../../engine/ports.js';

interface GitIdentityPorts {
  /** Returns the workspace folders, because a repository can have its own name of the user. */
  folders(): readonly string[];
  readonly sha256: Sha256;
  readonly logInfo: (text: string) => void;
}

const LONGEST_MS = 5_000;
const ID_DIGITS = 16;

/** The user as git knows them. Git is asked once, at the first use. */
export class GitIdentity {
  readonly #ports: GitIdentityPorts;
  #isAsked = false;
  #me: Participant | null = null;

  constructor(ports: GitIdentityPorts) {
    this.#ports = ports;
  }

  /** Returns the user. Null until git has answered, and if git knows no name. */
  current(): Participant | null {
    if (!this.#isAsked) {
      this.#isAsked = true;
      void this.read();
    }
    return this.#me;
  }

  /** Asks git for the name and the e-mail address. Never rejects: without a name, messages have no author. */
  async read(): Promise<void> {
    const name = await this.#config('user.name');
    const email = name === null ? null : await this.#config('user.email');
    this.#me = name === null ? null : { id: this.#ports.sha256(email ?? name).slice(0, ID_DIGITS), name };
  }

  async #config(key: string): Promise<string | null> {
    const [folder] = this.#ports.folders();
    // Not as working folder: on Windows, a program named git in that folder would run instead.
    const place = folder === undefined ? [] : ['-C', folder];
    try {
      const { stdout } = await promisify(execFile)('git', [...place, 'config', '--get', key], { timeout: LONGEST_MS, windowsHide: true });
      return stdout.trim() === '' ? null : stdout.trim();
    } catch (thrown) {
      this.#ports.logInfo(`Git has no ${key}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return null;
    }
  }
}
