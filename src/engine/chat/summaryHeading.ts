/** The heading of a summary in requests and exports. */
export const SUMMARY_HEADING = 'Previous Conversation Summary:';
