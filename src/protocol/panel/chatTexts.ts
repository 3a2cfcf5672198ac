/*
 * Texts that exist only in one chat, for the context pane: session files, and custom fragments of the system prompt.
 */

export interface ChatTexts {
  readonly files: readonly SessionFileRow[];
  /** The names of deleted session files that the user can restore. */
  readonly deletedFiles: readonly string[];
  readonly fragments: readonly FragmentRow[];
  /** Whether the next request has no tool with which the model reads session files. */
  readonly lacksTools: boolean;
}

export interface SessionFileRow {
  readonly name: string;
  readonly mimeType: string;
  readonly summary: string;
  /** Tokens of the content when the model reads the file. Null when unknown. */
  readonly tokens: number | null;
  /** Whether the user can restore an earlier version. */
  readonly hasEarlier: boolean;
}

export interface FragmentRow {
  readonly id: string;
  readonly text: string;
  readonly tokens: number;
}
