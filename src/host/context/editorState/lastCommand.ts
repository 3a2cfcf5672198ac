import { stripVTControlCharacters } from 'node:util';
import * as vscode from 'vscode';
import type { LoupeError } from '../../../engine/errors.js';
import { logFailure } from '../../../engine/errors.js';
import { mayHaveSecrets } from './commandSecrets.js';
import type { TerminalCommand } from './editorSource.js';

/** Maximum number of characters of output that Loupe keeps. */
const MOST_OUTPUT = 6_000;

interface Running {
  readonly execution: vscode.TerminalShellExecution;
  output: string;
  isCut: boolean;
  /** Whether the output is complete. */
  isRead: boolean;
  hasSecrets: boolean;
  exitCode: TerminalCommand['exitCode'];
}

/** Follows the commands in terminals with shell integration. Keeps the end of the output of the last command. */
export class LastCommand {
  readonly #logError: (error: LoupeError) => void;
  readonly #changed: () => void;
  #last: Running | null = null;

  constructor({ logError, changed }: { readonly logError: (error: LoupeError) => void; readonly changed: () => void }) {
    this.#logError = logError;
    this.#changed = changed;
  }

  get(): TerminalCommand | null {
    if (this.#last === null) {
      return null;
    }
    const { execution, output, isCut, isRead, hasSecrets, exitCode } = this.#last;
    const line = execution.commandLine.value;
    const withheld = !vscode.workspace.isTrusted ? 'restricted' : hasSecrets || mayHaveSecrets(line, '') ? 'secret' : null;
    return { line, withheld, output: isRead ? stripVTControlCharacters(output) : '', isCut, exitCode };
  }

  /** Starts to follow commands. VS Code reports only commands that start later. */
  watch(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
        this.#started(execution).catch(logFailure({ logError: this.#logError }));
      }),
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        if (this.#last?.execution === execution) {
          this.#last.exitCode = exitCode;
          this.#changed();
        }
      }),
    );
  }

  async #started(execution: vscode.TerminalShellExecution): Promise<void> {
    const running: Running = { execution, output: '', isCut: false, isRead: false, hasSecrets: false, exitCode: null };
    this.#last = running;
    this.#changed();
    for await (const data of execution.read()) {
      if (this.#last !== running) {
        return;
      }
      const output = running.output + data;
      // Checks all output: the part that Loupe keeps may lack the first line of a key.
      running.hasSecrets ||= mayHaveSecrets('', stripVTControlCharacters(output));
      running.isCut ||= output.length > MOST_OUTPUT;
      running.output = output.slice(-MOST_OUTPUT);
    }
    running.isRead = true;
    this.#changed();
  }
}
