/**
 * A file of which a request holds less than the whole, because it has no room for more. Tokens are by the model's counter, as
 * the file stands in a prompt.
 */
export interface FileCut {
  /** SHA-256 (hex) of the whole content. */
  readonly hash: string;
  /** The lines in the request, from the first one on; 0 when the file is left out. */
  readonly lines: number;
  readonly ofLines: number;
  readonly tokens: number;
  /** Tokens of the whole file. */
  readonly ofTokens: number;
}
