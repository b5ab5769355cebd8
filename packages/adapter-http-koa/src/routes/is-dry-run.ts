/** Whether a request to process asks for a dry run. */
export const isDryRun = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'dry_run' in payload && payload.dry_run === true
