import { signOfSecrets } from '../../../engine/context/fileDoubt.js';

/** Returns whether a command names a file that may contain secrets, or has a text with the form of a key. */
export function mayHaveSecrets(line: string, output: string): boolean {
  const words = line.split(/[\s'"`=<>|;&()]+/);
  return signOfSecrets('', `${line}\n${output}`) !== null || words.some((word) => signOfSecrets(word.replaceAll('\\', '/'), '') !== null);
}
