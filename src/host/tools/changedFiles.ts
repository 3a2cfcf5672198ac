import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isAbsolute } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MadeEdit } from '../../engine/chat/calls/toolEdit.js';
import { normalizePath } from '../../engine/context/paths.js';
import { LoupeError, toLoupeError } from '../../engine/errors.js';
import type { Sha256 } from '../../engine/ports.js';
import type { WorkspaceFiles } from '../context/files/workspaceFiles.js';
import { lineChanges } from './workspace/lineChanges.js';

/** Receives changes of files. `place`: absolute path on disk. */
export interface FileChangeListener {
  readonly made: (place: string) => void;
  /** Called when the text changes or the file is deleted. */
  readonly changed: (place: string) => void;
  /** Called when the user or Loupe saves the file in an editor. */
  readonly saved: (place: string) => void;
}

export interface ChangedFilesPorts {
  readonly files: () => Pick<WorkspaceFiles, 'read' | 'relative' | 'isIgnoredPath' | 'existing'>;
  readonly open: () => readonly string[];
  readonly watch: (news: FileChangeListener) => { dispose(): void };
  readonly sha256: Sha256;
  readonly logInfo: (text: string) => void;
  readonly logError: (error: LoupeError) => void;
}

/** Maximum number of changed files in the report of a step. After a checkout of a branch, there can be more. */
const MOST_FILES = 500;

/** The state of a path on disk. `text` is null for binary or large files. `other`: a folder or an unreadable file. */
type DiskState = { readonly kind: 'file'; readonly hash: string; readonly text: string | null } | { readonly kind: 'nothing' | 'other' };

/**
 * Finds files that changed on disk during tool calls. VS Code's watcher can report late, so Loupe also compares the
 * files that it knew before the calls. Skips `.git`, `node_modules`, files excluded by `.gitignore`, and files saved in
 * an editor. Loupe has the earlier content only of files that it knew. Loupe cannot tell whether other files existed
 * before, because replacing a file causes the same events as creating a file.
 */
export class ChangedFiles implements FileWatch {
  readonly #ports: ChangedFilesPorts;
  readonly #watching: { dispose(): void };
  /** The kind of the first event of each path. */
  readonly #changed = new Map<string, 'made' | 'changed'>();
  readonly #saved = new Set<string>();
  /** The state of files before the first tool call, by path. */
  #known: ReadonlyMap<string, DiskState> = new Map();

  constructor(ports: ChangedFilesPorts) {
    this.#ports = ports;
    const telling = (note: (path: string) => void) => (place: string) => {
      const path = ports.files().relative(place);
      if (path !== null) {
        note(path);
      }
    };
    this.#watching = ports.watch({
      made: telling((path) => {
        this.#note(path, 'made');
      }),
      changed: telling((path) => {
        this.#note(path, 'changed');
      }),
      saved: telling((path) => {
        this.#saved.add(path);
      }),
    });
  }

  async begin(names: readonly string[]): Promise<void> {
    this.#changed.clear();
    this.#saved.clear();
    const open = this.#ports.open().flatMap((place) => this.#ports.files().relative(place) ?? []);
    const named = names.flatMap((name) => this.#named(name) ?? []);
    const known = [...new Set([...open, ...named])].map(async (path) => [path, await this.#disk(path)] as const);
    this.#known = new Map(await Promise.all(known));
  }

  #note(path: string, news: 'made' | 'changed'): void {
    this.#changed.set(path, this.#changed.get(path) ?? news);
  }

  /** Returns the workspace path of a file name in a tool call. Null for an invalid name. */
  #named(name: string): string | null {
    if (isAbsolute(name)) {
      return this.#ports.files().relative(name);
    }
    try {
      return normalizePath(name);
    } catch (thrown) {
      // The name is invalid or outside the workspace.
      if (thrown instanceof LoupeError) {
        return null;
      }
      throw thrown;
    }
  }

  async changes(): Promise<readonly MadeEdit[]> {
    const paths = [...new Set([...this.#changed.keys(), ...this.#known.keys()])].filter((path) => !this.#saved.has(path)).sort();
    const edits: MadeEdit[] = [];
    for (const path of paths) {
      if (edits.length === MOST_FILES) {
        this.#ports.logInfo(`More than ${String(MOST_FILES)} files changed while tools ran. The chat lists only the first ones.`);
        break;
      }
      edits.push(...(await this.#edit(path)));
    }
    return edits;
  }

  end(): void {
    this.#watching.dispose();
  }

  /** Returns the edit of a file. Empty for files that are unchanged, excluded or outside the workspace. */
  async #edit(path: string): Promise<readonly MadeEdit[]> {
    if (path === '' || (await this.#ports.files().isIgnoredPath(path))) {
      return [];
    }
    const now = await this.#disk(path);
    const known = this.#known.get(path) ?? null;
    if (now.kind === 'other' || known?.kind === 'other' || (known !== null && hashOf(known) === hashOf(now))) {
      return [];
    }
    // Skips a temporary file: to replace a file, programs often write a temporary file and then rename it.
    if (known === null && now.kind === 'nothing' && this.#changed.get(path) === 'made') {
      return [];
    }
    return [{ path, after: hashOf(now), ...earlierOf(known, now) }];
  }

  async #disk(path: string): Promise<DiskState> {
    const files = this.#ports.files();
    const read = await files.read(path);
    if (read.ok) {
      return { kind: 'file', hash: this.#ports.sha256(read.content), text: read.content };
    }
    if (read.problem.code === 'missing') {
      return { kind: 'nothing' };
    }
    const isFile = ['binary', 'notUtf8', 'tooLarge'].includes(read.problem.code);
    const place = isFile ? await files.existing(path) : null;
    return place === null ? { kind: 'other' } : this.#hashed(place);
  }

  async #hashed(place: string): Promise<DiskState> {
    const hash = createHash('sha256');
    try {
      await pipeline(createReadStream(place), hash);
      return { kind: 'file', hash: hash.digest('hex'), text: null };
    } catch (thrown) {
      this.#ports.logError(toLoupeError(thrown));
      return { kind: 'other' };
    }
  }
}

function hashOf(disk: DiskState): string | null {
  return disk.kind === 'file' ? disk.hash : null;
}

/** Returns the state of an edited file before the tool calls. Without a copy, returns the reason. */
function earlierOf(known: DiskState | null, now: DiskState): Omit<MadeEdit, 'path' | 'after'> {
  const unknownLines = { added: null, removed: null, earlier: null } as const;
  if (known === null) {
    return { before: null, noCopy: 'notKnown', ...unknownLines };
  }
  const [before, text] = [hashOf(known), textOf(known)];
  if (before !== null && text === null) {
    return { before, noCopy: 'notText', ...unknownLines };
  }
  const isText = now.kind !== 'file' || now.text !== null;
  const lines = isText ? lineChanges(text, textOf(now)) : { added: null, removed: null };
  return { before, noCopy: null, ...lines, earlier: text === null ? null : new TextEncoder().encode(text) };
}

function textOf(disk: DiskState): string | null {
  return disk.kind === 'file' ? disk.text : null;
}

export interface FileWatch {
  /** Forgets earlier changes, and records the state of the files in editors and in `names`. Never rejects. */
  begin(names: readonly string[]): Promise<void>;
  /**
   * Returns the files changed since `begin`, without files that the user saved. Lacks a new file that VS Code has not
   * reported yet. Never rejects.
   */
  changes(): Promise<readonly MadeEdit[]>;
  end(): void;
}
