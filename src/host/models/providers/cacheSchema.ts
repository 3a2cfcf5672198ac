import * as z from 'zod/mini';
import { contradictionIn, TTLS } from '../../../engine/cache/cacheRules.js';
import { atLeastOne, count, invalid } from './schemaParts.js';

const LIFETIMES = invalid(`a list of ${TTLS.join(', ')}`);

/** How a provider caches prompts. Rules that contradict themselves are named, and those of the protocol stand in. */
export const cache = z
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
    { error: invalid('a kind: marks, automatic, none or unknown') },
  )
  .check(
    z.superRefine((rules, context) => {
      const problem = contradictionIn(rules);
      if (problem !== null) {
        context.addIssue({ code: 'custom', message: problem });
      }
    }),
  );
