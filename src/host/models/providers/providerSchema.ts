import * as z from 'zod/mini';
import { contradictionIn, TTLS } from '../../../engine/model/cacheRules.js';
import { CALL_ID_RULES, REASONING_REPLAYS } from '../../../engine/model/model.js';
import { KEY_HEADERS } from '../../../providers/endpoint.js';
import { COUNTER_IDS } from '../tokens/counters.js';
import { MOST_SILENCE_SECONDS, PROTOCOL_IDS } from './providerConfig.js';

/*
 * The schema of `loupe.providers`. Each message ends a sentence that starts with a setting's name: "... is invalid;
 * expected a number, 0 or more." package.json has the same schema for VS Code; a test compares both.
 */

/** Maximum number of entries of a list in the settings. A longer list would block the extension host. */
export const MAX_ENTRIES = 1_000;

/** Returns a function that writes the message for a missing or invalid member. */
function invalid(expected: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined ? 'is missing.' : `is invalid; expected ${expected}.`);
}

const COUNT = invalid('a whole number, 0 or more');
const AT_LEAST_ONE = invalid('a whole number above 0');

const count = z.int({ error: COUNT }).check(z.nonnegative({ error: COUNT }));
const atLeastOne = z.int({ error: AT_LEAST_ONE }).check(z.positive({ error: AT_LEAST_ONE }));

const PRICE = invalid('a number, 0 or more (US dollars per million tokens)');
const FLAG = invalid('true or false');
const ID = invalid('1 to 100 letters, digits and the characters . _ -');
const MODEL_ID = invalid('the ID that the provider uses for this model');
const LABEL = invalid('text, not empty');
const HEADER_VALUE = invalid('one line of text');
const SECONDS = invalid(`a number of seconds, from 1 to ${MOST_SILENCE_SECONDS}`);

const ABOVE_0 = invalid('a number above 0');
const above0 = z.number({ error: ABOVE_0 }).check(z.positive({ error: ABOVE_0 }));

const price = z.number({ error: PRICE }).check(z.nonnegative({ error: PRICE }));
const tokens = z.optional(z.nullable(atLeastOne));
const flag = z.optional(z.boolean({ error: FLAG }));
const label = z.optional(z.string({ error: LABEL }).check(z.minLength(1, { error: LABEL })));

const LIFETIMES = invalid(`a list of lifetimes (${TTLS.join(', ')})`);

/** The cache rules of a provider. Contradictory rules are an error, and the protocol's rules apply instead. */
const cache = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({
        kind: z.literal('marks'),
        most: atLeastOne,
        minimumTokens: count,
        lookBack: z.nullable(atLeastOne),
        lifetimes: z.array(z.enum(TTLS, { error: LIFETIMES }), { error: LIFETIMES }).check(z.minLength(1, { error: LIFETIMES })),
      }),
      z.strictObject({ kind: z.literal('automatic'), minimumTokens: count, stepTokens: atLeastOne, lifetimeSeconds: atLeastOne }),
      z.strictObject({ kind: z.literal('none') }),
      z.strictObject({ kind: z.literal('unknown') }),
    ],
    { error: invalid('marks, automatic, none or unknown as kind') },
  )
  .check(
    z.superRefine((rules, context) => {
      const problem = contradictionIn(rules);
      if (problem !== null) {
        context.addIssue({ code: 'custom', message: problem });
      }
    }),
  );

const rates = {
  input: price,
  output: price,
  cacheRead: z.optional(price),
  cacheWrite5m: z.optional(price),
  cacheWrite1h: z.optional(price),
};

const LONG_PROMPTS = invalid('a list of objects with above (tokens), input and output');

const TIER = invalid('an object with input and output, in US dollars per million tokens');
const TIERS = invalid('an object with the prices of each service tier');

const longPrompts = z.optional(z.array(z.strictObject({ above: atLeastOne, ...rates }, { error: LONG_PROMPTS }), { error: LONG_PROMPTS }));

const prices = z.strictObject(
  {
    ...rates,
    longPrompts,
    serviceTiers: z.optional(z.record(z.string(), z.strictObject({ ...rates, longPrompts }, { error: TIER }), { error: TIERS })),
  },
  { error: invalid('an object with input and output, in US dollars per million tokens') },
);

const EDGE = { longestEdge: atLeastOne };

/** How a provider counts the tokens of an image, see `ImageTokens`. */
const imageTokens = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('patches'), side: atLeastOne, each: above0, most: atLeastOne, ...EDGE }),
    z.strictObject({ kind: z.literal('tiles'), side: atLeastOne, base: count, each: count, shortestEdge: atLeastOne, ...EDGE }),
    z.strictObject({ kind: z.literal('pixels'), perToken: above0, most: atLeastOne, ...EDGE }),
    z.strictObject({ kind: z.literal('fixed'), tokens: count }),
  ],
  { error: invalid('patches, tiles, pixels or fixed as kind') },
);

const LIMITS = invalid('an object with mostBase64Bytes and longestEdge');
const manyImages = z.strictObject({ above: atLeastOne, ...EDGE }, { error: invalid('an object with above and longestEdge') });

const FRAMING = invalid('an object with perRequest, perMessage and perTool');

const capabilities = z.strictObject(
  {
    counter: z.optional(z.enum(COUNTER_IDS, { error: invalid(`one of ${COUNTER_IDS.join(', ')}`) })),
    counterIsExact: flag,
    countsTokens: flag,
    freeCounts: flag,
    framing: z.optional(z.strictObject({ perRequest: count, perMessage: count, perTool: count }, { error: FRAMING })),
    images: flag,
    imageTokens: z.optional(imageTokens),
    imageLimits: z.optional(
      z.strictObject({ mostBase64Bytes: atLeastOne, ...EDGE, manyImages: z.exactOptional(manyImages) }, { error: LIMITS }),
    ),
    tools: flag,
    toolsOnDemand: flag,
    mostTools: tokens,
    callIds: z.optional(z.enum(CALL_ID_RULES, { error: invalid(`one of ${CALL_ID_RULES.join(', ')}`) })),
    userContentAfterToolResults: flag,
    reasoningReplay: z.optional(z.enum(REASONING_REPLAYS, { error: invalid(`one of ${REASONING_REPLAYS.join(', ')}`) })),
    cache: z.optional(cache),
    cacheKey: flag,
    cacheDiagnostics: flag,
  },
  { error: invalid('an object with capabilities of the model') },
);

const BODY = invalid('an object with members of the request body');

export const modelSchema = z.strictObject(
  {
    id: z.string({ error: MODEL_ID }).check(z.minLength(1, { error: MODEL_ID })),
    label,
    maxInputTokens: tokens,
    maxOutputTokens: tokens,
    prices: z.optional(prices),
    capabilities: z.optional(capabilities),
    extraBody: z.optional(z.record(z.string(), z.json(), { error: BODY })),
  },
  { error: invalid('an object with the id of a model') },
);

export type RawModel = z.infer<typeof modelSchema>;

/** The schema of a provider without its models. Each model is checked alone. */
export const providerSchema = z.strictObject(
  {
    id: z.string({ error: ID }).check(z.regex(/^[A-Za-z0-9._-]{1,100}$/, { error: ID })),
    label,
    protocol: z.enum(PROTOCOL_IDS, { error: invalid(`one of ${PROTOCOL_IDS.join(', ')}`) }),
    baseUrl: z.string({ error: invalid('the base URL of the API') }),
    headers: z.optional(
      z.record(z.string(), z.string({ error: HEADER_VALUE }).check(z.regex(/^[^\r\n\0]*$/, { error: HEADER_VALUE })), {
        error: invalid('an object of header names and values'),
      }),
    ),
    keyHeader: z.optional(z.enum(KEY_HEADERS, { error: invalid(`one of ${KEY_HEADERS.join(', ')}`) })),
    silenceSeconds: z.optional(
      z.number({ error: SECONDS }).check(z.minimum(1, { error: SECONDS }), z.maximum(MOST_SILENCE_SECONDS, { error: SECONDS })),
    ),
    countsTokens: flag,
    models: z.optional(
      z.array(z.unknown(), { error: invalid('a list of models') }).check(z.maxLength(MAX_ENTRIES, { error: 'has too many models.' })),
    ),
  },
  { error: invalid('an object with id, protocol and baseUrl') },
);

export type RawProvider = z.infer<typeof providerSchema>;
