import { isWithin, type ImageLimits } from '../../engine/model/imageRules.js';
import { imagesOf } from '../../engine/chat/message/message.js';
import type { Model } from '../../engine/model/model.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { fileSize, tokens } from '../../protocol/numbers.js';

/** Returns why the model cannot see the images of the message that it will answer. Null if it can. */
export function imageProblem({ model, inputs, answered }: Pick<ComposedRequest, 'model' | 'inputs' | 'answered'>): string | null {
  const message = inputs.messages.findLast(({ id }) => id === answered);
  const images = message?.role === 'user' ? imagesOf(message) : [];
  const { imageLimits, images: takesImages } = model.capabilities;
  if (images.length === 0 || (takesImages && images.every((image) => isWithin(image, imageLimits)))) {
    return null;
  }
  const cause = takesImages && imageLimits !== null ? tooLarge(model, imageLimits) : `${model.label} takes no images.`;
  return `${cause} Remove ${images.length === 1 ? 'the image' : 'the images'} from your message, or choose another model.`;
}

/** Returns a sentence with the largest image that a model accepts. */
export function tooLarge({ label }: Pick<Model, 'label'>, { longestEdge, mostBase64Bytes }: ImageLimits): string {
  // Base64 is a third longer than the file.
  return `${label} accepts images up to ${tokens(longestEdge)} pixels and ${fileSize((mostBase64Bytes * 3) / 4)}.`;
}
