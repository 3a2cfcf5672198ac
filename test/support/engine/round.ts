import fc from 'fast-check';

const chunks = fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
const prose = fc.record({ type: fc.constantFrom('text' as const, 'text' as const, 'reasoning' as const, 'image' as const), chunks });

export const round = fc.record({
  prose: fc.array(prose, { maxLength: 2 }),
  tools: fc.integer({ min: 1, max: 2 }),
  batch: fc.integer({ min: 1, max: 5 }),
  isShown: fc.boolean(),
});

export type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;
