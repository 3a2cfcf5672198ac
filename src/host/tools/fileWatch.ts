import type { MadeEdit } from '../../engine/chat/calls/toolEdit.js';

/** Finds files that change on disk during the tool calls of a run. */
export interface FileWatch {
  /** Starts watching. Stores the state of the files in editors and of those with these names. Never rejects. */
  begin(names: readonly string[]): Promise<void>;
  /**
   * Returns the files changed since `begin`, except those that the user saved. VS Code may report late. Never rejects.
   */
  changes(): Promise<readonly MadeEdit[]>;
  end(): void;
}
