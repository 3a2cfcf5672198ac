import { entries, NOTHING_TO_ACT_ON, type Numbers, type Texts } from './entry.js';

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
const time = (seconds: number): string => counted(seconds, 'second');

const CLIENT_ID_HELP = 'Get a client id from the operator of the server, and set "oauth": { "clientId": "…" } at the server.';

/** Failures of MCP servers. Sentences about "the server" appear next to the name of the server. */
export const MCP_FAILURES = {
  ...entries('toolFailed', {
    'mcp.endedAtStart': ({ how }: Texts<'how'>) => `The server stopped when it started, ${how}.`,
    'mcp.ended': ({ how }: Texts<'how'>) => `The server ended ${how}.`,
    'mcp.commandNotFound': ({ command }: Texts<'command'>) => `The command "${command}" was not found. Install it, or correct "command".`,
    'mcp.commandInFolder': ({ command, file, folder }: Texts<'command' | 'file' | 'folder'>) =>
      `Windows would start ${file} in the folder ${folder} instead of the installed "${command}". Write the whole path of the right program in "command", or another folder in "cwd".`,
    'mcp.folderNotFound': ({ folder }: Texts<'folder'>) => `The folder ${folder} of the server does not exist. Correct "cwd".`,
    'mcp.notStarted': ({ command, code }: Texts<'command' | 'code'>) => `The command "${command}" could not be started (${code}).`,
    'mcp.refusedStart': ({ words }: Texts<'words'>) => `The server did not start a session: ${words}.`,
    'mcp.notMcp': 'The server does not speak MCP: its first answer was not an MCP message.',
    'mcp.status': ({ status }: Numbers<'status'>) => `The server answered with HTTP ${status}. Check "url" and "headers".`,
    'mcp.notAllowed': ({ status }: Numbers<'status'>) => `The server refused access (HTTP ${status}). Check "headers".`,
    'mcp.redirects': ({ place }: Texts<'place'>) =>
      `The server redirects to ${place}. Loupe does not follow the redirect, to protect the values of "headers". If that address is right, use it as "url".`,
    'mcp.sentTooMuch': ({ what }: Texts<'what'>) => `The server sent ${what}. Loupe ended the connection.`,
    'mcp.waits': ({ problem, crashes, seconds }: Texts<'problem'> & Numbers<'crashes' | 'seconds'>) =>
      `${problem}${crashes > 1 ? ` The server failed ${crashes} times in a row.` : ''} Loupe starts the server again in ${time(seconds)}. You can also restart it now.`,
    'mcp.startNotAllowed': 'You did not allow the start of the server. To be asked again, start the server.',
    'mcp.inputNotGiven': ({ id }: Texts<'id'>) => `The input "${id}" of the server has no value. Start the server again to enter a value.`,
    'mcp.inputsUnreadable': 'Loupe could not read the values of the inputs of the server from the secret storage.',
    'mcp.settingNotSet': ({ key }: Texts<'key'>) => `The server needs the setting "${key}" of VS Code, which has no text or number.`,
    'mcp.folderMissing': ({ name }: Texts<'name'>) => `The server needs the workspace folder "${name}", which is not open.`,
    'mcp.badHeader': ({ name }: Texts<'name'>) => `The header "${name}" has an invalid name or value. Correct it in the configuration.`,
    'mcp.badUrl': 'With the values of its variables, "url" of the server is not a valid web address. Correct "url" or the variables.',
    'mcp.envFile': ({ file, code }: Texts<'file' | 'code'>) => `Loupe could not read ${file} (${code}). Correct "envFile".`,
    'mcp.isStopped': 'The server was stopped.',
    'mcp.doesNotRun': ({ name, problem }: Texts<'name' | 'problem'>) => `The server "${name}" does not run. ${problem}`,
    'mcp.endedInCall': ({ name, problem }: Texts<'name' | 'problem'>) =>
      `The server "${name}" broke off in the middle of the call. ${problem}`,
    'mcp.refusedCall': ({ name, words }: Texts<'name' | 'words'>) => `The server "${name}" answered with an error: ${words}.`,
    'mcp.badAnswer': ({ name }: Texts<'name'>) => `The server "${name}" sent an answer that does not follow MCP.`,
    'mcp.serverGone': ({ name }: Texts<'name'>) => `The server "${name}" is not configured any more.`,
    'mcp.resourceUnreadable': ({ reason }: Texts<'reason'>) => reason,
    'mcp.promptGone': 'The server no longer has this prompt.',
    'mcp.promptTooLong': ({ name }: Texts<'name'>) => `The prompt "${name}" is too long for the message box.`,
    'mcp.toolListFailed': ({ words }: Texts<'words'>) => `Loupe could not read the server's list of tools: ${words}.`,
  }),
  ...entries('auth', {
    'mcp.wantsSignIn': 'The server wants you to sign in.',
    'mcp.wantsRights': 'The server wants you to sign in again, with more permissions.',
    'mcp.signInRefused': 'The server refuses your sign-in (HTTP 401). Sign in again, for example with another account.',
    'mcp.signInDenied': ({ words }: Texts<'words'>) => `The sign-in was refused in the browser${words === '' ? '' : `: ${words}`}.`,
    'mcp.noSignIn': 'The server does not say where to sign in. If it needs a token, set it in "headers".',
    'mcp.needsClientId': `The sign-in of this server does not register programs. ${CLIENT_ID_HELP}`,
    'mcp.registrationRefused': ({ words }: Texts<'words'>) =>
      `The sign-in of this server refused to register Loupe: ${words}. ${CLIENT_ID_HELP}`,
    'mcp.unsafeSignIn': ({ place }: Texts<'place'>) =>
      `The server names ${place} for the sign-in. Loupe signs in only at addresses with https, or on your computer if the server is there, too.`,
  }),
  ...entries('toolFailed', {
    'mcp.signInFailed': ({ words }: Texts<'words'>) => `The sign-in failed: ${words}.`,
    'mcp.signInUnreadable': 'Loupe could not read or change your sign-in in the secret storage.',
    'mcp.callbackTaken': ({ port, code }: Texts<'code'> & Numbers<'port'>) =>
      `Loupe could not use the port ${port} for the sign-in (${code}). Close the program that uses it, or change "callbackPort".`,
    'mcp.renewalFailed': ({ words }: Texts<'words'>) => `Loupe could not renew your sign-in: ${words}.`,
    'mcp.notRevoked': ({ words }: Texts<'words'>) =>
      `You are signed out in Loupe. The server did not confirm that it ended the sign-in: ${words}.`,
    'mcp.asksForNoSignIn': ({ name }: Texts<'name'>) => `The server "${name}" does not ask for a sign-in.`,
  }),
  ...entries(NOTHING_TO_ACT_ON, {
    'mcp.noneTakesSignIn': 'No MCP server here takes a sign-in.',
  }),
  ...entries('timeout', {
    'mcp.signInSlow': ({ minutes }: Numbers<'minutes'>) =>
      `You did not finish the sign-in in the browser within ${counted(minutes, 'minute')}.`,
    'mcp.slowStart': ({ seconds }: Numbers<'seconds'>) => `The server was not ready ${time(seconds)} after its start.`,
    'mcp.silentCall': ({ name, seconds }: Texts<'name'> & Numbers<'seconds'>) =>
      `The server "${name}" sent neither an answer nor progress for ${time(seconds)}. Loupe cancelled the call.`,
    'mcp.longCall': ({ name, minutes }: Texts<'name'> & Numbers<'minutes'>) =>
      `The call to the server "${name}" took more than ${counted(minutes, 'minute')}. Loupe cancelled it.`,
  }),
  ...entries('cancelled', {
    'mcp.signInCancelled': 'You cancelled the sign-in.',
    'mcp.connectionClosed': 'Loupe closed a connection to the server that Loupe no longer needed.',
  }),
};
