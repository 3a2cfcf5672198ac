import type { LoupeError } from '../../../engine/errors.js';
import type { SignInState } from '../../../engine/tools/tool.js';
import type { Banner, BannerAction } from '../../../protocol/panel/view.js';
import { DISMISS } from '../../window/banners.js';

/** Id of the banner about a prompt: what its text lacks, what Loupe offers, or why its server did not give it. */
export const PROMPT_NOTES = 'promptNotes';

interface FailedServer {
  readonly name: string;
  readonly signInState: SignInState;
}

/** Returns the banner about a prompt that a server did not give, with the same help as at other failures of servers. */
export function failedPrompt({ name, signInState }: FailedServer, { message }: LoupeError): Banner {
  const showLog: BannerAction = { label: 'Show log', action: 'showServerLog', argument: name };
  const help: readonly BannerAction[] =
    signInState === 'wanted'
      ? [{ label: 'Sign in', action: 'signInServer', argument: name }, showLog]
      : [showLog, { label: 'Start again', action: 'restartServer', argument: name }];
  return { id: PROMPT_NOTES, severity: 'error', text: message, actions: [...help, DISMISS] };
}
