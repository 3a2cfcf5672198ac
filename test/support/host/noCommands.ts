import type { RankedRows } from '../../../src/host/tools/prompts/promptFinder.js';

/** The commands for a text that fits none. */
export const noCommands = (): RankedRows => ({ rows: [], rank: Infinity });
