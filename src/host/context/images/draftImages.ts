import { JobQueue } from '../../../storage/files/jobQueue.js';
import { type SlowWorkPorts, slowWork } from '../../window/slowWork.js';
import { addImages, type ImageDrafts, type ImageTarget, type NewImage, unlessCancelled } from './addImages.js';

/** Adds images to drafts in the order in which the user added them, with progress and Cancel during slow work. */
export class DraftImages {
  readonly #queue = new JobQueue();
  readonly #drafts: ImageDrafts;
  readonly #ports: SlowWorkPorts;

  constructor(drafts: ImageDrafts, ports: SlowWorkPorts) {
    this.#drafts = drafts;
    this.#ports = ports;
  }

  /** Returns a sentence for each image that was not added. Rejects with `storage`, or with `cancelled`. */
  add(chat: ImageTarget, images: readonly NewImage[]): Promise<readonly string[]> {
    if (images.length === 0) {
      return Promise.resolve([]);
    }
    const inOrder = (signal: AbortSignal): Promise<readonly string[]> =>
      this.#queue.next(() => addImages(chat, images, this.#drafts, signal));
    // Also a cancel while earlier images are read ends the wait at once.
    const adding = slowWork((signal) => unlessCancelled(inOrder(signal), signal), this.#ports);
    const added = adding.then(
      (notes) => notes.length === 0,
      () => false,
    );
    this.#drafts.awaitImages(chat.id, added);
    return adding;
  }
}
