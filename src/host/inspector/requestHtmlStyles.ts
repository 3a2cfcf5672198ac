import type { ChartRequest } from '../../protocol/inspector/inspector.js';

/** The styles of an exported request. The file's policy contains their hash. */
export const REQUEST_STYLES = `
:root { color-scheme: light dark; }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 1000px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin: 24px 0 4px; }
.quiet { color: color-mix(in srgb, CanvasText 75%, Canvas); }
.verdict { padding: 8px 12px; border: 1px solid; border-left-width: 4px; border-radius: 6px; }
.redactions { font-weight: 600; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 8px; border-bottom: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); font-weight: 400; text-align: start; vertical-align: top; }
.figure { text-align: end; } .sum > * { font-weight: 600; }
.broke > td { border-bottom: 2px solid; font-weight: 600; }
a { color: inherit; }
pre { max-height: 60vh; margin: 4px 0; padding: 8px; overflow: auto; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); white-space: pre-wrap; overflow-wrap: anywhere; }
.added { font-weight: 600; } .removed { text-decoration: line-through; }
summary { padding: 4px 0; cursor: pointer; }
svg { display: block; max-width: 100%; }
.bar-read { fill: #388a34; } .bar-written { fill: #d18616; } .bar-fresh { fill: #808080; } .bar-shown { fill: none; stroke: currentColor; }
`;

const HEIGHT = 60;
const WIDTH = 12;
const GAP = 4;

/** Returns the requests of a chat as a bar chart. `words` is its text for screen readers. */
export function barsSvg(requests: readonly ChartRequest[], shown: string, words: string): string {
  const largest = Math.max(1, ...requests.map(({ parts }) => parts.read + parts.written + parts.fresh));
  const bars = requests.map(({ id, parts }, at) => {
    const x = at * (WIDTH + GAP);
    let y = HEIGHT;
    const pieces = (['read', 'written', 'fresh'] as const).map((state) => {
      const height = (HEIGHT * parts[state]) / largest;
      y -= height;
      return `<rect class="bar-${state}" x="${String(x)}" y="${y.toFixed(1)}" width="${String(WIDTH)}" height="${height.toFixed(1)}"/>`;
    });
    const frame =
      id === shown ? `<rect class="bar-shown" x="${String(x)}" y="0" width="${String(WIDTH)}" height="${String(HEIGHT)}"/>` : '';
    return pieces.join('') + frame;
  });
  const width = Math.max(1, requests.length * (WIDTH + GAP));
  return `<svg role="img" aria-label="${words}" width="${String(width)}" height="${String(HEIGHT)}" viewBox="0 0 ${String(width)} ${String(HEIGHT)}">${bars.join('')}</svg>`;
}
