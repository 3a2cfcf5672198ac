import { contextAdded } from '../../engine/chat/slices/context.js';
import { failure, type LoupeError } from '../../engine/errors.js';
import { keepsLayout, relayoutOf, type Relayout } from '../../engine/next/relayout.js';
import { type ContextItemBase, type SessionContextItem, type StoredText, isCatalogType, itemKey } from '../../engine/record/item.js';
import { manifestBase } from '../../engine/request/base.js';
import { storedText } from '../../engine/run/largeTexts.js';
import type { Blobs } from '../../storage/blobs.js';
import type { ChatNext } from './chatNext.js';
import type { SessionLog } from './sessionLog.js';

export interface ChatContextPorts {
  readonly log: Pick<SessionLog, 'state' | 'checkWritable' | 'record'>;
  readonly next: Pick<ChatNext, 'previewAs'>;
  readonly blobs: Pick<Blobs, 'put'>;
  readonly logError: (error: LoupeError) => void;
}

/** The items that the user added to a chat. All methods reject with `invalidInput` when the chat is read-only. */
export class ChatContext {
  readonly #ports: ChatContextPorts;

  constructor(ports: ChatContextPorts) {
    this.#ports = ports;
  }

  /** Stores the text of an item that the caller then adds. */
  store(text: string): Promise<StoredText> {
    const { blobs, logError } = this.#ports;
    return storedText(text, { keepBlob: blobs.put.bind(blobs), reportError: logError });
  }

  async add(item: SessionContextItem): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    await log.record([{ type: 'context-added', item }], 'durable');
  }

  /**
   * Removes items. If sent content keeps its place (`keepsLayout`), a sent item stays in the prompt until the next
   * relayout, or until the user removes the item a second time.
   */
  async remove(...items: readonly ContextItemBase[]): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const { config, leaving, removed } = log.state;
    const sent = new Set(keepsLayout(config) ? this.#sentBlocks().map(({ item }) => item) : []);
    const leavesOf = (item: ContextItemBase): 'now' | 'later' => {
      const key = itemKey(item);
      // Other items are removed at once: a note in the conversation revokes their text, which stays in the prompt.
      return !isCatalogType(item.type) && sent.has(key) && !leaving.has(key) ? 'later' : 'now';
    };
    const isRevoked = items.some((item) => sent.has(itemKey(item)) && removed.has(itemKey(item)));
    await log.record(
      [
        ...items.map((item) => ({ type: 'context-removed', item, leaves: leavesOf(item) }) as const),
        ...(isRevoked ? [{ type: 'relayout-asked' } as const] : []),
      ],
      'durable',
    );
  }

  /** Whether requests contain sent text of these removed items until Loupe rebuilds the prompt. */
  keepsTextOf(keys: readonly string[]): boolean {
    const { config, relayoutAsked } = this.#ports.log.state;
    const sent = keepsLayout(config) && !relayoutAsked ? this.#sentBlocks() : [];
    // Definitions of removed tools are not sent again.
    return sent.some(({ item, role }) => item !== null && role !== 'tools' && keys.includes(item));
  }

  /** Replaces all items of the chat with these items, in this order. */
  async put(items: readonly SessionContextItem[]): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    const removed = [...log.state.context.values()].map((item) => ({ type: 'context-removed', item, leaves: 'now' }) as const);
    await log.record([...removed, ...items.map(contextAdded)], 'durable');
  }

  /** Returns what `rebuildLayout` would change, or null for no change. Throws `invalidInput` unless `keepsLayout`. */
  async relayout(): Promise<Relayout | null> {
    this.#checkKeepsLayout();
    const { next } = this.#ports;
    const now = await next.previewAs((state) => state, null);
    const anew = await next.previewAs((state) => ({ ...state, relayoutAsked: true }), null);
    return relayoutOf(now, anew, this.#sentBlocks());
  }

  /** Builds the next request from scratch, without removed items. Throws `invalidInput` unless `keepsLayout`. */
  async rebuildLayout(): Promise<void> {
    const { log } = this.#ports;
    log.checkWritable();
    this.#checkKeepsLayout();
    await log.record([{ type: 'relayout-asked' }], 'durable');
  }

  #sentBlocks(): Parameters<typeof relayoutOf>[2] {
    return manifestBase(this.#ports.log.state)?.content?.blocks ?? [];
  }

  #checkKeepsLayout(): void {
    if (!keepsLayout(this.#ports.log.state.config)) {
      throw failure('chat.layoutNotKept');
    }
  }
}
