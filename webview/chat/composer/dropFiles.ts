/*
 * Files dropped on the panel or pasted into it. VS Code allows a drag into a webview only while Shift is held. It gives
 * the files as URIs: in its own list, else in the standard one.
 */

const VSCODE_LIST = 'application/vnd.code.uri-list';
const LIST = 'text/uri-list';

/** The most files that the host accepts in one message. */
const MAX_FILES = 1_000;

export function carriesFiles(types: readonly string[]): boolean {
  return types.some((type) => type === VSCODE_LIST || type === LIST || type === 'Files');
}

/** Returns the dropped URIs that the host could read. */
export function droppedUris(read: (type: string) => string): string[] {
  const list = read(VSCODE_LIST) === '' ? read(LIST) : read(VSCODE_LIST);
  return list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .slice(0, MAX_FILES);
}

/** Whether the pasted data is only an image. Office programs add a picture to the text they copy. */
export function isImageAlone(types: readonly string[], files: readonly Pick<File, 'type'>[]): boolean {
  return !types.includes('text/plain') && files.some(({ type }) => type.startsWith('image/'));
}

export interface FileReceiver {
  isWanted(): boolean;
  onDragging(isDragging: boolean): void;
  onUris(uris: string[]): void;
  /** `text` is the reason why nothing was added. */
  onRefused(text: string): void;
}

/** Handles drops on the panel and inspects what is pasted into it. */
export function receiveFiles(panel: HTMLElement, receiver: FileReceiver): void {
  panel.addEventListener('dragover', (event) => {
    if (receiver.isWanted() && carriesFiles(event.dataTransfer?.types ?? [])) {
      event.preventDefault();
      receiver.onDragging(true);
    }
  });
  panel.addEventListener('dragleave', ({ relatedTarget }) => {
    // Moving between elements of the panel does not count as leaving.
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
      receiver.onRefused('Images cannot be added yet.');
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
  if (uris.length === 0) {
    receiver.onRefused('VS Code did not pass the file on. Use + instead.');
  } else {
    receiver.onUris(uris);
  }
}
