import * as at from './breakpoints.js';
import { blockOf, type Block, type Ttl } from './content.js';
import { aiderOrder, front, inline, type MakeLayout } from './layouts.js';
import type { Contestant, Pings, Policy } from './policy.js';

/** Aider's `--cache-keepalive-pings 3`: each five seconds before the five minutes are over (aider/coders/base_coder.py). */
const AIDER_PINGS: Pings = { everySeconds: 295, most: 3 };

/** An hour of pings. */
const HOUR_OF_PINGS: Pings = { everySeconds: 290, most: 11 };

/**
 * What other clients do, as their sources say, and variants of it. A client's breakpoints are judged with the context before the
 * conversation (`@front`) and within it (`@inline`), because clients do both, some of them with different parts of it.
 */
export const POLICIES: readonly Contestant[] = [
  variant('none', front, () => [], '5m'),
  variant('system-only', front, at.systemOnly, '5m'),
  variant('auto@front', front, at.automatic, '5m'),
  variant('last-message@front', front, at.lastMessage, '5m'),
  client('cline/roo@front', front, at.lastTwoOfUser, null),
  client('opencode@front', front, at.lastTwo, null),
  client('continue@front', front, at.continues, null),
  client('copilot@front', front, at.copilot, null),
  variant('70%@front', front, at.seventyPercent, '5m'),
  client('aider', aiderOrder, at.aider, null),
  client('aider+ping', aiderOrder, at.aider, AIDER_PINGS),
  variant('last-message@inline', inline, at.lastMessage, '5m'),
  client('cline/roo@inline', inline, at.lastTwoOfUser, null),
  client('opencode@inline', inline, at.lastTwo, null),
  client('continue@inline', inline, at.continues, null),
  client('copilot@inline', inline, at.copilot, null),
  variant('last-message-1h@inline', inline, at.lastMessage, '1h'),
  { ...variant('last-message@inline+ping', inline, at.lastMessage, '5m'), pings: HOUR_OF_PINGS },
];

function client(name: string, layout: MakeLayout, breakpoints: at.Breakpoints, pings: Pings | null): Contestant {
  return { name, isClient: true, pings, create: () => policyOf(layout, breakpoints, '5m') };
}

function variant(name: string, layout: MakeLayout, breakpoints: at.Breakpoints, ttl: Ttl): Contestant {
  return { name, isClient: false, pings: null, create: () => policyOf(layout, breakpoints, ttl) };
}

/** Titles are short, and asked for once: nobody caches them. */
function policyOf(layout: MakeLayout, breakpoints: at.Breakpoints, ttl: Ttl): Policy {
  const laidOut = layout();
  return {
    plan: (request) => {
      if (request.kind === 'title') {
        return request.items.map(blockOf);
      }
      const blocks = laidOut(request);
      const places = new Set(breakpoints(blocks));
      return blocks.map((block, index): Block => (places.has(index) ? { ...block, breakpoint: ttl } : block));
    },
  };
}
