/** Call this in the default case of a switch over a union. The compiler then reports a missing case. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
