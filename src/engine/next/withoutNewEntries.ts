import type { Forecast } from '../cache/forecast.js';
import { promptBlocks, promptBreakpoints, withBlocks, type Prompt } from '../model/prompt.js';
import { systemEnd } from '../request/layout/breakpointPlaces.js';
import type { Request } from '../request/request.js';

/**
 * Removes the last breakpoints of a request that Loupe makes for itself, as long as the request then costs less. A
 * write costs more than uncached input, and the next request would not read it: after a summary, that request has no
 * replaced messages. Keeps breakpoints in the system prompt, with which the next request begins.
 */
export function withoutNewEntries(request: Request, forecastOf: (request: Request) => Pick<Forecast, 'costNow'> | null): Request {
  const costOf = (each: Request): number => forecastOf(each)?.costNow ?? 0;
  let [made, cost] = [request, costOf(request)];
  for (let shorter = withoutLast(made); shorter !== null; shorter = withoutLast(made)) {
    const less = costOf(shorter);
    if (less >= cost) {
      return made;
    }
    [made, cost] = [shorter, less];
  }
  return made;
}

/** Returns the request without its last breakpoint after the system prompt. Null if it has none. */
function withoutLast(request: Request): Request | null {
  const { prompt } = request;
  const last = promptBreakpoints(prompt).at(-1);
  return last === undefined || last.at <= systemEnd(prompt) ? null : { ...request, prompt: withoutBreakpoint(prompt, last.at) };
}

function withoutBreakpoint(prompt: Prompt, at: number): Prompt {
  const block = promptBlocks(prompt)[at];
  return block === undefined ? prompt : withBlocks(prompt, new Map([[at, { ...block, breakpoint: null }]]));
}
