/** Heads a checkpoint wherever its text stands: in requests and in exports. */
export const SUMMARY_HEADING = 'Previous Conversation Summary:';
