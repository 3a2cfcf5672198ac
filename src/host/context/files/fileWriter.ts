/** A change of a workspace file. `before` and `after` are whole texts with a byte order mark; null means no file. */
export interface FileWrite {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type WriteResult =
  | {
      readonly ok: true;
      /** Whether the file had unsaved changes. These are a part of `before`, and were saved, too. */
      readonly hadUnsaved: boolean;
    }
  | {
      readonly ok: false;
      /** The reason, as a sentence that names the file. */
      readonly reason: string;
      /** Whether the change is nevertheless in the file's editor, unsaved. */
      readonly isInEditor: boolean;
    };

/** Changes workspace files. The user can undo each change in the editor. */
export interface FileWriter {
  /** Replaces the text `before` of a file with `after`. Refuses to change a file with another text. */
  write(change: FileWrite): Promise<WriteResult>;
}
