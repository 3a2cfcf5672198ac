/*
 * What providers document about images, as data of a model: how many tokens an image costs, and which images a request
 * may contain.
 */

/**
 * How a provider counts the tokens of an image. The provider first scales an image down, so that its longest edge has
 * at most `longestEdge` pixels and its shortest edge at most `shortestEdge` pixels.
 *
 * - `patches`: `each` tokens for each square with `side` pixels, at most for `most` squares. Anthropic: https://platform.claude.com/docs/en/build-with-claude/vision
 * - `tiles`: `base` tokens, and `each` tokens for each square with `side` pixels.
 *   OpenAI (both kinds): https://platform.openai.com/docs/guides/images-vision#calculating-costs
 * - `pixels`: one token for each `perToken` pixels, at most `most` tokens.
 * - `fixed`: the same number for each image.
 */
export type ImageTokens =
  | {
      readonly kind: 'patches';
      readonly side: number;
      readonly each: number;
      readonly most: number;
      readonly longestEdge: number;
    }
  | {
      readonly kind: 'tiles';
      readonly side: number;
      readonly base: number;
      readonly each: number;
      readonly longestEdge: number;
      readonly shortestEdge: number;
    }
  | { readonly kind: 'pixels'; readonly perToken: number; readonly most: number; readonly longestEdge: number }
  | { readonly kind: 'fixed'; readonly tokens: number };

/** The largest image that a provider accepts. The provider refuses a request with a larger image. */
export interface ImageLimits {
  /** Length of the image in Base64, the form in which requests contain images. */
  readonly mostBase64Bytes: number;
  /** Pixels of the longer edge. */
  readonly longestEdge: number;
  /** The longest edge in requests with more than `above` images. Missing when the number of images does not matter. */
  readonly manyImages?: { readonly above: number; readonly longestEdge: number };
}

/** The formats that models accept. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export type ImageType = (typeof IMAGE_TYPES)[number];

export function isImageType(mimeType: string): mimeType is ImageType {
  return IMAGE_TYPES.some((type) => type === mimeType);
}

/** Dimensions of an image in pixels. An unknown size is null. */
export interface ImageDimensions {
  readonly width: number | null;
  readonly height: number | null;
}

/** Returns the length of this many bytes in Base64. */
function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

/** Returns the limits of a request with this many images. */
export function limitsOfRequest(limits: ImageLimits | null, images: number): ImageLimits | null {
  const many = limits?.manyImages;
  return limits === null || many === undefined || images <= many.above ? limits : { ...limits, longestEdge: many.longestEdge };
}

/** Returns whether a provider with these limits accepts an image. Unknown limits and sizes count as accepted. */
export function isWithin(
  { bytes, width, height }: ImageDimensions & { readonly bytes: number | null },
  limits: ImageLimits | null,
): boolean {
  return limits === null || (base64Length(bytes ?? 0) <= limits.mostBase64Bytes && Math.max(width ?? 0, height ?? 0) <= limits.longestEdge);
}
