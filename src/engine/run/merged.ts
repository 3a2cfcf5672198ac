interface GeneratorResult<T, R> {
  readonly at: number;
  readonly next: IteratorResult<T, R>;
}

/**
 * Runs generators concurrently, at most `most` at once. Yields their values as they come, and returns their return
 * values in the order of the generators. A generator continues after the caller took its value. When one generator
 * throws, the error is thrown and the other generators are abandoned.
 */
export async function* mergeGenerators<T, R>(
  generators: readonly AsyncGenerator<T, R, void>[],
  most: number,
): AsyncGenerator<T, R[], void> {
  const given: (GeneratorResult<T, R> | { readonly thrown: unknown })[] = [];
  const returned = new Map<number, R>();
  let wake: () => void = () => undefined;
  const advance = (at: number): void => {
    generators[at]?.next().then(
      (next) => {
        given.push({ at, next });
        wake();
      },
      (thrown: unknown) => {
        given.push({ thrown });
        wake();
      },
    );
  };
  let started = 0;
  for (; started < Math.min(most, generators.length); started += 1) {
    advance(started);
  }
  while (returned.size < generators.length) {
    const first = given.shift();
    if (first === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    if ('thrown' in first) {
      throw first.thrown;
    }
    const { at, next } = first;
    if (next.done !== true) {
      yield next.value;
      advance(at);
      continue;
    }
    returned.set(at, next.value);
    if (started < generators.length) {
      advance(started);
      started += 1;
    }
  }
  return generators.map((_, at) => returned.get(at) as R);
}
