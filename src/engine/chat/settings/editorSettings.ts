import { NUMBER, type ChatSetting } from './setting.js';

/** Returns the setting that switches a part of the editor state on or off. */
function part(label: string, usual: 'on' | 'off', help: string) {
  return {
    kind: 'choice',
    group: 'Editor state',
    default: usual,
    label,
    help,
    options: [
      { value: 'on', label: 'On', detail: 'Requests contain it after your message' },
      { value: 'off', label: 'Off', detail: 'Requests do not contain it' },
    ],
    with: {},
  } as const satisfies ChatSetting;
}

/** The settings for the parts of the workspace message, in the order of sending. */
const PARTS = {
  editorDate: part('Date', 'on', 'Whether Loupe sends the date and the time zone.'),
  editorFile: part('Open file', 'on', 'Whether Loupe sends the path of the file in the active editor.'),
  editorSelection: part(
    'Selection',
    'on',
    'Whether Loupe sends the selected text. It sends only the line numbers in Restricted Mode, and for files that may contain secrets or that git ignores.',
  ),
  editorVisible: part('Visible lines', 'off', 'Whether Loupe sends the numbers of the lines that you see in the active editor.'),
  editorGit: part('Git', 'off', 'Whether Loupe sends the git branch and the paths of changed files.'),
  editorTabs: part('Open editors', 'off', 'Whether Loupe sends the paths of the files in open editors.'),
  editorProblems: part(
    'Problems',
    'off',
    'Whether Loupe sends the errors and warnings of the files in open editors, with the limits of the selection.',
  ),
  editorTerminal: part(
    'Last command',
    'off',
    'Whether Loupe sends the last command in a terminal and, after its end, its output. Not in Restricted Mode or if they may contain secrets. Needs the shell integration of VS Code.',
  ),
} as const;

/** A setting that switches a part of the workspace message. */
export type PartSetting = keyof typeof PARTS;

export const PART_SETTINGS = Object.keys(PARTS) as readonly PartSetting[];

/** The settings for the workspace message, which tells the model what the editor shows: rows of `CHAT_SETTINGS`. */
export const EDITOR_SETTINGS = {
  ...PARTS,
  editorMostTokens: {
    ...NUMBER,
    group: 'Editor state',
    default: 2_000,
    minimum: 0,
    label: 'Most tokens',
    help: 'Maximum tokens of the editor state in a request. Loupe cuts long parts and drops parts without room.',
    with: {},
  },
} as const satisfies Readonly<Record<string, ChatSetting>>;
