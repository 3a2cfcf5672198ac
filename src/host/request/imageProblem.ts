import { type ImageLimits, isWithin } from '../../engine/model/imageRules.js';
import { imagesOf } from '../../engine/chat/message/message.js';
import type { ImagePart } from '../../engine/model/part.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import type { Adaptations } from '../../engine/record/adaptations.js';
import { fileSize, tokens } from '../../protocol/numbers.js';
import { priceOfPart, ratesOf } from '../../engine/model/price.js';
import { imageTokens } from '../../engine/tokens/imageTokens.js';
import type { ScaledImage } from '../../protocol/panel/composer.js';

type ImageRequest = Pick<ComposedRequest, 'model' | 'imageLimits'>;

/** Returns a short mark of an image that the model of a request cannot see: the problem of the request says why. */
export function imageMark(image: ImagePart, request: ImageRequest): string | null {
  const mark = request.model.capabilities.images ? 'Too large' : 'Not accepted';
  return imageProblem(image, request) === null ? null : mark;
}

/** Returns why the model of a request cannot see an image. Null if it can. */
function imageProblem(image: ImagePart, { model, imageLimits }: ImageRequest): string | null {
  const { label, capabilities } = model;
  if (!capabilities.images) {
    return `${label} takes no images.`;
  }
  return imageLimits === null || isWithin(image, imageLimits) ? null : `${label} accepts ${largestImage(imageLimits)}.`;
}

/** A request with the message that it will answer. */
type AnsweringRequest = ImageRequest & Pick<ComposedRequest, 'inputs' | 'answered'>;

/** Returns why the model cannot see the images of the message that it will answer. Null if it can. */
export function messageImageProblem(request: AnsweringRequest & Pick<ComposedRequest, 'size'>): string | null {
  const problems = refusedImages(request).map(({ image, problem }) => ({ problem, isScalable: scaledImage(image, request) !== null }));
  const [first] = problems;
  if (first === undefined) {
    return null;
  }
  const [what, them] = problems.length === 1 ? ['the image', 'it'] : ['the images', 'them'];
  const scale = problems.every(({ isScalable }) => isScalable) ? `, scale ${them} down` : '';
  return `${first.problem} Remove ${what} from your message${scale}, or choose another model.`;
}

/** Returns the adaptations without the images that `messageImageProblem` names, because these stop the request. */
export function otherAdaptations(request: AnsweringRequest & Pick<ComposedRequest, 'adaptations'>): Adaptations {
  const { adaptations, model } = request;
  const refused = refusedImages(request).length;
  if (!model.capabilities.images) {
    return { ...adaptations, imagesLeftOut: adaptations.imagesLeftOut - refused };
  }
  const { imagesTooLarge = 0, ...others } = adaptations;
  return imagesTooLarge <= refused ? others : { ...others, imagesTooLarge: imagesTooLarge - refused };
}

/** The images of the message to answer that the model cannot see, each with the reason. */
function refusedImages(request: AnsweringRequest): readonly { readonly image: ImagePart; readonly problem: string }[] {
  const message = request.inputs.messages.findLast(({ id }) => id === request.answered);
  const images = message?.role === 'user' ? imagesOf(message) : [];
  return images.flatMap((image) => {
    const problem = imageProblem(image, request);
    return problem === null ? [] : [{ image, problem }];
  });
}

function largestImage({ longestEdge, mostBase64Bytes, manyImages }: ImageLimits): string {
  const side = `${tokens(longestEdge)} pixels per side`;
  // Base64 is a third longer than the file.
  const most = `images of at most ${side} and ${fileSize((mostBase64Bytes * 3) / 4)}`;
  return manyImages?.longestEdge === longestEdge ? `${most} in a request with more than ${String(manyImages.above)} images` : most;
}

/**
 * Returns the size to which an image that is too large for the model can be scaled down. Not smaller than the model
 * sees it: a provider scales large images down itself. Null for an image that fits, and without the needed figures.
 */
export function scaledImage(image: ImagePart, composed: Pick<ComposedRequest, 'model' | 'imageLimits' | 'size'>): ScaledImage | null {
  const { model, imageLimits, size } = composed;
  const { width, height } = image;
  const { images, imageTokens: rule } = model.capabilities;
  if (!images || imageLimits === null || width === null || height === null || isWithin(image, imageLimits)) {
    return null;
  }
  const seen = rule !== null && 'longestEdge' in rule ? rule.longestEdge : imageLimits.longestEdge;
  const longestEdge = Math.min(imageLimits.longestEdge, seen, Math.max(width, height));
  const scale = longestEdge / Math.max(width, height);
  const tokens = imageTokens({ width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }, rule);
  const price =
    model.prices === null
      ? null
      : priceOfPart({ read: 0, written5m: 0, written1h: 0, fresh: tokens }, ratesOf(model.prices, size.tokens + tokens));
  // Four characters of Base64 have three bytes.
  return { longestEdge, mostBytes: 3 * Math.floor(imageLimits.mostBase64Bytes / 4), tokens, price };
}
