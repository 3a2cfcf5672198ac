import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import { type ChosenImage, chooseImages, isImage, PASTED, readImages } from './imageFiles.js';

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

export interface FileReceiver {
  /** Returns the id of the visible chat. Null if it takes no files. */
  chatId(): string | null;
  onDragging(isDragging: boolean): void;
  send(message: ToHost): void;
  /** Called before the panel reads images, so that it can show them at once. */
  onReading(chatId: string, images: readonly ChosenImage[]): void;
  /** Called with the reason when Loupe adds no file. */
  onRefused(text: string): void;
}

export function receiveFiles(panel: HTMLElement, receiver: FileReceiver): void {
  panel.addEventListener('dragover', (event) => {
    if (receiver.chatId() !== null && carriesFiles(event.dataTransfer?.types ?? [])) {
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
      takeImages([...files], ({ type, name }) => (isImage({ type }) ? PASTED : name), receiver);
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
    takeImages(files, ({ name }) => name, receiver);
  } else if (uris.length === 0) {
    receiver.onRefused('VS Code did not pass the file to Loupe. Add the file with the + button instead.');
  } else {
    const chatId = receiver.chatId();
    if (chatId !== null) {
      receiver.send({ type: 'dropFiles', chatId, uris });
    }
  }
}

/** Adds the files to the chat that is visible now: the user can open another chat while the panel reads them. */
function takeImages(files: readonly File[], nameOf: (file: File) => string, receiver: FileReceiver): void {
  const chatId = receiver.chatId();
  if (chatId !== null) {
    const chosen = chooseImages(files, nameOf);
    receiver.onReading(chatId, chosen.images);
    receiver.send({ type: 'readingImages', chatId });
    void readImages(chosen)
      .then((read) => {
        receiver.send({ type: 'addImages', chatId, ...read });
      })
      .catch((thrown: unknown) => {
        // Always answers, because the host waits with the message.
        receiver.send({ type: 'addImages', chatId, images: [], notAdded: [`The images could not be added: ${String(thrown)}`] });
      });
  }
}
