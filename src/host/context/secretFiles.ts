import { signOfSecrets } from '../../engine/context/fileDoubt.js';
import type { FileQuestions } from './fileQuestions.js';

/** Decides whether tools of a model may read a file that may contain passwords or keys. */
export interface SecretGuard {
  /** Whether the file has no sign of secrets, or the user has allowed it. */
  isOpen(path: string, content: string): boolean;
  /** Asks the user about a file with a sign of secrets, once in a window. */
  mayRead(path: string, content: string): Promise<boolean>;
}

/** Asks before a tool reads a file with secrets, even if the user always allows the tool. */
export class SecretFiles implements SecretGuard {
  readonly #questions: Pick<FileQuestions, 'isAllowed' | 'askToRead'>;
  /** The answers of this window by path. A read of the same file waits for an open question. */
  readonly #answers = new Map<string, Promise<boolean>>();

  constructor(questions: Pick<FileQuestions, 'isAllowed' | 'askToRead'>) {
    this.#questions = questions;
  }

  isOpen(path: string, content: string): boolean {
    return signOfSecrets(path, content) === null || this.#questions.isAllowed(path);
  }

  async mayRead(path: string, content: string): Promise<boolean> {
    const by = signOfSecrets(path, content);
    if (by === null || this.#questions.isAllowed(path)) {
      return true;
    }
    const answer = this.#answers.get(path) ?? this.#questions.askToRead({ name: path, doubt: { code: 'secret', by } });
    this.#answers.set(path, answer);
    try {
      return await answer;
    } catch (error) {
      // The next read asks again.
      this.#answers.delete(path);
      throw error;
    }
  }
}
