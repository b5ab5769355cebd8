/** What accounts are sent for: one a request, or all that fit into one. */
export const verbs = ['validate', 'stage', 'process', 'transactions', 'bulk-stage', 'bulk-process'] as const
export type Verb = (typeof verbs)[number]

/** One account a request. */
export type SingleVerb = Exclude<Verb, `bulk-${string}`>

/** Paths are the service's own; floor and peer answer the same ones. */
export const paths: Readonly<Record<Verb, string>> = {
  validate: '/v1/data-import/validate-account/',
  stage: '/v1/data-import/account-import-process/create-or-update/',
  process: '/v1/data-import/account-import-process/process/',
  transactions: '/v1/data-import/transactions/create/',
  'bulk-stage': '/v1/data-import/account-import-process/bulk-create-or-update/',
  'bulk-process': '/v1/data-import/account-import-process/bulk-process/',
}
