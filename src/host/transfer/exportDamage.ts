import type { SegmentFault } from '../../storage/log/segment.js';

/** A byte order mark is a fault, but loses nothing. */
export function damage(faults: readonly Pick<SegmentFault, 'kind'>[]): readonly string[] {
  const places = faults.filter(({ kind }) => kind !== 'bom').length;
  if (places === 0) {
    return [];
  }
  return [
    `${places === 1 ? 'One place' : `${String(places)} places`} in its log could not be read and ${places === 1 ? 'is' : 'are'} missing.`,
  ];
}
