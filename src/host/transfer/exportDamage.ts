import type { SegmentFault } from '../../storage/log/segment.js';

/** Returns a sentence about damaged places. A byte order mark is also a fault, but nothing is lost. */
export function damage(faults: readonly Pick<SegmentFault, 'kind'>[]): readonly string[] {
  const places = faults.filter(({ kind }) => kind !== 'bom').length;
  if (places === 0) {
    return [];
  }
  return [
    `${places === 1 ? 'One place' : `${String(places)} places`} in its log could not be read and ${places === 1 ? 'is' : 'are'} missing.`,
  ];
}
