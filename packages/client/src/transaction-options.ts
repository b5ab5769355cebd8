/** How transactions are added; each is true when it is absent. */
export type TransactionOptions = Readonly<{
  /** Pass over transactions whose id the account has already; false adds them again. */
  checkPreviouslyAdded?: boolean
  /** Move a date outside the open statement period into it; false makes such a transaction fail. */
  forceAddToCurrentStatement?: boolean
}>

/** The query of the request, with its question mark; empty where the service's defaults are meant. */
export const transactionsSearch = (options: TransactionOptions): string => {
  const query = new URLSearchParams()
  const { checkPreviouslyAdded, forceAddToCurrentStatement } = options
  if (checkPreviouslyAdded !== undefined) query.set('check_previously_added', String(checkPreviouslyAdded))
  if (forceAddToCurrentStatement !== undefined)
    query.set('force_add_to_current_statement', String(forceAddToCurrentStatement))
  return query.size === 0 ? '' : `?${query.toString()}`
}
