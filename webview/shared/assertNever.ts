/** For the default case of a switch over a union: a new member is a compile error there. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
