/** Most characters of a reason for the log: enough to find the mistake, however large the message was. */
export const MAX_REASON_LENGTH = 1_000;
