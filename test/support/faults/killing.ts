import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/* Kills real processes without warning, at moments spread evenly over their work. */

/** The fractional part of the golden ratio. Its multiples modulo 1 are spread evenly for any number of them. */
const EVENLY = 0.618_033_988_75;

export function evenDelay(number: number, longestMs: number): number {
  return ((number * EVENLY) % 1) * longestMs;
}

export interface Kill {
  /** The number of lines that the program prints before the delay starts. */
  readonly lines: number;
  readonly delayMs: number;
}

/** Runs a Node program and kills it. Returns all printed lines, also those after the planned time of the kill. */
export async function killed(args: readonly string[], { lines, delayMs }: Kill): Promise<readonly string[]> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === lines) {
      const due = performance.now() + delayMs;
      // Timers have a resolution of one millisecond.
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

/** Writes the current step of a program to the page cache, which survives the process. */
export function momentNoter(path: string): (moment: string) => void {
  const file = openSync(path, 'w');
  return (moment) => {
    writeSync(file, moment, 0);
  };
}
