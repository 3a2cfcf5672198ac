/** A change of a workspace file. `before` and `after`: the whole text with any byte order mark, null for no file. */
export interface FileWrite {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type WriteResult =
  | {
      readonly ok: true;
      /** Whether the file had unsaved changes. `before` includes these changes, and Loupe saved them, too. */
      readonly hadUnsaved: boolean;
    }
  | {
      readonly ok: false;
      /** The reason of the failure, as a sentence that names the file. */
      readonly reason: string;
      /** Whether the editor of the file nevertheless shows the change, unsaved. */
      readonly isInEditor: boolean;
    };

/** Changes workspace files. The user can undo each change in the editor. */
export interface FileWriter {
  /** Replaces the text `before` of a file by `after`. Refuses if the file has another text than `before`. */
  write(change: FileWrite): Promise<WriteResult>;
}
