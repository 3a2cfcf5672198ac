import * as vscode from 'vscode';
import type { CommandView } from './runCommand.js';

/** Maximum number of characters of a command's output in a terminal. VS Code's terminals keep fewer. */
const MOST_SHOWN = 1024 * 1024;

/** Matches control characters in a command line, which would affect the terminal. Loupe replaces them. */
const CONTROLS = /\p{Cc}|\p{Cf}/gu;

/** Shows each command in an idle terminal with the name "Loupe". */
export class CommandTerminals implements vscode.Disposable {
  readonly #terminals = new Set<CommandTerminal>();
  readonly #closing: vscode.Disposable;

  constructor() {
    this.#closing = vscode.window.onDidCloseTerminal((closed) => {
      for (const each of this.#terminals) {
        if (each.terminal === closed) {
          this.#terminals.delete(each);
        }
      }
    });
  }

  /** Shows a command with its output. `folder`: workspace path of its working folder; '' for the first folder. */
  show(command: string, folder: string): CommandView {
    const idle = [...this.#terminals].find((each) => !each.isBusy);
    const terminal = idle ?? new CommandTerminal();
    this.#terminals.add(terminal);
    return terminal.begin(command, folder);
  }

  dispose(): void {
    this.#closing.dispose();
    for (const { terminal } of this.#terminals) {
      terminal.dispose();
    }
  }
}

/** A terminal without a shell, for the output of commands. Ctrl+C ends a command. */
class CommandTerminal implements vscode.Pseudoterminal {
  readonly terminal: vscode.Terminal;
  readonly #writes = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#writes.event;
  #command: AbortController | null = null;
  /** Output from before VS Code reads the terminal. Null as soon as VS Code reads the terminal. */
  #early: string[] | null = [];

  constructor() {
    this.terminal = vscode.window.createTerminal({ name: 'Loupe', pty: this, iconPath: new vscode.ThemeIcon('tools') });
  }

  get isBusy(): boolean {
    return this.#command !== null;
  }

  begin(command: string, folder: string): CommandView {
    const abort = new AbortController();
    this.#command = abort;
    this.terminal.show(true);
    const where = folder === '' ? '' : `${visible(folder)} `;
    this.#write(`\x1b[1m${where}$ ${visible(command)}\x1b[0m\r\n`);
    let shown = 0;
    return {
      signal: abort.signal,
      write: (text) => {
        if (shown <= MOST_SHOWN) {
          shown += text.length;
          // Adds carriage returns. In a terminal without a shell, a line feed alone stays in the same column.
          this.#write(text.replaceAll(/\r?\n/g, '\r\n'));
          if (shown > MOST_SHOWN) {
            this.#write('\x1b[0m\r\n(The output is too long. Loupe does not show the rest here.)\r\n');
          }
        }
      },
      ended: (sentence) => {
        this.#command = null;
        this.#write(`\x1b[0m\r\n${visible(sentence)}\r\n\r\n`);
      },
    };
  }

  open(): void {
    const early = this.#early ?? [];
    this.#early = null;
    early.forEach((text) => {
      this.#writes.fire(text);
    });
  }

  close(): void {
    this.#command?.abort();
  }

  handleInput(data: string): void {
    if (data === '\x03') {
      this.#command?.abort();
    }
  }

  #write(text: string): void {
    if (this.#early === null) {
      this.#writes.fire(text);
    } else {
      this.#early.push(text);
    }
  }
}

function visible(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(CONTROLS, (control) => `\\u${(control.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`))
    .join('\r\n  ');
}
