/** Prefix of the ids of providers from VS Code's language models. Other ids never have it. */
export const VSCODE_PROVIDER_PREFIX = 'vscode.';

/** Whether an extension in VS Code provides the models and handles access and keys. */
export function isVscodeProvider(id: string): boolean {
  return id.startsWith(VSCODE_PROVIDER_PREFIX);
}
