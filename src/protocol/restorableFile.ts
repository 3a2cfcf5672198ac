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

/** What an edit of a message offers to restore. */
export interface RestoreOfferView {
  /** The message that is edited. */
  readonly messageId: string;
  readonly files: readonly RestorableFile[];
  /** Whether the files are restored when the edited message is sent. */
  readonly isOn: boolean;
}

/** A file that the tools of a reply wrote. */
export interface WrittenFileView {
  /** Within the workspace. */
  readonly path: string;
  /** In lines; null where they are not known. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Whether a tool has deleted it. */
  readonly isGone: boolean;
}
