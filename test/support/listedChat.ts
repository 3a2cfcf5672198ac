import type { ChatListItem } from '../../src/protocol/panel/view.js';

export const LISTED_CHAT: ChatListItem = {
  id: 'c',
  title: '',
  preview: '',
  firstRole: 'user',
  messageCount: 0,
  updatedAt: 0,
  running: false,
  unsaved: false,
  waiting: false,
  damage: null,
  cost: null,
  unknownRequests: 0,
};
