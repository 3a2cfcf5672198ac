/** Why a file cannot be restored. `notKnown`: it had not been read. `notKept`: its copy could not be stored. */
export type NoCopy = 'notKnown' | 'notText' | 'notKept';

/** A tool's change of a file. Hashes are the SHA-256 (hex) of the file's bytes. */
interface FileChange {
  /** Relative to the workspace. */
  readonly path: string;
  /** Null if the file did not exist, and if `noCopy` is `notKnown`. */
  readonly before: string | null;
  /** Null if the file no longer exists. */
  readonly after: string | null;
  /** In lines. Null unless both texts are known. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Null if the file can be restored, or did not exist before. */
  readonly noCopy: NoCopy | null;
}

/** A tool's change of a file, as logged. */
export interface ToolEdit extends FileChange {
  /** The blob of the chat that has the earlier copy (`before`). Null without a copy. */
  readonly blob: string | null;
}

/** Why an edit was not applied. `changed`: the text to replace is missing. `there`: the file to create exists. */
export type WhyUnapplied = 'changed' | 'repeated' | 'same' | 'gone' | 'there' | 'outside' | 'unreadable' | 'notSaved';

/** An edit that a tool was asked to make but did not apply. */
export interface UnappliedEdit {
  /** The path as the model wrote it if it is outside the workspace. */
  readonly path: string;
  readonly why: WhyUnapplied;
}

/** The user undid the edits of a step in a file. */
export interface UndoneEdit {
  /** The message with the results of the step. */
  readonly messageId: string;
  readonly path: string;
}

/** Files that changed on disk during the tools of a step, except the edits that the calls report. */
export interface RoundEdits {
  /** The message with the results of the step. */
  readonly messageId: string;
  /** Number of calls of the run that had ended. The calls of this step are the last of them. */
  readonly calls: number;
  readonly edits: readonly ToolEdit[];
}

/** A tool's change of a file, as the tool reports it. */
export interface MadeEdit extends FileChange {
  /** Bytes of the earlier copy. Null without one. */
  readonly earlier: Uint8Array | null;
}
