import { createHash } from 'node:crypto';
import { CORRECTION } from '../../protocol/correction.js';
import type { CacheParts } from '../../protocol/forecast.js';
import {
  type ChartRequest,
  type DetailLine,
  type InspectedBlock,
  type InspectedRequest,
  type InspectorChart,
  NEXT_REQUEST,
  type Verdict,
} from '../../protocol/inspector/inspector.js';
import { columnPrice, counted, percent, price, signedTokens, tokens } from '../../protocol/numbers.js';

/** Styles of an exported request. The content security policy of the file allows only these styles, by their hash. */
const REQUEST_STYLES = `
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

/** Returns the requests of a chat as a bar chart. Screen readers read `words`. */
function barsSvg(requests: readonly ChartRequest[], shown: string, words: string): string {
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

/** The data of an exported request, with redacted texts. */
export interface ExportedRequest {
  readonly request: InspectedRequest;
  readonly chart: InspectorChart | null;
  readonly verdict: Verdict | null;
  readonly hint: string | null;
  /** The text of each block. Null for a block without content. */
  readonly texts: readonly (string | null)[];
  readonly payload: readonly string[] | null;
  /** The change of the first block that differs from the previous request. Null when no block differs. */
  readonly change: { readonly block: number; readonly lines: readonly DetailLine[] } | null;
  /** A sentence with the number of redacted values. */
  readonly redactions: string;
  /** When Loupe sent the request. For the next request, when the user exported it. */
  readonly when: string;
}

/** Returns the request as an HTML file. Its content security policy forbids scripts and network access. */
export function requestHtml(exported: ExportedRequest): string {
  const { request, chart, verdict, hint } = exported;
  const name = nameOf(exported);
  const hash = createHash('sha256').update(REQUEST_STYLES).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${name} - ${chart?.chat ?? ''}`)}</title>
<style>${REQUEST_STYLES}</style>
</head>
<body>
<main>
<h1>${escapeHtml(name)}</h1>
<p class="quiet">${escapeHtml([chart?.chat ?? '', request.purpose, exported.when, request.model].join(' · '))}</p>
<p class="redactions">${escapeHtml(exported.redactions)}</p>
${verdictPart(verdict, hint)}
${request.notes.map((note) => `<p class="quiet">${escapeHtml(note)}</p>`).join('\n')}
${chartPart(chart, request.id)}
<h2>${request.id === NEXT_REQUEST ? 'What will be sent' : 'What was sent'}</h2>
<p class="quiet">${tokens(request.input)} tokens${request.awaitsReply ? ' + this reply' : ''}${request.parts === null ? '' : `: ${partsInWords(request.parts)}`}</p>
${tablePart(request, verdict?.brokenAt ?? null)}
${changePart(exported)}
${notSelectedPart(request)}
<h2>Blocks</h2>
${request.blocks.map((block, at) => blockPart(block, at, exported.texts[at] ?? null)).join('\n')}
<h2>Exact payload</h2>
${payloadPart(exported.payload)}
</main>
</body>
</html>
`;
}

function nameOf({ request: { number }, chart }: ExportedRequest): string {
  return number === null ? 'Next request' : `Request ${tokens(number)} of ${tokens(chart?.requests.length ?? number)}`;
}

function verdictPart(verdict: Verdict | null, hint: string | null): string {
  if (verdict === null) {
    return '';
  }
  const { tone, cost, reason, providerSays, details } = verdict;
  const more = [providerSays ?? '', details, hint ?? '']
    .filter((text) => text !== '')
    .map((text) => `<br><span class="quiet">${escapeHtml(text)}</span>`);
  return `<p class="verdict ${tone}"><strong>${escapeHtml(cost)}:</strong> ${escapeHtml(reason)}${more.join('')}</p>`;
}

function chartPart(chart: InspectorChart | null, shown: string): string {
  if (chart === null) {
    return '';
  }
  const { requests, input, read, output, cost } = chart;
  const totals = [
    counted(requests.length, 'request'),
    `${tokens(input)} input tokens${input === 0 ? '' : `, ${percent(read, input)} from the cache`}`,
    `${tokens(output)} output tokens`,
    ...(cost === null ? [] : [price(cost)]),
  ].join(' · ');
  return `<h2>All requests of the chat</h2>\n${barsSvg(requests, shown, totals)}\n<p class="quiet">${totals}</p>`;
}

function tablePart(request: InspectedRequest, brokenAt: number | null): string {
  const rows = request.blocks.map((block, at) => `${at === brokenAt ? BROKE : ''}${rowOf(block, at)}`);
  const sums = [
    ...(request.framing === 0 ? [] : [sumOf('Formatting', request.framing, null)]),
    ...(request.difference === 0 ? [] : [sumOf(CORRECTION, request.difference, null)]),
    sumOf('Input', request.input, request.inputPrice),
    ...(request.reply === null ? [] : [sumOf('Reply', request.reply, request.replyPrice)]),
  ];
  const heads = ['#', 'Block', 'Tier', 'Tokens', 'Cache', 'Price', 'Why'].map((name) => `<th scope="col">${name}</th>`).join('');
  return `<div class="scroll" tabindex="0" role="region" aria-label="Blocks of the request">
<table><thead><tr>${heads}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
<tbody>${sums.join('\n')}</tbody></table></div>`;
}

const BROKE = '<tr class="broke"><td colspan="7">the cached part ended here</td></tr>';

function rowOf(block: InspectedBlock, at: number): string {
  const { name, breakpoint, tier, cache, why } = block;
  const cells = [
    `<td>${tokens(at + 1)}</td>`,
    `<th scope="row"><a href="#block-${String(at + 1)}">${escapeHtml(name)}</a>${breakpoint === null ? '' : ` <span class="quiet">cached for ${breakpoint}</span>`}</th>`,
    `<td>${escapeHtml(tier)}</td>`,
    `<td class="figure">${tokens(block.tokens)}</td>`,
    `<td>${cache === null ? '' : partsInWords(cache)}</td>`,
    `<td class="figure">${block.price === null ? '' : columnPrice(block.price, false)}</td>`,
    `<td>${escapeHtml(why)}</td>`,
  ];
  return `<tr>${cells.join('')}</tr>`;
}

function sumOf(name: string, size: number, cost: number | null): string {
  const priced = cost === null ? '' : columnPrice(cost, false);
  return `<tr class="sum"><td></td><th scope="row">${name}</th><td></td><td class="figure">${signedTokens(size)}</td><td></td><td class="figure">${priced}</td><td></td></tr>`;
}

function partsInWords(parts: CacheParts): string {
  return (['read', 'written', 'fresh'] as const)
    .flatMap((state) => (parts[state] === 0 ? [] : [`${tokens(parts[state])} ${state === 'fresh' ? 'uncached' : state}`]))
    .join(', ');
}

function changePart({ change, request }: ExportedRequest): string {
  if (change === null || request.before === null) {
    return '';
  }
  const lines = change.lines.map(({ text, mark }) => {
    const kind = { '': 'kept', '+': 'added', '−': 'removed', '@': 'quiet' }[mark];
    return `<span class="${kind}">${mark === '' ? ' ' : mark} ${escapeHtml(text)}</span>`;
  });
  const name = request.blocks[change.block]?.name ?? '';
  return `<h2>${escapeHtml(`Change since request ${tokens(request.before.number)}: ${name}`)}</h2>
<pre tabindex="0">${lines.join('\n')}</pre>`;
}

function notSelectedPart({ notSelected }: InspectedRequest): string {
  const rows = notSelected.first.map(
    ({ name, notSelectedReason: why }) => `<li>${escapeHtml(name)} <span class="quiet">${escapeHtml(why ?? '')}</span></li>`,
  );
  const more = notSelected.total - notSelected.first.length;
  return notSelected.total === 0
    ? ''
    : `<h2>Not selected (${tokens(notSelected.total)})</h2>\n<ul>${rows.join('')}${more === 0 ? '' : `<li>${counted(more, 'more item')}</li>`}</ul>`;
}

function blockPart({ name, problem }: InspectedBlock, at: number, text: string | null): string {
  const content =
    text === null ? `<p>${escapeHtml(problem ?? 'This block has no content.')}</p>` : `<pre tabindex="0">${escapeHtml(text)}</pre>`;
  return `<details id="block-${String(at + 1)}"><summary>${tokens(at + 1)} · ${escapeHtml(name)}</summary>${content}</details>`;
}

function payloadPart(payload: readonly string[] | null): string {
  return payload === null
    ? '<p>Loupe cannot rebuild the payload.</p>'
    : `<details><summary>${counted(payload.length, 'line')}</summary><pre tabindex="0">${payload.map(escapeHtml).join('\n')}</pre></details>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Matches characters that are invisible or reverse the text direction. Their code replaces them. */
const HIDDEN = /[\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** Escapes a text for HTML and for quoted attributes. */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(HIDDEN, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`);
}
