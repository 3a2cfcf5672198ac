import { NUMBER, type ChatSetting } from './setting.js';

/** The setting that switches a part of the editor state on or off. `what` completes the help text. */
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

/** The settings for the workspace message, which tells the model what the editor shows: rows of `CHAT_SETTINGS`. */
export const EDITOR_SETTINGS = {
  editorDate: part('Date', 'on', 'Whether Loupe sends the date and the time zone.'),
  editorFile: part('Open file', 'on', 'Whether Loupe sends the path of the file in the active editor.'),
  editorSelection: part(
    'Selection',
    'on',
    'Whether Loupe sends the text that is selected in the active editor. Not for files with secrets, ignored files, and in Restricted Mode.',
  ),
  editorVisible: part('Visible lines', 'off', 'Whether Loupe sends which lines of the file you see in the active editor.'),
  editorGit: part('Git', 'off', 'Whether Loupe sends the git branch and the paths of changed files.'),
  editorTabs: part('Open editors', 'off', 'Whether Loupe sends the paths of the files in open editors.'),
  editorProblems: part('Problems', 'off', 'Whether Loupe sends the errors and warnings of the files in open editors.'),
  editorTerminal: part(
    'Last command',
    'off',
    'Whether Loupe sends the last command in a terminal and the end of its output. Needs the shell integration of VS Code.',
  ),
  editorMostTokens: {
    ...NUMBER,
    group: 'Editor state',
    default: 2_000,
    minimum: 0,
    label: 'Most tokens',
    help: 'The most tokens of the editor state in one request. Loupe cuts longer texts.',
    with: {},
  },
} as const satisfies Readonly<Record<string, ChatSetting>>;
