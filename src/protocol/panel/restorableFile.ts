import type { WhyUnapplied } from '../../engine/chat/calls/toolEdit.js';

export type { WhyUnapplied };

/** A file that the tools of messages wrote which an edit or a retry sets aside. */
export interface RestorableFile {
  /** Within the workspace. */
  readonly path: string;
  /** What restoring does: it gives the file its earlier text, makes it again, or deletes it. Null where it cannot. */
  readonly action: 'write' | 'make' | 'delete' | null;
  /** A sentence for the user: why it cannot be restored; null where it can. */
  readonly problem: string | null;
  /** Lines that restoring adds to the file as it is now, and removes. */
  readonly added: number;
  readonly removed: number;
  /** Whether somebody else has changed it since a tool wrote it last: restoring takes that back, too. */
  readonly isChangedSince: boolean;
}

/** What became of a file that was to be restored. */
export interface RestoredFile {
  readonly path: string;
  /** A sentence for the user: why it is as it was; null where it was restored. */
  readonly problem: string | null;
}

/** What the edit of a message, or a retry, offers to restore. */
export interface RestoreOfferView {
  /** A retry waits for the answer. */
  readonly cause: 'edit' | 'retry';
  /** The message that is edited, or answered anew. */
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  /** Whether the files are restored with it. */
  readonly isOn: boolean;
}

/** A file that the tools of a reply wrote, or were asked to edit and did not. Paths are those within the workspace. */
export type WrittenFileView =
  | {
      readonly kind: 'written';
      readonly path: string;
      /** In lines; null where they are not known. */
      readonly added: number | null;
      readonly removed: number | null;
      /** `deleted`: by a tool; `undone`: by the user. */
      readonly state: 'applied' | 'deleted' | 'undone';
      /** The message with the results of its round; null while that goes on. */
      readonly messageId: string | null;
      /** Whether it is known how it was before, so that it can be compared and undone. */
      readonly hasEarlier: boolean;
    }
  | { readonly kind: 'unapplied'; readonly path: string; readonly why: WhyUnapplied; readonly callId: string };
