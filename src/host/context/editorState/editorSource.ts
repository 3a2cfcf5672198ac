/** Reads what the editor shows now. Each function reads one kind of facts, because a chat sends only some of them. */
export interface EditorSource {
  /** Today as `2026-11-29`, and the name of the time zone. */
  readonly date: () => { readonly day: string; readonly timeZone: string };
  /** Returns the file in the active editor. Null without an editor of a file. */
  readonly active: () => Promise<ActiveFile | null>;
  readonly problems: () => Promise<readonly FileProblems[]>;
  /** Returns the git repository of the active file, else the only repository. Null without git. */
  readonly repository: () => Repository | null;
  /** Returns the paths of the files in open editors. */
  readonly tabs: () => readonly string[];
  /** Returns the last command in a terminal with shell integration. Null before the first command. */
  readonly lastCommand: () => TerminalCommand | null;
}

/** Why Loupe sends the path of a file, but no text of the file. For the last command: why Loupe sends no text. */
export type Withheld = 'restricted' | 'secret' | 'ignored' | 'outside';

export interface ActiveFile {
  readonly path: string;
  /** Null if Loupe may send the text. */
  readonly withheld: Withheld | null;
  /** Null without selected text. Lines count from 1. The text is empty if it is withheld. */
  readonly selection: SelectedLines | null;
  /** The first and the last visible line, from 1. Null if no line is visible. */
  readonly visible: readonly [number, number] | null;
}

export interface SelectedLines {
  readonly lines: readonly [number, number];
  readonly text: string;
  /** Whether the text is only the beginning of the selection. */
  readonly isCut: boolean;
}

export interface FileProblems {
  readonly path: string;
  /** Null if Loupe may send the messages. */
  readonly withheld: Withheld | null;
  readonly problems: readonly { readonly line: number; readonly isError: boolean; readonly message: string }[];
}

export interface Repository {
  /** The name of the branch. Null for a detached HEAD. */
  readonly branch: string | null;
  /** The first digits of the commit. Null before the first commit. */
  readonly commit: string | null;
  readonly changed: readonly string[];
  /** Files with conflicts, which are not in `changed`. */
  readonly conflicts: readonly string[];
  /** The number of changed files outside the workspace, whose paths Loupe does not send. */
  readonly outside: number;
}

export interface TerminalCommand {
  /** Null if Loupe may send the command and its output. */
  readonly withheld: Withheld | null;
  readonly line: string;
  /** The end of the output, without control sequences. Empty until the output is complete, so that it never changes. */
  readonly output: string;
  /** Whether more output came before. */
  readonly isCut: boolean;
  /** Undefined for a command whose exit code VS Code does not know. Null while the command runs. */
  readonly exitCode: number | undefined | null;
}
