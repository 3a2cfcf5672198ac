import { entries, type Texts } from './entry.js';

interface Path {
  /** One that a user or a model wrote is quoted, with control characters escaped: the sentence stays on one line. */
  readonly path: string;
}

/** Files that are added or opened, their paths, and what editors refuse. */
export const FILE_FAILURES = {
  ...entries('invalidInput', {
    'path.nul': 'The path holds a NUL character, which no file name can have.',
    'path.leadsOut': ({ path }: Path) => `The path ${path} holds "..", which could lead out of the workspace.`,
    'path.empty': ({ path }: Path) => `The path ${path} names no file.`,
    'path.drive': ({ path }: Path) => `The path ${path} names a Windows drive; paths are relative to the workspace folder.`,
    'file.noFolder': 'Open a folder first: files are added from the workspace.',
    'file.notOnDisk': ({ uri }: Texts<'uri'>) => `${uri} is not a file on disk, so it cannot be added.`,
    'file.unreadable': ({ path, reason }: Path & Texts<'reason'>) => `${path} cannot be read: ${reason}`,
    'file.notInWorkspace': ({ key }: Texts<'key'>) => `${key} is not a file of this workspace.`,
    'editor.noSelection': 'Select some text in an editor first.',
    'editor.selectionOutside': 'The selected text is not in a file of this workspace, so it cannot be added.',
    'editor.selectionTooLarge': 'The selected text has more than 1 MiB, the most that is added of a file.',
    'editor.none': 'No editor is open to insert into. Open a file first, or use New File.',
    'editor.refused': 'The editor did not take the text: it is read-only or was closed.',
    'link.refused': ({ scheme }: Texts<'scheme'>) => `Links of the kind ${scheme}: are not opened.`,
  }),
  ...entries('cancelled', {
    'file.addingCancelled': 'Adding files was cancelled.',
    'file.listingStopped': 'Listing the folder was stopped.',
  }),
};
