/** A change of a workspace file. Texts include a byte order mark; null means no file. */
export interface FileWrite {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type WriteResult =
  | {
      readonly ok: true;
      /** Whether the file had unsaved changes. They are in `before`, and saved with the change. */
      readonly hadUnsaved: boolean;
    }
  | {
      readonly ok: false;
      /** A sentence that names the file. */
      readonly reason: string;
      /** Whether the file's editor nevertheless has the change, unsaved. */
      readonly isInEditor: boolean;
    };

/** Changes workspace files so that the user can undo it. */
export interface FileWriter {
  /** Writes a file that holds `before`. Refuses to change a file with other content. */
  write(change: FileWrite): Promise<WriteResult>;
}
