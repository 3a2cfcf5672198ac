import type { Clock } from '../../../engine/ports.js';
import type { Mentions } from '../../../protocol/panel/toWebview.js';
import { VscodeWizard } from '../../models/providers/vscodeWizard.js';
import { type Banners, DISMISS } from '../../window/banners.js';
import { showBusy } from '../../window/chatView.js';
import { offerCancel } from '../../window/offerCancel.js';
import { slowWork } from '../../window/slowWork.js';
import type { WindowToolbox } from '../windowToolbox.js';
import { PromptFinder } from './promptFinder.js';

export interface ServerPromptsPorts {
  readonly toolbox: Pick<WindowToolbox, 'mcp' | 'mcpServers'>;
  readonly clock: Clock;
  readonly tell: (mentions: Mentions) => void;
  readonly banners: Pick<Banners, 'show' | 'hide'>;
}

/** Id of the banner about parts of a prompt that the message does not contain. */
const PROMPT_LEFT_OUT = 'promptLeftOut';

export function serverPrompts({ toolbox, clock, tell, banners }: ServerPromptsPorts) {
  const finder = new PromptFinder({
    configured: () => toolbox.mcp.read(),
    servers: () => toolbox.mcpServers(),
    clock,
    tell,
    // Never aborts. A question stays open until the user or the end of the window closes it.
    questions: new VscodeWizard(new AbortController().signal),
    slowly: (work) => slowWork(work, { clock, showBusy, offerCancel: offerCancel('Getting the prompt from the server') }),
  });
  return {
    find: finder.find.bind(finder),
    async fill(key: string): Promise<string | null> {
      banners.hide(PROMPT_LEFT_OUT);
      const made = await finder.fill(key);
      if (made !== null && made.skipped.length > 0) {
        const what = made.skipped.join(', ');
        const text = `A message can contain only text, so Loupe omitted a part of the prompt: ${what}.`;
        banners.show({ id: PROMPT_LEFT_OUT, severity: 'warning', text, actions: [DISMISS] });
      }
      return made?.text ?? null;
    },
  };
}
