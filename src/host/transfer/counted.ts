/** A number with its noun and what follows it, as in "1 line is" and "2 lines are". */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
