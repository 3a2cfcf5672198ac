export function sumTokens(all: readonly { readonly tokens: number }[]): number {
  return all.reduce((sum, { tokens }) => sum + tokens, 0);
}
