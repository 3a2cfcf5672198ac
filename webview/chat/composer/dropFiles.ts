import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { MOST_ADDED_BYTES } from '../../../src/protocol/images.js';
import { fileSize } from '../../shared/numbers.js';

/*
 * Handles files that the user drops on the panel or pastes. VS Code allows a drag into a webview only with Shift held.
 * The dragged data has file URIs under VS Code's type of data, otherwise under the standard type.
 */

const VSCODE_LIST = 'application/vnd.code.uri-list';
const LIST = 'text/uri-list';

/** Maximum number of files that the host accepts in one message. */
const MAX_FILES = 1_000;

export function carriesFiles(types: readonly string[]): boolean {
  return types.some((type) => type === VSCODE_LIST || type === LIST || type === 'Files');
}

/** Returns the dropped URIs. `read` returns the dragged data of one type. */
export function droppedUris(read: (type: string) => string): string[] {
  const list = read(VSCODE_LIST) === '' ? read(LIST) : read(VSCODE_LIST);
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_FILES);
}

/** Whether pasted data is an image without text. Office programs add a picture to text: then Loupe pastes the text. */
export function isImageAlone(types: readonly string[], files: readonly Pick<File, 'type'>[]): boolean {
  return !types.includes('text/plain') && files.some(isImage);
}

/** The name of an image from the clipboard, which has no file. Browsers call it `image.png`. */
const PASTED = 'Pasted image';

export interface FileReceiver {
  isWanted(): boolean;
  onDragging(isDragging: boolean): void;
  /** Sends a message about the visible chat to the host. */
  send(messageOf: (chatId: string) => ToHost): void;
  /** Called with the reason when Loupe adds no file. */
  onRefused(text: string): void;
}

export function receiveFiles(panel: HTMLElement, receiver: FileReceiver): void {
  panel.addEventListener('dragover', (event) => {
    if (receiver.isWanted() && carriesFiles(event.dataTransfer?.types ?? [])) {
      event.preventDefault();
      receiver.onDragging(true);
    }
  });
  panel.addEventListener('dragleave', ({ relatedTarget }) => {
    // The browser also sends `dragleave` when the pointer moves between elements inside the panel.
    if (!(relatedTarget instanceof Node && panel.contains(relatedTarget))) {
      receiver.onDragging(false);
    }
  });
  panel.addEventListener('drop', (event) => {
    receiver.onDragging(false);
    drop(event, receiver);
  });
  panel.addEventListener('paste', (event) => {
    const { types, files } = event.clipboardData ?? { types: [], files: [] };
    if (isImageAlone(types, [...files])) {
      event.preventDefault();
      void takeImages([...files], () => PASTED, receiver);
    }
  });
}

function drop(event: DragEvent, receiver: FileReceiver): void {
  const { dataTransfer } = event;
  if (dataTransfer === null || !carriesFiles(dataTransfer.types)) {
    return;
  }
  event.preventDefault();
  const uris = droppedUris((type) => dataTransfer.getData(type));
  const files = [...dataTransfer.files];
  if (uris.length === 0 && files.some(isImage)) {
    void takeImages(files, ({ name }) => name, receiver);
  } else if (uris.length === 0) {
    receiver.onRefused('VS Code did not pass the file to Loupe. Add the file with the + button instead.');
  } else {
    receiver.send((chatId) => ({ type: 'dropFiles', chatId, uris }));
  }
}

function isImage({ type }: Pick<File, 'type'>): boolean {
  return type.startsWith('image/');
}

/** Passes the images to the receiver, in order. The host checks their content. */
async function takeImages(files: readonly File[], nameOf: (file: File) => string, receiver: FileReceiver): Promise<void> {
  if (!receiver.isWanted()) {
    return;
  }
  for (const file of files.filter(isImage)) {
    if (file.size > MOST_ADDED_BYTES) {
      receiver.onRefused(`${nameOf(file)} is too large (limit ${fileSize(MOST_ADDED_BYTES)}).`);
    } else {
      const bytes = new Uint8Array(await file.arrayBuffer());
      receiver.send((chatId) => ({ type: 'addImage', chatId, name: nameOf(file), bytes }));
    }
  }
}
