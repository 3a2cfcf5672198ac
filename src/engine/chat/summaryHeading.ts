export const SUMMARY_HEADING = 'Previous Conversation Summary:';
