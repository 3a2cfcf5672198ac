/** Why a file cannot be put back as it was. `notKnown`: it had not been read; `notKept`: its copy could not be stored. */
export type NoCopy = 'notKnown' | 'notText' | 'notKept';

/** How a tool left a file. Hashes are the SHA-256 (hex) of its bytes. */
interface FileChange {
  /** Within the workspace. */
  readonly path: string;
  /** Null where the file was not there, and where `noCopy` is `notKnown`. */
  readonly before: string | null;
  /** Null where the file is gone. */
  readonly after: string | null;
  /** In lines; null where the texts are not both known. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Null where the file can be put back, or was not there. */
  readonly noCopy: NoCopy | null;
}

/** A tool's change of a file, as the log has it. */
export interface ToolEdit extends FileChange {
  /** The name of the earlier copy in the chat's blob folder, which is `before`; null without one. */
  readonly blob: string | null;
}

/** Why an edit was not made. `changed`: its text does not stand there; `there`: the file that it would make is there already. */
export type WhyUnapplied = 'changed' | 'repeated' | 'same' | 'gone' | 'there' | 'outside' | 'unreadable' | 'notSaved';

/** An edit that a tool was asked for, and did not make. */
export interface UnappliedEdit {
  /** As the model named it, where it leads out of the workspace. */
  readonly path: string;
  readonly why: WhyUnapplied;
}

/** The user has undone what the tools of a round left in a file. */
export interface UndoneEdit {
  /** The message with the results of the round. */
  readonly messageId: string;
  readonly path: string;
}

/** What was found to have changed on the disk while the tools of a round ran: what no call has told. */
export interface RoundEdits {
  /** The message with the results of the round. */
  readonly messageId: string;
  /** How many calls of its run had ended: those of the round are the last of them. */
  readonly calls: number;
  readonly edits: readonly ToolEdit[];
}

/** A tool's change of a file, as the tool tells it. */
export interface MadeEdit extends FileChange {
  /** The bytes of the earlier copy; null without one. */
  readonly earlier: Uint8Array | null;
}
