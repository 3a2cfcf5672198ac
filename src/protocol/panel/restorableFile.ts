import type { WhyUnapplied } from '../../engine/chat/calls/toolEdit.js';

export type { WhyUnapplied };

/** A file written by tools of messages that an edit or retry discards. */
export interface RestorableFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** What restoring does: write the earlier text, create the file, or delete it. Null if it is not possible. */
  readonly action: 'write' | 'make' | 'delete' | null;
  /** A sentence for the user: why it cannot be restored. Null if it can. */
  readonly problem: string | null;
  /** Lines that restoring adds to the current file, and removes. */
  readonly added: number;
  readonly removed: number;
  /** Whether the file has changed since a tool last wrote it. Restoring reverts that change, too. */
  readonly isChangedSince: boolean;
}

export interface RestoredFile {
  readonly path: string;
  /** A sentence for the user: why it was not restored. Null if it was. */
  readonly problem: string | null;
}

/** Files that an edit or retry of a message offers to restore. */
export interface RestoreOfferView {
  /** A retry waits for the answer. */
  readonly cause: 'edit' | 'retry';
  /** The message that is edited or retried. */
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  /** Whether the files will be restored with it. */
  readonly isOn: boolean;
}

/** A file that the tools of a reply wrote, or an edit that they did not make. Paths are relative to the workspace. */
export type WrittenFileView =
  | {
      readonly kind: 'written';
      readonly path: string;
      /** In lines. Null when unknown. */
      readonly added: number | null;
      readonly removed: number | null;
      /** `deleted`: by a tool. `undone`: by the user. */
      readonly state: 'applied' | 'deleted' | 'undone';
      /** The message with the results of its step. Null while the step runs. */
      readonly messageId: string | null;
      /** Whether the earlier version is known, so that it can be compared and restored. */
      readonly hasEarlier: boolean;
    }
  | { readonly kind: 'unapplied'; readonly path: string; readonly why: WhyUnapplied; readonly callId: string };
