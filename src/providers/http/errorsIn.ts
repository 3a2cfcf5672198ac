/** Returns all errors in a thrown value, outermost first: itself, its causes, and the parts of an `AggregateError`. */
export function errorsIn(thrown: unknown): Error[] {
  const found = new Set<Error>();
  const collect = (value: unknown): void => {
    if (!(value instanceof Error) || found.has(value)) {
      return;
    }
    found.add(value);
    collect(value.cause);
    if (value instanceof AggregateError) {
      value.errors.forEach(collect);
    }
  };
  collect(thrown);
  return [...found];
}
