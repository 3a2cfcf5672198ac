import fc from 'fast-check';

type Values = [unknown, ...unknown[]];
type Arbitraries<T extends Values> = { [K in keyof T]: fc.Arbitrary<T[K]> };
type Check<T extends Values> = [...arbitraries: Arbitraries<T>, predicate: (...values: T) => void];
type SlowCheck<T extends Values> = [...arbitraries: Arbitraries<T>, predicate: (...values: T) => Promise<void>];

/** Checks a property with random values, in fast-check's default number of runs. */
export function forAll<T extends Values>(...check: Check<T>): void {
  fc.assert(fc.property<T>(...check));
}

export async function forAllAsync<T extends Values>(...check: SlowCheck<T>): Promise<void> {
  await fc.assert(fc.asyncProperty<T>(...check));
}

export function inRuns(numRuns: number) {
  return {
    forAll<T extends Values>(...check: Check<T>): void {
      fc.assert(fc.property<T>(...check), { numRuns });
    },
    async forAllAsync<T extends Values>(...check: SlowCheck<T>): Promise<void> {
      await fc.assert(fc.asyncProperty<T>(...check), { numRuns });
    },
  };
}
