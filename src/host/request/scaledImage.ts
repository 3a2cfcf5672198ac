import { isWithin } from '../../engine/model/imageRules.js';
import type { ImagePart } from '../../engine/model/part.js';
import { priceOfPart, ratesOf } from '../../engine/model/price.js';
import type { ComposedRequest } from '../../engine/next/compose.js';
import { imageTokens } from '../../engine/tokens/imageTokens.js';
import type { ScaledImage } from '../../protocol/panel/withMessage.js';

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
