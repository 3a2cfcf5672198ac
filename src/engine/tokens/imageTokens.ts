import { assertNever } from '../assertNever.js';
import type { ImageDimensions, ImageTokens } from '../model/imageRules.js';

/**
 * Estimated tokens of an image with an unknown size, or for a model with an unknown rule: about the most that a usual
 * image costs with Anthropic and OpenAI.
 */
export const IMAGE_TOKENS = 1_600;

/** Returns the tokens of an image by the provider's rule, or the estimate `IMAGE_TOKENS`. */
export function imageTokens(size: ImageDimensions | null, rule: ImageTokens | null): number {
  if (rule?.kind === 'fixed') {
    return rule.tokens;
  }
  return rule === null || !hasSize(size) ? IMAGE_TOKENS : Math.ceil(tokensOf(size, rule));
}

/** Whether the tokens of an image are known, and not the estimate. */
export function isImageKnown(size: ImageDimensions, rule: ImageTokens | null): boolean {
  return rule !== null && (rule.kind === 'fixed' || hasSize(size));
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function hasSize(size: ImageDimensions | null): size is Size {
  return size !== null && size.width !== null && size.height !== null && size.width > 0 && size.height > 0;
}

function tokensOf(size: Size, rule: Exclude<ImageTokens, { readonly kind: 'fixed' }>): number {
  const { width, height } = scaled(size, rule.longestEdge, Math.max);
  switch (rule.kind) {
    case 'patches':
      return rule.each * Math.min(rule.most, Math.ceil(width / rule.side) * Math.ceil(height / rule.side));
    case 'tiles': {
      const { width: across, height: down } = scaled({ width, height }, rule.shortestEdge, Math.min);
      return rule.base + rule.each * Math.ceil(across / rule.side) * Math.ceil(down / rule.side);
    }
    case 'pixels':
      return Math.min(rule.most, (width * height) / rule.perToken);
    default:
      return assertNever(rule);
  }
}

/** Scales a size down so that one of its edges, as `edgeOf` chooses, has at most `limit` pixels. Never scales up. */
function scaled({ width, height }: Size, limit: number, edgeOf: (a: number, b: number) => number): Size {
  const scale = Math.min(1, limit / edgeOf(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
