import type { WhyUnapplied } from '../../engine/chat/calls/toolEdit.js';

export type { WhyUnapplied };

/** A file that a tool wrote after the message that the user edits or retries. */
export interface RestorableFile {
  /** Path relative to the workspace. */
  readonly path: string;
  /** What restoring does: write the earlier text, create the file, or delete it. Null if this is not possible. */
  readonly action: 'write' | 'make' | 'delete' | null;
  /** A sentence for the user: why the file cannot be restored. Null if it can be restored. */
  readonly problem: string | null;
  /** Number of lines that a restore would add to the current file, and would remove from it. */
  readonly added: number;
  readonly removed: number;
  /** Whether the file has changed since a tool last wrote it. Restoring also reverts that later change. */
  readonly isChangedSince: boolean;
}

export interface RestoredFile {
  readonly path: string;
  /** A sentence for the user: why the file was not restored. Null if it was restored. */
  readonly problem: string | null;
}

/** The offer to restore files when the user edits or retries a message. */
export interface RestoreOfferView {
  /** A retry waits until the user has answered. An edit does not wait. */
  readonly cause: 'edit' | 'retry';
  /** Id of the message that the user edits or retries. */
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  /** Whether the user wants to restore the files. */
  readonly isOn: boolean;
}

/** A file that the tools of a reply wrote, or an edit that was not applied. Paths are relative to the workspace. */
export type WrittenFileView =
  | {
      readonly kind: 'written';
      readonly path: string;
      /** Number of lines. Null when unknown. */
      readonly added: number | null;
      readonly removed: number | null;
      /** `deleted`: a tool deleted the file. `undone`: the user undid the edit. */
      readonly state: 'applied' | 'deleted' | 'undone';
      /** Id of the message with the results of the step. Null while the step runs. */
      readonly messageId: string | null;
      /** Whether the earlier version is known, so that the user can compare and restore it. */
      readonly hasEarlier: boolean;
    }
  | { readonly kind: 'unapplied'; readonly path: string; readonly why: WhyUnapplied; readonly callId: string };
