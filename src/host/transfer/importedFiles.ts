import { basename } from 'node:path';
import type { ImportLosses } from '../../storage/transfer/checkCopy.js';
import type { CopyWatch } from '../../storage/files/copyWatch.js';
import { chatTitle } from '../../engine/chat/message/opening.js';
import type { ImportedFile } from '../chat/importExported.js';
import { countedAs } from '../../protocol/numbers.js';

export interface ImportedFilesPorts {
  /** Imports an exported file or folder, and opens the new chat. Throws `cancelled`. */
  readonly show: (path: string, watch: CopyWatch) => Promise<ImportedFile>;
  /** Runs `work` with a progress notification that the user can cancel. */
  copying<T>(title: string, work: (watch: CopyWatch) => Promise<T>): Promise<T>;
  /** Shows a text as a notification, or with `isWarning` as a warning. Does not wait for the user. */
  tell(text: string, isWarning: boolean): void;
}

export class ImportedFiles {
  readonly #ports: ImportedFilesPorts;

  constructor(ports: ImportedFilesPorts) {
    this.#ports = ports;
  }

  /** Imports a chat, opens the chat, and shows the parts that could not be imported. Returns the id of the new chat. */
  async import(path: string): Promise<string> {
    const ports = this.#ports;
    const { session, losses } = await ports.copying('Importing the chat', (watch) => ports.show(path, watch));
    const lost = lossTexts(losses);
    ports.tell([`"${chatTitle(session.state)}" was imported from ${basename(path)}.`, ...lost].join(' '), lost.length > 0);
    return session.id;
  }
}

/** Returns a sentence for each kind of content that could not be imported. */
function lossTexts({ lines, contents }: ImportLosses): readonly string[] {
  return [
    ...(lines === 0 ? [] : [`Loupe skipped ${countedAs(lines, 'damaged line', 'damaged lines')} of its log.`]),
    ...(contents === 0 ? [] : [`${countedAs(contents, 'image or large text is', 'images or large texts are')} missing or damaged.`]),
  ];
}
