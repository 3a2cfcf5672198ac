/* How close two texts are in meaning, by vectors from an embedding model. */

/** A vector of length 1, or of length 0 when the model returned only zeros. */
export type UnitVector = Float32Array;

/**
 * Maximum number of characters of a text to embed: about 500 tokens. Small embedding models read 512 tokens and ignore
 * the rest of a text (all-MiniLM-L6-v2: 256), and a vector of a long text mixes all its topics. So name and description
 * come first.
 */
export const LONGEST_EMBEDDED = 2_000;

export function embeddedText({
  name,
  description,
  body,
}: {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}): string {
  return [name, description, body]
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, LONGEST_EMBEDDED);
}

export function unitVector(vector: readonly number[]): UnitVector {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

/** Returns the cosine of two vectors of the same dimensions, from -1 to 1. */
export function cosine(a: UnitVector, b: UnitVector): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) {
    sum += (a[at] ?? 0) * (b[at] ?? 0);
  }
  return Math.max(-1, Math.min(1, sum));
}

/** Messages, each with a text on the same topic. They calibrate the cosines, which differ from model to model. */
const PAIRS: readonly (readonly [message: string, text: string])[] = [
  [
    'The clock in the corner shows the wrong hour after the switch to summer time',
    'Time zones\nHow dates and times are stored, compared and shown',
  ],
  [
    'Two people pressed buy at the same moment and got the same seat',
    'Concurrency\nLocks and transactions where several users change one record',
  ],
  ['How many characters may a password have at least?', 'Sign-in\nAccounts, credentials and sessions of users'],
  ['Draw the sales of each month as bars', 'Charts\nWhich diagram fits which data, and its colours and axes'],
  ['The French version still says Cancel', 'Translation\nTexts of the interface in several languages'],
  ['Scrolling through ten thousand rows stutters', 'Performance\nWhat may take how long, and how it is measured'],
  ['Ship what we have to the customers tonight', 'Releases\nHow a version is built, signed and published'],
  ['A blind colleague cannot tell which field is wrong', 'Accessibility\nScreen readers, keyboard use and contrast'],
  ['The invoice is a cent too high', 'Money\nAmounts, rounding, currencies and taxes'],
  ['Read the temperature every second and keep a week of it', 'Sensors\nSampling, storage and gaps in series of measurements'],
  ['What did we tell users to do when the disk is full?', 'Error messages\nThe wording of failures and what to do next'],
  ['Write the letter that goes out when someone has not paid', 'E-mail\nTemplates, senders and tone of what we send to customers'],
];

/** The calibration texts for `meaningScale`. They contain no text of the workspace. */
export const SCALE_TEXTS: readonly string[] = PAIRS.flat();

/** Converts a cosine to the probability (0 to 1) that a text is on the topic of a message. Rises with the cosine. */
export type MeaningScale = (cosine: number) => number;

/** Assumed share of items that fit a message: one in fifty. So only clear similarity gives a high probability. */
const PRIOR = 1 / 50;

/** Minimum standard deviation of cosines. With a smaller deviation, a tiny difference would look like certainty. */
const LEAST_SPREAD = 0.01;

/**
 * Makes the scale of a model from its vectors of `SCALE_TEXTS`, in order. Treats the cosines of the pairs and of all
 * other combinations as two normal distributions with the same variance: their log odds are linear in the cosine
 * (linear discriminant analysis: Hastie, Tibshirani and Friedman 2009, section 4.3). If a model hardly separates the
 * pairs, the probabilities are low.
 */
export function meaningScale(vectors: readonly UnitVector[]): MeaningScale {
  const [messages, texts] = [vectors.filter((_, at) => at % 2 === 0), vectors.filter((_, at) => at % 2 === 1)];
  const cosines = messages.flatMap((message, row) =>
    texts.map((text, column) => ({ isPair: row === column, value: cosine(message, text) })),
  );
  const related = cosines.filter(({ isPair }) => isPair).map(({ value }) => value);
  const unrelated = cosines.filter(({ isPair }) => !isPair).map(({ value }) => value);
  const [near, far] = [mean(related), mean(unrelated)];
  if (!(near > far)) {
    return () => 0;
  }
  const variance = (squares(related, near) + squares(unrelated, far)) / (cosines.length - 2);
  const slope = (near - far) / Math.max(variance, LEAST_SPREAD ** 2);
  const middle = (near + far) / 2;
  return (value) => 1 / (1 + Math.exp(-slope * (value - middle)) * ((1 - PRIOR) / PRIOR));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function squares(values: readonly number[], around: number): number {
  return values.reduce((sum, value) => sum + (value - around) ** 2, 0);
}
