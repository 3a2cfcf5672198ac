/** Adds the names of blobs to `names`: the texts of all members `blob` in a value, at any depth. */
export function addBlobNames(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if ('blob' in value && typeof value.blob === 'string') {
    names.add(value.blob);
  }
  for (const member of Object.values(value)) {
    addBlobNames(member, names);
  }
}
