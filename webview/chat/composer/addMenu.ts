import type { ToHost } from '../../../src/protocol/panel/toHost.js';
import type { MenuItem } from '../../shared/controls/menu.js';

/** Returns the items of the menu that adds something to the chat or to the message. */
export function addItems(chatId: string, send: (message: ToHost) => void): readonly MenuItem[] {
  return [
    {
      label: 'Add files…',
      detail: 'Requests of this chat contain the current text of the files',
      note: null,
      onChoose: () => {
        send({ type: 'addFiles', chatId });
      },
    },
    {
      label: 'Add images…',
      detail: 'The message contains the images. You can also paste or drop images',
      note: null,
      onChoose: () => {
        send({ type: 'pickImages', chatId });
      },
    },
  ];
}
