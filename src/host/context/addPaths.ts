import type { FileReader } from '../../engine/context/fileContents.js';
import { fileDoubt } from '../../engine/context/fileDoubt.js';
import { failIfAborted } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import { itemOf, type Catalog, type CatalogItem } from '../../engine/context/catalogItem.js';
import { itemKey, type SessionContextItem, type StoredText } from '../../engine/record/item.js';
import { addedByHand } from './catalog/catalogChoice.js';
import type { DoubtfulFile, FileQuestions } from './fileQuestions.js';
import { fileTree } from '../../engine/repository/fileTree.js';
import { ROUGH_COUNTER } from '../../engine/tokens/roughCounter.js';
import { MAX_FOLDER_FILES } from './files/folderListing.js';
import { folderTreeName } from './selectionName.js';
import type { WorkspaceFiles } from './files/workspaceFiles.js';

export interface ContextTarget {
  readonly state: { readonly context: ReadonlyMap<string, SessionContextItem> };
  readonly context: { add(item: SessionContextItem): Promise<void>; store(text: string): Promise<StoredText> };
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
  readonly questions: Pick<FileQuestions, 'isAllowed' | 'ask' | 'askFolder'>;
}

/**
 * Adds files, and the text files of folders, to a chat's context. Asks about a folder with many files: the user can add
 * its file tree instead. A file that is already there keeps its place and gets a new hash. A file of a rule, reference
 * or skill is added as that catalog item, so that its text is not sent twice. At the end, asks the user once about
 * files with secrets and large files. Returns a sentence for each file that it did not add. On abort, throws
 * `cancelled` and keeps the added items.
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
    [...ports.catalog.values()].filter(({ offBy, problem }) => offBy === null && problem === null).map((item) => [item.source, item]),
  );
  for (const place of places) {
    const found = await filesAt(chat, place, ports, signal);
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

/** Maximum number of files that the file tree of a folder counts. */
const MOST_LISTED = 20_000;

/** Maximum number of tokens of the file tree of a folder, by the rough counter. */
const TREE_TOKENS = 2_000;

interface FilesToAdd {
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

async function filesAt(
  chat: ContextTarget,
  place: PickedPath,
  { files, sha256, questions }: Pick<AddPathsPorts, 'files' | 'sha256' | 'questions'>,
  signal: AbortSignal,
): Promise<FilesToAdd> {
  const name = files.relative(place.path);
  if (name === null) {
    return { files: [], notes: [`${place.path} is not in this workspace. To add it, first open its folder in VS Code.`] };
  }
  if (!place.isFolder) {
    return { files: [name], notes: [] };
  }
  const listing = await files.listFolder(name, { most: MOST_LISTED, signal });
  if (!listing.ok || listing.files.length <= MAX_FOLDER_FILES) {
    return listing.ok ? listing : { files: [], notes: [listing.reason] };
  }
  const inside = listing.files.map((path) => (name === '' ? path : path.slice(name.length + 1)));
  const tree = fileTree(inside, TREE_TOKENS, (text) => ROUGH_COUNTER.count(text));
  const folder = { name: name === '' ? 'The workspace' : name, files: inside.length, hasMore: listing.next !== null };
  const answer = await questions.askFolder({ ...folder, tokens: tree === null ? null : ROUGH_COUNTER.count(tree) });
  if (answer === 'tree' && tree !== null) {
    const given = await chat.context.store(tree);
    await chat.context.add({ type: 'file', name: folderTreeName(name), includeMode: 'manual', addedHash: sha256(tree), given });
  }
  const chosen = answer === 'files' ? listing.files.slice(0, MAX_FOLDER_FILES) : [];
  return { files: chosen, notes: [...listing.notes, ...(answer === null ? [`You did not add ${folder.name}.`] : [])] };
}
