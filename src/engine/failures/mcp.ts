import { entries, type Numbers, type Texts } from './entry.js';

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
const time = (seconds: number): string => counted(seconds, 'second');

/** Failures of MCP servers. Sentences that begin with "It" appear next to the server's name. */
export const MCP_FAILURES = {
  ...entries('toolFailed', {
    'mcp.endedAtStart': ({ how }: Texts<'how'>) => `It ended at its start ${how}.`,
    'mcp.ended': ({ how }: Texts<'how'>) => `It ended ${how}.`,
    'mcp.commandNotFound': ({ command }: Texts<'command'>) => `Its command "${command}" was not found. Install it, or correct "command".`,
    'mcp.folderNotFound': ({ folder }: Texts<'folder'>) => `Its folder ${folder} does not exist. Correct "cwd".`,
    'mcp.notStarted': ({ command, code }: Texts<'command' | 'code'>) => `Its command "${command}" could not be started (${code}).`,
    'mcp.refusedStart': ({ words }: Texts<'words'>) => `It did not start a session: ${words}.`,
    'mcp.notMcp': 'It does not speak MCP: its answer at the start was something else.',
    'mcp.status': ({ status }: Numbers<'status'>) => `It answered with HTTP ${status}. Check "url" and "headers".`,
    'mcp.notAllowed': ({ status }: Numbers<'status'>) => `It refused access (HTTP ${status}). Check "headers".`,
    'mcp.redirects': ({ place }: Texts<'place'>) =>
      `It redirects to ${place}. Loupe does not follow the redirect, to protect the values of "headers". If that address is right, use it as "url".`,
    'mcp.sentTooMuch': ({ what }: Texts<'what'>) => `It sent ${what}. Loupe ended the connection.`,
    'mcp.waits': ({ problem, crashes, seconds }: Texts<'problem'> & Numbers<'crashes' | 'seconds'>) =>
      `${problem}${crashes > 1 ? ` It failed ${crashes} times in a row.` : ''} Loupe starts the server again in ${time(seconds)}. You can also restart it now.`,
    'mcp.startNotAllowed': 'You did not allow its start. Start it again, and Loupe asks again.',
    'mcp.inputNotGiven': ({ id }: Texts<'id'>) => `Its input "${id}" has no value. Start it again to enter one.`,
    'mcp.inputsUnreadable': 'The values of its inputs could not be read from the secret storage.',
    'mcp.variableNotSet': ({ name }: Texts<'name'>) => `The environment variable ${name}, which its configuration names, is not set.`,
    'mcp.badHeader': ({ name }: Texts<'name'>) => `Its header "${name}" cannot be sent. Correct it.`,
    'mcp.badUrl': 'With the values of its variables, its "url" is not the address of a web server.',
    'mcp.envFile': ({ file, code }: Texts<'file' | 'code'>) => `Its file ${file} could not be read (${code}). Correct "envFile".`,
    'mcp.isStopped': 'It was stopped.',
    'mcp.doesNotRun': ({ name, problem }: Texts<'name' | 'problem'>) => `The server "${name}" does not run. ${problem}`,
    'mcp.endedInCall': ({ name, problem }: Texts<'name' | 'problem'>) =>
      `The server "${name}" broke off in the middle of the call. ${problem}`,
    'mcp.refusedCall': ({ name, words }: Texts<'name' | 'words'>) => `The server "${name}" answered with an error: ${words}.`,
    'mcp.badAnswer': ({ name }: Texts<'name'>) => `The server "${name}" sent an answer that does not follow MCP.`,
    'mcp.serverGone': ({ name }: Texts<'name'>) => `The server "${name}" is not configured any more.`,
    'mcp.resourceUnreadable': ({ reason }: Texts<'reason'>) => reason,
    'mcp.promptGone': 'The server has no such prompt any more.',
    'mcp.promptTooLong': ({ name }: Texts<'name'>) => `The prompt "${name}" is too long for the message box.`,
    'mcp.toolListFailed': ({ words }: Texts<'words'>) => `Its list of tools could not be read: ${words}.`,
  }),
  ...entries('timeout', {
    'mcp.slowStart': ({ seconds }: Numbers<'seconds'>) => `It was not ready ${time(seconds)} after its start.`,
    'mcp.silentCall': ({ name, seconds }: Texts<'name'> & Numbers<'seconds'>) =>
      `The server "${name}" sent neither an answer nor progress for ${time(seconds)}. Loupe cancelled the call.`,
    'mcp.longCall': ({ name, minutes }: Texts<'name'> & Numbers<'minutes'>) =>
      `The call to the server "${name}" took more than ${counted(minutes, 'minute')}. Loupe cancelled it.`,
  }),
  ...entries('cancelled', {
    'mcp.connectionClosed': 'The connection to the server is not needed any more.',
  }),
};
