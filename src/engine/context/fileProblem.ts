/** Why a file is not taken, as a record keeps it: sentences are made where they are shown. */
export type FileProblem =
  | { readonly code: 'missing' }
  /** `what` stands there instead. */
  | { readonly code: 'notAFile'; readonly what: 'folder' | 'pipe' | 'socket' | 'device' | 'link' | 'unknown' }
  | { readonly code: 'notAFolder' }
  /** Over the limit on the disk, or with the changes in its editor. */
  | { readonly code: 'tooLarge'; readonly bytes: number }
  | { readonly code: 'tooLargeUnsaved' }
  | { readonly code: 'binary' }
  | { readonly code: 'notUtf8' }
  /** Swapped for another file while it was being opened. */
  | { readonly code: 'replaced' }
  /** Links lead out of the workspace. */
  | { readonly code: 'leadsOut' }
  /** A call to the system failed; `system` is its code, such as EACCES. */
  | { readonly code: 'unreadable'; readonly system: string }
  | { readonly code: 'absolutePath' }
  /** `text` says what is wrong with the path. */
  | { readonly code: 'invalidPath'; readonly text: string };
