import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/*
 * Kills real processes without warning, at moments that lie evenly over what they do.
 */

/** The fractional part of the golden ratio: its multiples, taken modulo 1, lie evenly however many they are. */
const EVENLY = 0.618_033_988_75;

/** The delay of the kill with this number, from 0 to `longestMs`. */
export function evenDelay(number: number, longestMs: number): number {
  return ((number * EVENLY) % 1) * longestMs;
}

export interface Kill {
  /** How many lines the program has to print first. */
  readonly lines: number;
  readonly delayMs: number;
}

/** Runs a program of Node and kills it. Gives all lines that it has printed: those after the kill was due count as well. */
export async function killed(args: readonly string[], { lines, delayMs }: Kill): Promise<readonly string[]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === lines) {
      const due = performance.now() + delayMs;
      // Timers are whole milliseconds apart.
      while (performance.now() < due) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      child.kill('SIGKILL');
    }
  }
  // Until then the system still lists the process.
  const [, signal] = (await exit) as [unknown, string | null];
  assert.equal(signal, 'SIGKILL', 'the program ended by itself');
  return said;
}

/** Notes where a program is, in the page cache, which outlives it. */
export function momentNoter(path: string): (moment: string) => void {
  const file = openSync(path, 'w');
  return (moment) => {
    writeSync(file, moment, 0);
  };
}
