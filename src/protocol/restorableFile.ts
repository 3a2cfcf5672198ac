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
