/** Why a file, a tool or a resource cannot be used. Manifests store the code; the host makes the sentence. */
export type FileProblem =
  | { readonly code: 'missing' }
  /** The path leads to something else, named by `what`. */
  | { readonly code: 'notAFile'; readonly what: 'folder' | 'pipe' | 'socket' | 'device' | 'link' | 'unknown' }
  | { readonly code: 'notAFolder' }
  /** Over the size limit: on the disk (`tooLarge`), or with the unsaved changes in its editor (`tooLargeUnsaved`). */
  | { readonly code: 'tooLarge'; readonly bytes: number }
  | { readonly code: 'tooLargeUnsaved' }
  | { readonly code: 'binary' }
  | { readonly code: 'notUtf8' }
  /** Another file replaced it while Loupe opened it. */
  | { readonly code: 'replaced' }
  /** A symbolic link leads out of the workspace. */
  | { readonly code: 'leadsOut' }
  /** A system call failed; `system` is the error code, such as EACCES. */
  | { readonly code: 'unreadable'; readonly system: string }
  /** The same file as another catalog item, at the path `by`, because of links. Its text is sent once. */
  | { readonly code: 'shadowed'; readonly by: string }
  /** Loupe failed to read it; `text` names the file and the failure. */
  | { readonly code: 'failed'; readonly text: string }
  /** The server of a tool or a resource failed; `text` says why. */
  | { readonly code: 'serverFailed'; readonly text: string }
  /** A resource of a server that this window has not read. */
  | { readonly code: 'notRead' }
  | { readonly code: 'absolutePath' }
  /** `text` says what is wrong with the path. */
  | { readonly code: 'invalidPath'; readonly text: string };
