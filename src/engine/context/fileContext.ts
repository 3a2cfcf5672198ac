import { LoupeError } from '../errors.js';
import type { TokenCounter } from '../ports.js';
import { fenceFile } from './fence.js';
import type { FileProblem } from './fileProblem.js';
import { normalizePath } from './paths.js';

/** What reading a file gives: its text and its size in bytes, or why not, also in words for the user. */
export type FileRead =
  | { readonly ok: true; readonly content: string; readonly bytes: number }
  | { readonly ok: false; readonly problem: FileProblem; readonly reason: string };

/** Reads files of the workspace by their path relative to its root. Never rejects. */
export interface FileReader {
  read(path: string): Promise<FileRead>;
}

/**
 * The files in a conversation: content by normalized path. An immutable value; each operation that changes
 * something returns a new one. All functions take any spelling that `normalizePath` takes.
 */
export interface FileContext {
  readonly contents: ReadonlyMap<string, string>;
}

/** The context with the file in it, or why it is not, also in words for the user. */
export type AddResult =
  | { readonly added: true; readonly path: string; readonly context: FileContext }
  | { readonly added: false; readonly problem: FileProblem; readonly reason: string };

/** A context without files: where each starts, and what clearing gives. */
export const EMPTY_FILE_CONTEXT: FileContext = { contents: new Map() };

/** Adds a file with the content given; one that is there already gets the new content. Binary content is refused. */
export function addContent(context: FileContext, path: string, content: string): AddResult {
  const key = keyOf(path);
  if (!key.ok) {
    return { added: false, problem: key.problem, reason: key.reason };
  }
  if (content.includes('\0')) {
    return { added: false, problem: { code: 'binary' }, reason: `${key.path} is a binary file: its content holds NUL characters.` };
  }
  return { added: true, path: key.path, context: { contents: new Map(context.contents).set(key.path, content) } };
}

/** Adds a file with the content that `reader` finds for it. A missing or refused file leaves `context` as it is. */
export async function addFromDisk(context: FileContext, path: string, reader: FileReader): Promise<AddResult> {
  const key = keyOf(path);
  if (!key.ok) {
    return { added: false, problem: key.problem, reason: key.reason };
  }
  const file = await reader.read(key.path);
  return file.ok ? addContent(context, key.path, file.content) : { added: false, problem: file.problem, reason: file.reason };
}

/** Without the file; the same value when it was not in. */
export function removeFile(context: FileContext, path: string): FileContext {
  const key = keyOf(path);
  if (!key.ok || !context.contents.has(key.path)) {
    return context;
  }
  const contents = new Map(context.contents);
  contents.delete(key.path);
  return { contents };
}

/** The paths, sorted by UTF-16 code unit: the same order on every machine. */
export function listFiles(context: FileContext): string[] {
  return [...context.contents.keys()].sort();
}

/** Null for a file that is not in; an empty file is ''. */
export function contentOf(context: FileContext, path: string): string | null {
  const key = keyOf(path);
  return key.ok ? (context.contents.get(key.path) ?? null) : null;
}

export function hasFile(context: FileContext, path: string): boolean {
  return contentOf(context, path) !== null;
}

/** All files as fenced code blocks, sorted by path, a blank line between them; '' without files. */
export function formatForPrompt(context: FileContext): string {
  return entries(context)
    .map(([path, content]) => fenceFile(path, content))
    .join('\n\n');
}

/** Tokens of each file as it stands in a prompt: path line and fence included. Sorted by path. */
export function tokensByFile(context: FileContext, counter: TokenCounter): ReadonlyMap<string, number> {
  return new Map(entries(context).map(([path, content]) => [path, counter.count(fenceFile(path, content))]));
}

/** Tokens of all files: the sum of `tokensByFile`, as each file is a block of its own in a request. */
export function countTokens(context: FileContext, counter: TokenCounter): number {
  return [...tokensByFile(context, counter).values()].reduce((sum, tokens) => sum + tokens, 0);
}

function entries(context: FileContext): [string, string][] {
  return listFiles(context).map((path) => [path, context.contents.get(path) ?? '']);
}

type Key = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problem: FileProblem; readonly reason: string };

function keyOf(path: string): Key {
  try {
    return { ok: true, path: normalizePath(path) };
  } catch (error) {
    if (error instanceof LoupeError) {
      return { ok: false, problem: { code: 'invalidPath', text: error.message }, reason: error.message };
    }
    throw error;
  }
}
