import { html, nothing, type TemplateResult } from 'lit';
import { AGENT_INCLUDES, type ManagedInclude } from '../../../src/protocol/panel/manager.js';
import { heldMode } from '../../../src/protocol/panel/requestRows.js';
import { post } from '../../shared/events.js';
import { revealHidden } from '../../shared/hidden.js';
import { includeModePill, PICKED_WHILE_WRITING } from '../rows/includeMode.js';

const INCLUDE_NAMES = { always: 'Always', manual: 'Manual', agent: 'Agent', onDemand: 'On demand', off: 'Off' } as const;

const INCLUDE_TITLES = {
  always: 'Always: in every new chat',
  manual: 'Manual: only in chats to which you add it',
  agent: 'Agent: Loupe picks the item when it matches your message',
  onDemand: 'On demand: each request names the tool, and the model loads the tool when needed',
  off: 'Off: in no chat',
} as const;

/** The mode `agent` of an item whose file has patterns. */
const BY_FILE = { name: 'By file', title: 'By file: for files of the chat that match the pattern of the item' } as const;

export interface ModePill {
  readonly chatId: string;
  readonly key: string;
  readonly name: string;
  readonly includeMode: ManagedInclude;
  readonly isForFiles: boolean;
  readonly score: number | null;
  /** The agent for whose chats the user changes the include mode. Null for all chats. */
  readonly agent: string | null;
  readonly canChange: boolean;
  /** Whether the chat's model can load the item on demand. */
  readonly canBeLoaded: boolean;
  /** Whether the item has the same mode as its server. The mode is then visible only under the pointer or the focus. */
  readonly isQuiet: boolean;
}

/** Shows the include mode of an item or server. A change applies to the chats of the agent; if null, to all chats. */
export function modePill({
  chatId,
  key,
  name,
  includeMode,
  isForFiles,
  score,
  agent,
  canChange,
  canBeLoaded,
  isQuiet,
}: ModePill): TemplateResult | typeof nothing {
  if (!canChange) {
    return includeMode === 'off'
      ? nothing
      : includeModePill(isForFiles ? heldMode(includeMode, score) : includeMode, score, score === null ? null : PICKED_WHILE_WRITING);
  }
  const words = (mode: ManagedInclude): { readonly name: string; readonly title: string } =>
    mode === 'agent' && isForFiles ? BY_FILE : { name: INCLUDE_NAMES[mode], title: INCLUDE_TITLES[mode] };
  return html`${score === null ? nothing : html`<span class="figures manager-score">${score.toFixed(2)}<span class="manager-now"> now</span></span>`}<span
      class="manager-mode ${isQuiet ? 'quiet' : ''}"
      ><select
        class="pill ${includeMode}"
        tabindex="-1"
        aria-label="Include mode of ${revealHidden(name)}"
        title="${words(includeMode).title}. ${savedFor(agent)}"
        @change=${(event: Event) => {
          const select = event.currentTarget as HTMLSelectElement;
          const include = AGENT_INCLUDES.find((mode) => mode === select.value) ?? includeMode;
          post(select, { type: 'changeInclude', chatId, key, include });
        }}
      >
        ${AGENT_INCLUDES.filter((mode) => mode !== 'onDemand' || canBeLoaded || mode === includeMode).map((mode) => html`<option value=${mode} title=${words(mode).title} ?selected=${mode === includeMode}>${words(mode).name}</option>`)}
      </select></span
    >`;
}

function savedFor(agent: string | null): string {
  return agent === null
    ? 'Loupe saves this mode for all chats (setting loupe.includeModes). An agent can set another mode for its chats.'
    : `Loupe saves this mode for all chats of the agent ${revealHidden(agent)}.`;
}
