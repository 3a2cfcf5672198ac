import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRenderer } from '../../../webview/shared/markdown/renderer.js';
import { MarkdownStream } from '../../../webview/shared/markdown/stream.js';
import { root } from '../../support/paths.mjs';
import { medianOf, race, sampleOf } from '../race.js';
import type { Row } from '../row.js';

const LENGTH = 100_000;
const CHUNK = 5;
/** A reply of 18 seconds at 60 frames each. Each frame renders all text so far. */
const FRAMES = 1_080;
const ROUNDS = 15;
const OWN = 'Loupe, as it streams';
const ONCE = 'one render of the whole';
const AGAIN = 'rendering what is there at each frame (markdown-it)';

export const markdown: Row = {
  name: 'markdown',
  job: 'render a Markdown reply of 100 KB that comes in pieces of 5 characters, at each of 1,080 frames; to HTML, without a document',
  async measure() {
    const text = reply();
    const frames = framesOf(text);
    const md = createRenderer();
    const short = await race(
      [
        {
          name: OWN,
          run: () => {
            stream(frames, text, md);
          },
        },
        { name: ONCE, run: () => md.render(text).length > 0 },
      ],
      { rounds: ROUNDS },
    );
    // It takes many seconds, so it runs once.
    const started = performance.now();
    for (const end of frames) {
      md.render(text.slice(0, end));
    }
    const samples = [...short, sampleOf(AGAIN, [performance.now() - started])];
    const ratio = medianOf(samples, OWN) / medianOf(samples, ONCE);
    return { samples, amount: null, verdicts: [{ what: 'time against one render, times', measured: ratio, target: { atMost: 8 } }] };
  },
};

function framesOf(text: string): readonly number[] {
  const chunks = Math.ceil(text.length / CHUNK);
  return Array.from({ length: FRAMES }, (_, frame) => Math.min(text.length, Math.ceil((chunks * (frame + 1)) / FRAMES) * CHUNK));
}

function stream(frames: readonly number[], text: string, md: ReturnType<typeof createRenderer>): void {
  const shown = new MarkdownStream(md);
  let blocks = 0;
  let start = 0;
  for (const end of frames) {
    blocks += shown.append(text.slice(start, end)).closed.length;
    start = end;
  }
  blocks += shown.finish().closed.length;
  if (blocks < FEWEST_BLOCKS) {
    throw new Error(`${String(blocks)} blocks were rendered.`);
  }
}

/** Far fewer than the text has. */
const FEWEST_BLOCKS = 100;

/** Prose, lists, tables and code, as in real replies. */
function reply(): string {
  const texts = ['README.md', 'node_modules/markdown-it/README.md'].map((name) => readFileSync(join(root, name), 'utf8'));
  const all = texts.join('\n\n');
  return all.repeat(Math.ceil(LENGTH / all.length)).slice(0, LENGTH);
}
