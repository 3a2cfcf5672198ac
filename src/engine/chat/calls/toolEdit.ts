/**
 * Why a file cannot be restored: its old content was not read, is not text, or could not be stored. `imported` is never
 * in a log: the chat was imported, so its edits were made elsewhere.
 */
export type NoCopy = 'notKnown' | 'notText' | 'notKept' | 'imported';

/** A tool's change of a file. Hashes are the SHA-256 (hex) of the file's bytes. */
interface FileChange {
  /** Path relative to the workspace. */
  readonly path: string;
  /** Hash before the change. Null if the file did not exist, or if `noCopy` is `notKnown`. */
  readonly before: string | null;
  /** Hash after the change. Null if the file no longer exists. */
  readonly after: string | null;
  /** Number of added lines (`removed`: removed lines). Null unless the texts before and after the change are known. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Why the file cannot be restored. Null if the file can be restored, or did not exist before the change. */
  readonly noCopy: NoCopy | null;
}

/** A tool's change of a file, as stored in the log. */
export interface ToolEdit extends FileChange {
  /** Hash of the stored copy (blob) of the file before the change. Null without a copy. */
  readonly blob: string | null;
}

/** Returns an edit in an imported chat, which cannot be restored. */
export function importedEdit(edit: ToolEdit): ToolEdit {
  return { ...edit, blob: null, noCopy: edit.noCopy ?? 'imported' };
}

/** Why an edit failed. `changed`: no such old text. `repeated`: not unique. `same`: no change. `there`: file exists. */
export type WhyUnapplied = 'changed' | 'repeated' | 'same' | 'gone' | 'there' | 'outside' | 'unreadable' | 'notebook' | 'notSaved';

/** An edit that the model requested but the tool did not apply. */
export interface UnappliedEdit {
  /** Path relative to the workspace. Outside the workspace: the path as the model wrote it. */
  readonly path: string;
  readonly why: WhyUnapplied;
}

/** A file in which the user undid the edits of a step. */
export interface UndoneEdit {
  /** Id of the message with the results of the step. */
  readonly messageId: string;
  readonly path: string;
}

/** Files that changed on disk while the tools of a step ran, without the edits that the tools reported. */
export interface RoundEdits {
  /** Id of the message with the results of the step. */
  readonly messageId: string;
  /** Number of calls of the run that had ended when the step ended. The last of these calls belong to this step. */
  readonly calls: number;
  readonly edits: readonly ToolEdit[];
}

/** A tool's change of a file, before Loupe stores the earlier copy. */
export interface MadeEdit extends FileChange {
  /** Content of the file before the change. Null without a copy. */
  readonly earlier: Uint8Array | null;
}
