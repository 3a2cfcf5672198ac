/** Most characters of a reason in the log: enough to find the mistake. */
export const MAX_REASON_LENGTH = 1_000;
