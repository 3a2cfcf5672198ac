/*
 * What servers offer other than tools. All texts are the server's own. What it does not say is null.
 */

/** Something to read, such as a file or a row of a database. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly bytes: number | null;
}

/** A part of a resource: a text, or bytes. */
export type McpResourcePart = { readonly uri: string; readonly mimeType: string | null } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
);

/** A message that a server prepares, with blanks for the user to fill in. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly blanks: readonly { readonly name: string; readonly description: string | null; readonly isRequired: boolean }[];
}

/** A piece of a message: a text, or in words what of it is none. */
export type McpPromptPiece = { readonly text: string } | { readonly noText: string };

export type McpPromptMessage = { readonly role: 'user' | 'assistant' } & McpPromptPiece;

/** A blank of a prompt that is being filled in. */
export interface McpBlank {
  readonly prompt: string;
  readonly name: string;
  /** The blanks before it, by their names. */
  readonly filled: Readonly<Record<string, string>>;
}
