import type { ToolServer } from '../../../engine/tools/tool.js';
import type { MentionRow } from '../../../protocol/mentions.js';

/** The row that starts a server, so that what it lists is known; none for one that runs or starts. */
export function startRow({ name, status }: Pick<ToolServer, 'name' | 'status'>, listed: 'prompts' | 'resources'): readonly MentionRow[] {
  return status === 'stopped' || status === 'failed'
    ? [{ key: name, kind: 'server', name, about: `does not run. Start it to see its ${listed}`, matches: [], isIn: false }]
    : [];
}
