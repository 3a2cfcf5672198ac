/** Makes a switch over a union exhaustive: a case that is missing is a type error here. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected case: ${JSON.stringify(value)}`);
}
