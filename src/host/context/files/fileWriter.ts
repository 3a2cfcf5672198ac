/** A change of a file of the workspace. Texts are those of the file, a byte order mark included; null stands for no file. */
export interface FileWrite {
  /** Within the workspace. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type Wrote =
  | {
      readonly ok: true;
      /** Whether the user had changes in the file that were not saved. They are in `before`, and saved with it. */
      readonly hadUnsaved: boolean;
    }
  | {
      readonly ok: false;
      /** A sentence that names the file. */
      readonly reason: string;
      /** Whether the editor of the file has the change all the same, not saved. */
      readonly isInEditor: boolean;
    };

/** Changes files of the workspace so that the user can undo it. */
export interface FileWriter {
  /** Writes a file that holds `before`; one that holds something else by now is left as it is, and refused. */
  write(change: FileWrite): Promise<Wrote>;
}
