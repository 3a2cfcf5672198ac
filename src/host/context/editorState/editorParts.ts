import { languageOf, shownPath } from '../../../engine/context/fence.js';
import type { PartSetting } from '../../../engine/chat/settings/editorSettings.js';
import { type LongPart, workspaceKey } from '../../../engine/request/workspace.js';
import { counted } from '../../../protocol/numbers.js';
import { selectionName } from '../selectionName.js';
import type { ActiveFile, EditorSource, FileProblems, Repository, Withheld } from './editorSource.js';

/** `name`: what the user sees. Missing for a part with the name of its row in the table. */
type PartText = Pick<LongPart, 'head' | 'body'> & Partial<Pick<LongPart, 'name'>>;

interface EditorPart {
  /** The name in the key of the block, and in the note that the part is no longer valid. */
  readonly name: string;
  readonly mostTokens: number;
  /** Returns the text of the part, or null when there is nothing to say. */
  readonly read: (editor: EditorSource) => PartText | null | Promise<PartText | null>;
}

/** The parts of the editor state by the setting that switches each part. */
export const EDITOR_PARTS: Readonly<Record<PartSetting, EditorPart>> = {
  editorDate: { name: 'date', mostTokens: 100, read: date },
  editorFile: { name: 'open file', mostTokens: 200, read: async (editor) => openFile(await editor.active()) },
  editorSelection: { name: 'selection', mostTokens: 1_500, read: async (editor) => selection(await editor.active()) },
  editorVisible: { name: 'visible lines', mostTokens: 200, read: async (editor) => visibleLines(await editor.active()) },
  editorGit: { name: 'git', mostTokens: 400, read: (editor) => git(editor.repository()) },
  editorTabs: { name: 'open editors', mostTokens: 300, read: (editor) => openEditors(editor.tabs()) },
  editorProblems: { name: 'problems', mostTokens: 500, read: async (editor) => problems(await editor.problems()) },
  editorTerminal: { name: 'last command', mostTokens: 600, read: lastCommand },
};

/** Maximum number of characters of a text in a part: more than its limit of tokens in any language. */
export const MOST_CHARACTERS = 12_000;

/** Returns what the log keeps of the text of another extension: one more character than `extensionPart` sends. */
export function storedExtensionText(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text.slice(0, MOST_CHARACTERS + 1);
}

export const EXTENSION_PART = 'from an extension';

/** Returns the part with the text that another extension has set. Empty without a text. */
export function extensionPart(text: string | null): readonly LongPart[] {
  const name = EXTENSION_PART;
  const kept = (text ?? '').slice(0, MOST_CHARACTERS);
  const body = { text: kept, language: null, keeps: 'beginning', isCut: kept !== text } as const;
  return text === null ? [] : [{ key: workspaceKey(name), name, head: 'From another extension', body, mostTokens: 1_000 }];
}

/** Maximum number of entries in a list of paths or problems. */
const MOST_LISTED = 50;

function date(editor: EditorSource): PartText {
  const { day, timeZone } = editor.date();
  return head(`Date: ${day} (time zone ${timeZone})`);
}

function openFile(active: ActiveFile | null): PartText | null {
  return active === null ? null : head(`Open in the editor: ${shownPath(active.path)}${outside(active.withheld)}`);
}

const REASONS: Readonly<Record<Exclude<Withheld, 'outside'>, string>> = {
  restricted: 'the user does not trust this folder',
  secret: 'it may contain secrets',
  ignored: 'git ignores the file',
};

function selection(active: ActiveFile | null): PartText | null {
  const selected = active?.selection ?? null;
  if (active === null || selected === null) {
    return null;
  }
  const { path, withheld } = active;
  const { lines, text, isCut } = selected;
  const name = selectionName(path.slice(path.lastIndexOf('/') + 1), ...lines);
  const place = `Selected in the editor: ${shownPath(path)}${outside(withheld)}, ${inLines(lines)}`;
  if (withheld !== null) {
    return { ...head(`${place}${notSent(withheld)}`), name };
  }
  return { head: place, body: { text, language: languageOf(path), keeps: 'beginning', isCut }, name };
}

function visibleLines(active: ActiveFile | null): PartText | null {
  const visible = active?.visible ?? null;
  return active === null || visible === null
    ? null
    : head(`Visible in the editor: ${shownPath(active.path)}${outside(active.withheld)}, ${inLines(visible)}`);
}

function git(repository: Repository | null): PartText | null {
  if (repository === null) {
    return null;
  }
  const { branch, commit, changed, conflicts, outside: others } = repository;
  const where = branch === null ? `no branch, commit ${commit ?? 'unknown'}` : `branch ${branch}`;
  const lines = [...conflicts.map((path) => `${shownPath(path)} (conflict)`), ...changed.map(shownPath)];
  const notListed = others === 0 ? '' : `, ${String(others)} of them outside the workspace`;
  return list(`Git: ${where}, ${counted(lines.length + others, 'changed file')}${notListed}`, lines);
}

function openEditors(paths: readonly string[]): PartText | null {
  return paths.length === 0 ? null : list('Open editors', paths.map(shownPath));
}

function problems(files: readonly FileProblems[]): PartText | null {
  const all = files.flatMap(({ path, withheld, problems: found }) => found.map((problem) => ({ path, withheld, ...problem })));
  const sorted = [...all.filter(({ isError }) => isError), ...all.filter(({ isError }) => !isError)];
  const lines = sorted.map(
    ({ path, withheld, line, isError, message }) =>
      `${shownPath(path)}:${String(line)}: ${isError ? 'error' : 'warning'}${withheld === null ? `: ${oneLine(message)}` : notSent(withheld)}`,
  );
  return lines.length === 0 ? null : list('Problems in open editors', lines);
}

function lastCommand(editor: EditorSource): PartText | null {
  const command = editor.lastCommand();
  if (command === null) {
    return null;
  }
  const { line, withheld, output, isCut, exitCode } = command;
  if (withheld !== null) {
    return head(`Last command in the terminal${notSent(withheld)}`);
  }
  const end = exitCode === null ? 'still running' : exitCode === undefined ? 'exit code unknown' : `exit code ${String(exitCode)}`;
  const place = `Last command in the terminal: ${oneLine(line)} (${end})`;
  return output.trim() === '' ? head(place) : { head: place, body: { text: output, language: '', keeps: 'end', isCut } };
}

function head(text: string): PartText {
  return { head: text, body: null };
}

function list(title: string, lines: readonly string[]): PartText {
  const more = lines.length - MOST_LISTED;
  const text = [...lines.slice(0, MOST_LISTED), ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n');
  return { head: title, body: lines.length === 0 ? null : { text, language: null, keeps: 'beginning', isCut: false } };
}

function inLines([first, last]: readonly [number, number]): string {
  return first === last ? `line ${String(first)}` : `lines ${String(first)} to ${String(last)}`;
}

function notSent(withheld: Withheld): string {
  return withheld === 'outside' ? '' : ` (Loupe does not send the text: ${REASONS[withheld]})`;
}

function outside(withheld: Withheld | null): string {
  return withheld === 'outside' ? ' (outside the workspace, Loupe does not send its text)' : '';
}

/** Maximum number of characters of a command line or a message. */
const MOST_OF_LINE = 300;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MOST_OF_LINE ? `${line.slice(0, MOST_OF_LINE)}…` : line;
}
