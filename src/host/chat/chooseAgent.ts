import { isUntouched } from '../../engine/chat/chatMarkdown.js';
import { configChange } from '../../engine/chat/settings/configValues.js';
import type { AgentProfile } from '../../engine/context/agentProfile.js';
import { alwaysItems } from '../context/catalog/catalogChoice.js';
import type { CatalogSource } from '../context/catalog/workspaceCatalog.js';
import type { ChatSession } from './chatSession.js';

/**
 * Sets or removes (null) the agent of a chat, with the chat settings of its profile. An untouched chat also gets the
 * agent's always-included items. Rejects with `invalidInput` for an invalid setting.
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
