import { isUntouched } from '../../engine/chat/chatMarkdown.js';
import { configChange } from '../../engine/chat/settings/configValues.js';
import type { AgentProfile } from '../../engine/context/agentProfile.js';
import { alwaysItems } from '../context/catalog/catalogChoice.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { ChatSession } from './chatSession.js';

/**
 * Sets the agent of a chat, with the chat settings of the agent's profile. Null removes the agent. An untouched chat
 * also gets the items that the agent always includes. Rejects with `invalidInput` for an invalid setting.
 */
export async function chooseAgent(
  session: Pick<ChatSession, 'state' | 'changeConfig' | 'context'>,
  profile: AgentProfile | null,
  catalog: Pick<CatalogSource, 'ofChat'>,
): Promise<void> {
  const wasUntouched = isUntouched(session.state);
  const agent = profile?.name ?? '';
  await session.changeConfig(configChange(session.state.config, { ...profile?.defaults, agent }));
  if (wasUntouched) {
    await session.context.put(alwaysItems(await catalog.ofChat(session.state.config)));
  }
}
