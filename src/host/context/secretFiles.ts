import type { SignOfSecrets } from '../../engine/chat/calls/calls.js';
import { signOfSecrets } from '../../engine/context/fileDoubt.js';
import type { FileQuestions } from './fileQuestions.js';

/** Decides whether tools of a model may read a file that may contain passwords or keys. */
export interface SecretGuard {
  /** Returns what shows that a file may contain secrets. Null for other files, and if the user has allowed the file. */
  sign(path: string, content: string): SignOfSecrets | null;
  /** Stores that the user allows a file. */
  allow(path: string): Promise<void>;
}

/** Guards files with secrets, even if the user always allows the tool. Knows the files that the user allowed. */
export class SecretFiles implements SecretGuard {
  readonly #questions: Pick<FileQuestions, 'isAllowed' | 'allow'>;

  constructor(questions: Pick<FileQuestions, 'isAllowed' | 'allow'>) {
    this.#questions = questions;
  }

  sign(path: string, content: string): SignOfSecrets | null {
    return this.#questions.isAllowed(path) ? null : signOfSecrets(path, content);
  }

  allow(path: string): Promise<void> {
    return this.#questions.allow([path]);
  }
}
