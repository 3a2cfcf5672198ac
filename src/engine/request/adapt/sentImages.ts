import { type AssistantMessage, toolCallsOf, type UserMessage } from '../../chat/message/message.js';
import { type ImageLimits, isImageType, isWithin, limitsOfRequest } from '../../model/imageRules.js';
import type { Model } from '../../model/model.js';
import type { ImagePart } from '../../model/part.js';
import type { LocatedResult } from '../gather.js';
import type { LayoutUnit } from '../layout/layout.js';
import { isCallHeld } from '../layout/turns.js';
import { AskedCalls } from './askedCalls.js';
import { contentKey } from './heldTexts.js';
import { canRepeat, type RepeatRules } from './repeats.js';

interface ImageInput {
  readonly model: Pick<Model, 'capabilities'>;
  readonly missingImages: ReadonlySet<string>;
  readonly repeats: { readonly rules: RepeatRules };
}

/** Returns the limits of the model for the images of this request: a provider can limit many images further. */
export function sentImageLimits(placed: readonly LayoutUnit[], input: ImageInput): ImageLimits | null {
  const sent = new SentImages(input);
  const images = placed.reduce((sum, unit) => sum + sent.imagesIn(unit), 0);
  return limitsOfRequest(input.model.capabilities.imageLimits, images);
}

/** Counts the images of a request without its excluded calls, and without results that pointers replace. */
class SentImages {
  readonly #input: ImageInput;
  readonly #asked = new AskedCalls();
  /** The contents of the results that the request has in full. */
  readonly #held = new Set<string>();

  constructor(input: ImageInput) {
    this.#input = input;
  }

  /** Returns the number of images in a unit. Pass the units in the order of sending. */
  imagesIn(unit: LayoutUnit): number {
    switch (unit.kind) {
      case 'blocks':
        return 0;
      case 'user':
        return this.#imagesIn(unit.message);
      case 'reply': {
        const calls = toolCallsOf(unit.message).filter(({ id }) => isCallHeld(unit, id));
        this.#asked.beginReply(calls);
        return (
          this.#imagesIn(unit.message) +
          calls.reduce((sum, call) => {
            const located = unit.results.get(call.id);
            const images = located === undefined || located.form === 'reference' ? 0 : this.#imagesOf(located);
            if (located === undefined || images === 0 || !this.#isReplaced(located)) {
              return sum + images;
            }
            this.#asked.replaced(call);
            return sum;
          }, 0)
        );
      }
    }
  }

  #imagesIn({ parts }: UserMessage | AssistantMessage): number {
    return parts.filter((part) => part.type === 'image' && this.#isSent(part)).length;
  }

  #imagesOf({ part: { content } }: LocatedResult): number {
    return content.filter((item) => item.type === 'image' && this.#isSent(item)).length;
  }

  #isSent(image: ImagePart): boolean {
    const { model, missingImages } = this.#input;
    return !missingImages.has(image.blob) && isImageType(image.mimeType) && isWithin(image, model.capabilities.imageLimits);
  }

  /** Whether a pointer replaces a result, as `Repeats` decides. A result with a note for an image stays in full. */
  #isReplaced({ messageId, index, part }: LocatedResult): boolean {
    const { repeats, model } = this.#input;
    const { isOn, sent } = repeats.rules;
    const isWhole = part.content.every((item) => item.type !== 'image' || this.#isSent(item));
    if (!isOn || !model.capabilities.tools || !isWhole || !canRepeat(part)) {
      return false;
    }
    const key = contentKey(part);
    const isKnown = this.#held.has(key);
    this.#held.add(key);
    return isKnown && !this.#asked.isAsked && !sent.inFull.has(`message:${messageId}/${String(index)}`);
  }
}
