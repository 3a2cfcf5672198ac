/** Call this in the default case of a switch over a union. A member without a case is then a compile error. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
