import type { ChosenImage } from './imageFiles.js';

/** An image of a paste or drop that the host has not added to the draft yet. */
export interface PendingImage {
  readonly file: File;
  readonly name: string;
  /** The data URL of the thumbnail. Null while the panel makes it, and for an image that cannot be decoded. */
  readonly url: string | null;
}

interface PendingGroup {
  readonly chatId: string;
  readonly images: readonly PendingImage[];
}

/** The images of pastes and drops that the panel shows before the host has added them, oldest first. */
export class PendingImages {
  #groups: readonly PendingGroup[] = [];
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Call this when the panel begins to read images. `ended` ends it. */
  began(chatId: string, chosen: readonly ChosenImage[]): void {
    this.#set([...this.#groups, { chatId, images: chosen.map(({ file, name }) => ({ file, name, url: null })) }]);
    for (const { file, thumbnail } of chosen) {
      void thumbnail.then((url) => {
        this.#set(
          this.#groups.map((group) => ({
            ...group,
            images: group.images.map((image) => (image.file === file ? { ...image, url } : image)),
          })),
        );
      });
    }
  }

  /** Call this when the host has added the images that the panel read first for this chat, or has refused them. */
  ended(chatId: string): void {
    const first = this.#groups.find((group) => group.chatId === chatId);
    this.#set(this.#groups.filter((group) => group !== first));
  }

  of(chatId: string): readonly PendingImage[] {
    return this.#groups.flatMap((group) => (group.chatId === chatId ? group.images : []));
  }

  #set(groups: readonly PendingGroup[]): void {
    this.#groups = groups;
    this.#changed();
  }
}
