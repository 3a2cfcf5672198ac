import type { MadeEdit } from '../../engine/chat/calls/toolEdit.js';

/** Finds what changes on the disk while the tools of a run work. */
export interface FileWatch {
  /** Tools are about to work. What is open in editors is known beforehand from then on, and so is what has these names. Never rejects. */
  begin(names: readonly string[]): Promise<void>;
  /** The files that have changed since `begin`, as far as VS Code has told. What the user saved is not among them. Never rejects. */
  changes(): Promise<readonly MadeEdit[]>;
  end(): void;
}
