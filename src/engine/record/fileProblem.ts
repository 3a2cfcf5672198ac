/** Why a file, a tool or a resource cannot be used. Manifests store the code; the host turns it into a sentence. */
export type FileProblem =
  | { readonly code: 'missing' }
  /** At the path, there is no file, but a `what`. */
  | { readonly code: 'notAFile'; readonly what: 'folder' | 'pipe' | 'socket' | 'device' | 'link' | 'unknown' }
  | { readonly code: 'notAFolder' }
  /** The file is too large: on the disk (`tooLarge`), or with unsaved changes in an editor (`tooLargeUnsaved`). */
  | { readonly code: 'tooLarge'; readonly bytes: number }
  | { readonly code: 'tooLargeUnsaved' }
  | { readonly code: 'binary' }
  | { readonly code: 'notUtf8' }
  /** Another file replaced the file while Loupe opened it. */
  | { readonly code: 'replaced' }
  /** A symbolic link leads to a place outside of the workspace. */
  | { readonly code: 'leadsOut' }
  /** A system call failed; `system` is the error code, such as EACCES. */
  | { readonly code: 'unreadable'; readonly system: string }
  /** The file is a copy of the catalog item at the path `by`, or a link to the same file. Loupe sends its text once. */
  | { readonly code: 'shadowed'; readonly by: string }
  /** The catalog item at the path `by` replaces the file. */
  | { readonly code: 'overruled'; readonly by: string }
  /** Loupe failed to read the file; `text` names the file and the failure. */
  | { readonly code: 'failed'; readonly text: string }
  /** The server of a tool or a resource failed; `text` is the reason. */
  | { readonly code: 'serverFailed'; readonly text: string }
  /** A resource of a server that this VS Code window has not read yet. */
  | { readonly code: 'notRead' }
  | { readonly code: 'absolutePath' }
  /** `text` describes what is wrong with the path. */
  | { readonly code: 'invalidPath'; readonly text: string };

/** Whether another item has the place of this one in requests. */
export function isReplaced(problem: FileProblem | null): boolean {
  return problem?.code === 'shadowed' || problem?.code === 'overruled';
}
