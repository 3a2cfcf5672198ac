/** Lines above the ground line of the chart. */
const LINES = 3;
/** Steps that are easy to read, in tens. */
const STEPS = [1, 2, 2.5, 4, 5, 10];

/** The values of the lines of a chart, from 0 to above the largest value. */
export function scale(largest: number): readonly number[] {
  if (largest <= 0) {
    return [0];
  }
  const ten = 10 ** Math.floor(Math.log10(largest / LINES));
  const step = (STEPS.find((each) => each * ten * LINES >= largest) ?? 10) * ten;
  return Array.from({ length: LINES + 1 }, (_, at) => at * step);
}
