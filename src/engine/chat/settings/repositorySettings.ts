import { NUMBER, type ChatSetting } from './setting.js';

/** The settings for the repository map, which tells the model about the files of the workspace. */
export const REPOSITORY_SETTINGS = {
  repositoryMap: {
    kind: 'choice',
    group: 'Repository map',
    default: 'off',
    label: 'Repository map',
    help: 'What Loupe tells the model about the files of the workspace in every request. Not in Restricted Mode.',
    options: [
      { value: 'off', label: 'Off', detail: 'Nothing' },
      { value: 'tree', label: 'File tree', detail: 'The names of files and folders' },
      {
        value: 'map',
        label: 'File tree and definitions',
        detail: 'Also the definitions that the project uses most, and those that match your message',
      },
    ],
    with: {},
  },
  repositoryTokens: {
    ...NUMBER,
    group: 'Repository map',
    default: 3_000,
    minimum: 200,
    label: 'Most tokens of the map',
    help: 'Maximum tokens of the file tree and the definitions. The file tree has at most a third of them.',
    with: { repositoryMap: ['tree', 'map'] },
  },
  repositoryWithout: {
    kind: 'text',
    group: 'Repository map',
    default: '',
    label: 'Folders without map',
    help: 'Folders that the map omits, one in each line. Loupe also omits files that .gitignore excludes.',
    placeholder: 'vendor/\ntest/fixtures/',
    with: { repositoryMap: ['tree', 'map'] },
  },
} as const satisfies Readonly<Record<string, ChatSetting>>;
