import type { FileReader } from '../engine/context/fileContext.js';
import { refuseAborted } from '../engine/errors.js';
import type { Sha256 } from '../engine/ports.js';
import type { ChatSession } from './chat/chatSession.js';
import { MAX_FOLDER_FILES } from './files/folderListing.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';

/** A place the user pointed at. */
export interface PickedPlace {
  /** Absolute path on disk. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface AddPlacesPorts {
  readonly files: WorkspaceFiles;
  /** Reads as requests do: what a file is compared with later must be what the user has added. */
  readonly reader: FileReader;
  readonly sha256: Sha256;
}

/**
 * Adds files, and the text files of folders, to a chat's context. What is there already keeps its place; only its
 * hash is taken anew. Returns what was not added, a sentence each. Throws `cancelled` when `signal` aborts;
 * what was added until then stays.
 */
export async function addPlaces(
  session: ChatSession,
  places: readonly PickedPlace[],
  ports: AddPlacesPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const place of places) {
    const found = await filesAt(place, ports.files, signal);
    notes.push(...found.notes);
    for (const name of found.files) {
      refuseAborted(signal, 'file.addingCancelled');
      const read = await ports.reader.read(name);
      if (read.ok) {
        const item = { type: 'file', name, includeMode: 'manual', addedHash: ports.sha256(read.content), given: null } as const;
        await session.addContext(item);
      } else {
        notes.push(read.reason);
      }
    }
  }
  return notes;
}

async function filesAt(
  place: PickedPlace,
  files: WorkspaceFiles,
  signal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly notes: readonly string[] }> {
  const name = files.relative(place.path);
  if (name === null) {
    return { files: [], notes: [`${place.path} is not in this workspace, so it cannot be added.`] };
  }
  if (!place.isFolder) {
    return { files: [name], notes: [] };
  }
  const listing = await files.listFolder(name, { most: MAX_FOLDER_FILES, signal });
  return listing.ok ? listing : { files: [], notes: [listing.reason] };
}
