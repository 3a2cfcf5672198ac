/**
 * A price in words. One that is not billed has a word for that, not a look: `would cost $0.0045`. `words` may hold more
 * than one price.
 */
export function priceInWords(words: string, isPretended: boolean): string {
  return isPretended ? `would cost ${words}` : words;
}
