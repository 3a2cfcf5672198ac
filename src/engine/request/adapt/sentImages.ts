import { toolCallsOf } from '../../chat/message/message.js';
import { type ImageLimits, isWithin, limitsOfRequest } from '../../model/imageRules.js';
import type { Model } from '../../model/model.js';
import type { ImagePart } from '../../model/part.js';
import type { LayoutUnit } from '../layout/layout.js';
import { isCallHeld } from '../layout/turns.js';

/** Returns the limits of the model for the images of this request: a provider can limit many images further. */
export function sentImageLimits(
  placed: readonly LayoutUnit[],
  { model, missingImages }: { readonly model: Pick<Model, 'capabilities'>; readonly missingImages: ReadonlySet<string> },
): ImageLimits | null {
  const { imageLimits } = model.capabilities;
  const sent = placed.flatMap(imagesIn).filter((image) => !missingImages.has(image.blob) && isWithin(image, imageLimits));
  return limitsOfRequest(imageLimits, sent.length);
}

/** Returns the images of a unit in a request without its excluded calls. */
function imagesIn(unit: LayoutUnit): readonly ImagePart[] {
  switch (unit.kind) {
    case 'blocks':
      return [];
    case 'user':
      return unit.message.parts.filter((part) => part.type === 'image');
    case 'reply':
      return toolCallsOf(unit.message).flatMap(({ id }) => {
        const located = isCallHeld(unit, id) ? unit.results.get(id) : undefined;
        return located === undefined || located.form === 'reference' ? [] : located.part.content.filter((item) => item.type === 'image');
      });
  }
}
