import type { FileReader } from '../../engine/context/fileContents.js';
import { fileDoubt } from '../../engine/context/fileDoubt.js';
import { failIfAborted } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import { itemOf, type Catalog, type CatalogItem } from '../../engine/context/catalogItem.js';
import { itemKey, type SessionContextItem } from '../../engine/record/item.js';
import { addedByHand } from './catalog/catalogChoice.js';
import type { DoubtfulFile, FileQuestions } from './fileQuestions.js';
import { MAX_FOLDER_FILES } from './files/folderListing.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';

export interface ContextTarget {
  readonly state: { readonly context: ReadonlyMap<string, SessionContextItem> };
  readonly context: { add(item: SessionContextItem): Promise<void> };
}

export interface PickedPath {
  /** Absolute path on disk. */
  readonly path: string;
  readonly isFolder: boolean;
}

export interface AddPathsPorts {
  readonly files: WorkspaceFiles;
  /** The reader that requests use, too, so that the hash of an added file changes only when the file changes. */
  readonly reader: FileReader;
  readonly sha256: Sha256;
  readonly catalog: Catalog;
  readonly questions: Pick<FileQuestions, 'isAllowed' | 'ask'>;
}

/**
 * Adds files, and the text files of folders, to a chat's context. A file that is already there keeps its place and gets
 * a new hash. A file of a rule, reference or skill is added as that catalog item, so that its text is not sent twice.
 * At the end, asks the user once about files with secrets and large files. Returns a sentence for each file that it did
 * not add. On abort, throws `cancelled` and keeps the added items.
 */
export async function addPaths(
  chat: ContextTarget,
  places: readonly PickedPath[],
  ports: AddPathsPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const notes: string[] = [];
  // By name, because the user can select a folder and a file in it.
  const doubtful = new Map<string, DoubtfulFile & { readonly item: SessionContextItem }>();
  const bySource = new Map(
    [...ports.catalog.values()].filter(({ isEnabled, problem }) => isEnabled && problem === null).map((item) => [item.source, item]),
  );
  for (const place of places) {
    const found = await filesAt(place, ports.files, signal);
    notes.push(...found.notes);
    for (const name of found.files) {
      failIfAborted(signal, 'file.addingCancelled');
      const known = bySource.get(name);
      if (known !== undefined) {
        notes.push(...(await addKnown(chat, known)));
        continue;
      }
      const read = await ports.reader.read(name);
      if (!read.ok) {
        notes.push(read.reason);
        continue;
      }
      const item = { type: 'file', name, includeMode: 'manual', addedHash: ports.sha256(read.content), given: null } as const;
      const isInChat = chat.state.context.has(itemKey(item));
      const doubt = isInChat ? null : fileDoubt(name, read.content, ports.questions.isAllowed(name));
      if (doubt === null) {
        await chat.context.add(item);
      } else {
        doubtful.set(name, { name, doubt, item });
      }
    }
  }
  return [...notes, ...(await addDoubtful(chat, [...doubtful.values()], ports))];
}

/** Adds files if the user agrees. Otherwise returns a sentence for each file. */
async function addDoubtful(
  chat: ContextTarget,
  files: readonly (DoubtfulFile & { readonly item: SessionContextItem })[],
  { questions }: Pick<AddPathsPorts, 'questions'>,
): Promise<readonly string[]> {
  if (files.length > 0 && !(await questions.ask(files))) {
    return files.map(({ name }) => `You did not add ${name}.`);
  }
  for (const { item } of files) {
    await chat.context.add(item);
  }
  return [];
}

async function addKnown(chat: ContextTarget, item: CatalogItem): Promise<readonly string[]> {
  if (chat.state.context.has(itemKey(itemOf(item)))) {
    return [`${item.source} is in this chat already, as a ${item.type}.`];
  }
  await chat.context.add(addedByHand(item));
  return [];
}

async function filesAt(
  place: PickedPath,
  files: WorkspaceFiles,
  signal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly notes: readonly string[] }> {
  const name = files.relative(place.path);
  if (name === null) {
    return { files: [], notes: [`${place.path} is not in this workspace. To add it, first open its folder in VS Code.`] };
  }
  if (!place.isFolder) {
    return { files: [name], notes: [] };
  }
  const listing = await files.listFolder(name, { most: MAX_FOLDER_FILES, signal });
  if (!listing.ok) {
    return { files: [], notes: [listing.reason] };
  }
  const { next, notes } = listing;
  const rest = `Loupe added only the first ${String(MAX_FOLDER_FILES)} files of the folder. It skipped ${next ?? ''} and all later files.`;
  return { files: listing.files, notes: next === null ? notes : [...notes, rest] };
}
