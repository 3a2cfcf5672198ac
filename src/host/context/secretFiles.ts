import type { SignOfSecrets } from '../../engine/chat/calls/calls.js';
import { signOfSecrets } from '../../engine/context/fileDoubt.js';
import type { FileQuestions } from './fileQuestions.js';

/** Decides whether tools of a model may read a file that may contain passwords or keys. */
export interface SecretGuard {
  /** Returns what shows that a file may contain secrets. Null for other files, and if the user has allowed the file. */
  sign(path: string, content: string): Promise<SignOfSecrets | null>;
  /** Stores that the user allows a file. */
  allow(path: string): Promise<void>;
}

interface SecretFilesPorts {
  readonly questions: Pick<FileQuestions, 'isAllowed' | 'allow'>;
  /** Returns a workspace path with resolved links, because a link with another name can lead to a file with secrets. */
  readonly resolved: (path: string) => Promise<string>;
}

/** Guards files with secrets, even if the user always allows the tool. Knows the files that the user allowed. */
export class SecretFiles implements SecretGuard {
  readonly #ports: SecretFilesPorts;

  constructor(ports: SecretFilesPorts) {
    this.#ports = ports;
  }

  async sign(path: string, content: string): Promise<SignOfSecrets | null> {
    const { questions, resolved } = this.#ports;
    const file = await resolved(path);
    return questions.isAllowed(file) ? null : (signOfSecrets(path, content) ?? signOfSecrets(file, content));
  }

  async allow(path: string): Promise<void> {
    await this.#ports.questions.allow([await this.#ports.resolved(path)]);
  }
}
