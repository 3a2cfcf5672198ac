import { isUntouched } from '../../engine/chat/chatMarkdown.js';
import { configChange } from '../../engine/chat/settings/configValues.js';
import type { AgentProfile } from '../../engine/context/agentProfile.js';
import { alwaysItems } from '../context/catalog/alwaysItems.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { ChatSession } from './chatSession.js';

/**
 * Gives a chat an agent, with the settings that its profile has for chats; null takes the agent away. A chat in which nothing was said or
 * added begins with what is always in one of that agent. Rejects with `invalidInput` for a setting that is not valid.
 */
export async function chooseAgent(
  session: Pick<ChatSession, 'state' | 'changeConfig' | 'putContext'>,
  profile: AgentProfile | null,
  catalog: Pick<CatalogSource, 'ofChat'>,
): Promise<void> {
  const wasUntouched = isUntouched(session.state);
  const agent = profile?.name ?? '';
  await session.changeConfig(configChange(session.state.config, { ...profile?.defaults, agent }));
  if (wasUntouched) {
    await session.putContext(alwaysItems(await catalog.ofChat(session.state.config)));
  }
}
