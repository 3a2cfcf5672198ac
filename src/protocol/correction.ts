/** The name of the difference between the size of a request and the sum of its parts. */
export const CORRECTION = 'Correction of Loupe’s count';

/** The tooltip of the correction. */
export const CORRECTION_REASON =
  'The parts have Loupe’s counts. The total is the provider’s count of this request, or an estimate from its counts of earlier requests.';
