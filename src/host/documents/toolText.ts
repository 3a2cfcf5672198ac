import type { AllowedTool } from '../tools/toolbox.js';
import { visibleCharacters } from '../tools/shownText.js';

/** All that a user allows with a tool, as a text whose versions can be compared line by line. Hidden characters stand as their numbers. */
export function allowedText({ description, inputSchema, identity }: AllowedTool): string {
  const parts = [
    'Description',
    description === '' ? '(none)' : description,
    '',
    'Arguments',
    JSON.stringify(inputSchema, null, 2),
    '',
    'Its server: the hash of its configuration, or its version',
    identity,
    '',
  ];
  return visibleCharacters(parts.join('\n'));
}
