/** Why a file, a tool or a resource cannot be used. Manifests keep the code; the host makes the sentence when it shows it. */
export type FileProblem =
  | { readonly code: 'missing' }
  /** `what` is at the path instead. */
  | { readonly code: 'notAFile'; readonly what: 'folder' | 'pipe' | 'socket' | 'device' | 'link' | 'unknown' }
  | { readonly code: 'notAFolder' }
  /** Over the size limit: on the disk (`tooLarge`), or with the unsaved changes in its editor (`tooLargeUnsaved`). */
  | { readonly code: 'tooLarge'; readonly bytes: number }
  | { readonly code: 'tooLargeUnsaved' }
  | { readonly code: 'binary' }
  | { readonly code: 'notUtf8' }
  /** Replaced by another file while Loupe opened it. */
  | { readonly code: 'replaced' }
  /** A symbolic link leads out of the workspace. */
  | { readonly code: 'leadsOut' }
  /** A system call failed; `system` is the error code, such as EACCES. */
  | { readonly code: 'unreadable'; readonly system: string }
  /** By links it is the same file as another item of the catalog, at the path `by`: its text is sent once. */
  | { readonly code: 'shadowed'; readonly by: string }
  /** Loupe failed at reading it; `text` names the file and the failure. */
  | { readonly code: 'failed'; readonly text: string }
  /** The server of a tool or a resource failed; `text` says why. */
  | { readonly code: 'serverFailed'; readonly text: string }
  /** A resource of a server that nothing has read in this window. */
  | { readonly code: 'notRead' }
  | { readonly code: 'absolutePath' }
  /** `text` says what is wrong with the path. */
  | { readonly code: 'invalidPath'; readonly text: string };
