import type { SegmentSize } from '../segmentSizes.js';
import type { Place } from './opened.js';

/** How much of a log stands behind a place, in bytes; all of it for null. */
export function bytesBehind(place: Place | null, segments: readonly SegmentSize[]): number {
  return segments.reduce((sum, { writer, size }) => sum + size - (place?.position.get(writer)?.end.offset ?? 0), 0);
}
