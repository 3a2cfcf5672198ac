import { entries, NOTHING_TO_ACT_ON, type Numbers, type Texts } from './entry.js';

interface PathParameter {
  /** Paths from users and models are written as JSON strings, so that control characters do not break the line. */
  readonly path: string;
}

/** Failures of adding and opening files, of their paths, and of editors. */
export const FILE_FAILURES = {
  ...entries('invalidInput', {
    'path.nul': 'The path contains a NUL character. Remove it.',
    'path.leadsOut': ({ path }: PathParameter) => `The path ${path} contains "..". Use a path inside the workspace.`,
    'path.empty': ({ path }: PathParameter) => `The path ${path} does not name a file.`,
    'path.drive': ({ path }: PathParameter) => `The path ${path} names a Windows drive. Use a path relative to the workspace folder.`,
    'file.notOnDisk': ({ uri }: Texts<'uri'>) => `${uri} is not a file on disk. To add it, first save it as a file.`,
    'file.unreadable': ({ path, reason }: PathParameter & Texts<'reason'>) => `${path} cannot be read: ${reason}`,
    'file.notInWorkspace': ({ key }: Texts<'key'>) => `${key} is not a file in this workspace.`,
    'image.notAFile': ({ name, what }: Texts<'name' | 'what'>) => `${name} is not a file, but ${what}.`,
    'image.broken': ({ name }: Texts<'name'>) => `${name} is not a complete image.`,
    'image.notDataUri': ({ name }: Texts<'name'>) => `${name} is not a data URI with an image in Base64.`,
    'image.tooManyBytes': ({ name, limit }: Texts<'name' | 'limit'>) => `${name} is too large (limit ${limit}).`,
    'image.tooManyPixels': ({ name, width, height }: Texts<'name'> & Readonly<Record<'width' | 'height', number>>) =>
      `${name} has ${String(width)} × ${String(height)} pixels (limit 100 megapixels). Make it smaller first.`,
    'image.animated': ({ name }: Texts<'name'>) => `${name} is animated. Models see only still images: save one picture as PNG.`,
    'image.svg': ({ name }: Texts<'name'>) =>
      `${name} is an SVG image, which models do not accept. Convert it to PNG, or add the file as text.`,
    'image.otherFormat': ({ name, format }: Texts<'name' | 'format'>) =>
      `${name} has the format ${format}, which models do not accept. Convert it to PNG or JPEG first.`,
    'repository.notListed': ({ reason }: Texts<'reason'>) => reason,
    'restore.refused': ({ reason }: Texts<'reason'>) => reason,
    'restore.notWritten': ({ path }: PathParameter) => `No tool wrote ${path} after this message, so Loupe has nothing to restore.`,
    'undo.changedSince': ({ path }: PathParameter) =>
      `${path} has changed since the assistant wrote it, so Loupe did not undo the assistant's change. Loupe has opened the difference: remove the parts that you do not want.`,
    'undo.done': ({ path }: PathParameter) => `The change of the assistant in ${path} is already undone.`,
    'editor.selectionTooLarge': 'The selected text is too large (limit 1 MB). Select less.',
    'editor.refused': 'The text could not be inserted: the editor is read-only or was closed.',
    'sessionFile.missing': ({ path }: PathParameter) => `The chat has no session file ${path}.`,
    'sessionFile.exists': ({ path }: PathParameter) => `The chat already has a session file ${path}.`,
    'sessionFile.tooLarge': ({ path, size, most }: PathParameter & Texts<'size' | 'most'>) =>
      `The session file ${path} is too large: ${size} (limit ${most}). Keep it as a file of the workspace.`,
    'fragment.reserved': ({ id }: Texts<'id'>) => `Loupe writes the instructions with the name ${id}. Choose another name.`,
    'fragment.badId': ({ most }: Numbers<'most'>) => `The name must have 1 to ${String(most)} characters, without line breaks.`,
    'fragment.tooLong': ({ id, most }: Texts<'id'> & Numbers<'most'>) =>
      `The text of ${id} is too long (limit ${most.toLocaleString('en-US')} characters). Shorten it, or add it as a file.`,
    'link.refused': ({ scheme }: Texts<'scheme'>) => `Loupe does not open ${scheme}: links.`,
  }),
  ...entries(NOTHING_TO_ACT_ON, {
    'file.gone': ({ path }: PathParameter) => `The file ${path} no longer exists.`,
    'file.notThere': ({ path }: PathParameter) => `There is no file ${path} in this workspace.`,
    'editor.noSelection': 'Select text in an editor first.',
    'editor.selectionOutside': 'The selected text is not in a file of this workspace. Select text in a workspace file.',
    'editor.none': 'No editor is open. Open a file, or use New File.',
  }),
  ...entries('internal', {
    'symbols.noThread': ({ reason }: Texts<'reason'>) => `Loupe could not start to read the symbols of the workspace: ${reason}`,
  }),
  ...entries('cancelled', {
    'file.addingCancelled': 'Adding files was cancelled.',
    'symbols.cancelled': 'Loupe stopped reading the symbols of the workspace, because you cancelled.',
    'file.listingStopped': 'Loupe stopped reading the folder, because you cancelled.',
  }),
};
