/**
 * A file that is only partly in a request, because the request has no room for more. Tokens are by the model's counter,
 * in the form that the file has in a prompt.
 */
export interface FileCut {
  /** SHA-256 (hex) of the whole content. */
  readonly hash: string;
  /** The number of lines in the request, from the first line on; 0 when the file was dropped. */
  readonly lines: number;
  readonly ofLines: number;
  readonly tokens: number;
  /** Tokens of the whole file. */
  readonly ofTokens: number;
}
