/**
 * A price in words. One that nobody bills is told apart by a word, not by a look: `would cost $0.0045`. `words` may hold more
 * than one price.
 */
export function priceInWords(words: string, isPretended: boolean): string {
  return isPretended ? `would cost ${words}` : words;
}
