import * as vscode from 'vscode';
import type { AgentProfile, AgentProfiles } from '../../../engine/context/agentProfile.js';
import { failure } from '../../../engine/errors.js';

type Item = vscode.QuickPickItem & { readonly name: string };

/** Lets the user choose an agent by its name, empty for none; null when the user chose nothing. Rejects where the workspace has none. */
export async function pickAgent(profiles: AgentProfiles, current: string): Promise<string | null> {
  if (profiles.size === 0 && current === '') {
    throw failure('catalog.noAgents');
  }
  const none: Item = { name: '', label: 'No agent', description: current === '' ? 'in this chat' : '' };
  const items = [none, ...[...profiles.values()].map((profile) => agentItem(profile, current))];
  const placeHolder = 'Its prompt is sent in every request of this chat';
  const picked = await vscode.window.showQuickPick(items, { title: 'Agent', placeHolder, matchOnDetail: true });
  return picked?.name ?? null;
}

function agentItem({ name, source, description, problem }: AgentProfile, current: string): Item {
  const about = [source, ...(problem === null ? [] : ['cannot be read']), ...(name === current ? ['in this chat'] : [])];
  return { name, label: name, description: about.join(' · '), detail: description };
}
