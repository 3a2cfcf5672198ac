import type { FileProblem } from './fileProblem.js';

/** An agent of the workspace: a prompt with a name. */
export interface AgentProfile {
  /** Unique among the profiles. */
  readonly name: string;
  /** The workspace path of its file. */
  readonly source: string;
  readonly description: string;
  /** Empty when the file cannot be read. */
  readonly prompt: string;
  /** Why the file cannot be read; null when it can. */
  readonly problem: FileProblem | null;
}

/** By name. */
export type AgentProfiles = ReadonlyMap<string, AgentProfile>;

/** The agent prompt of a chat: that of its profile, then its own. Either may be empty. */
export function agentPrompt(profile: AgentProfile | null, systemPrompt: string): string {
  return [profile?.prompt ?? '', systemPrompt].filter((text) => text.trim() !== '').join('\n\n');
}
