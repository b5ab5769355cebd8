/** The purposes of accounts: one a request, or all that fit into one. */
export const verbs = ['validate', 'stage', 'process', 'bulk-stage', 'bulk-process'] as const
export type Verb = (typeof verbs)[number]

/** One account a request. */
export type SingleVerb = Exclude<Verb, `bulk-${string}`>

/** Paths are the service's own; floor and peer answer the same ones. */
export const paths: Readonly<Record<Verb, string>> = {
  validate: '/v1/data-import/validate-account/',
  stage: '/v1/data-import/account-import-process/create-or-update/',
  process: '/v1/data-import/account-import-process/process/',
  'bulk-stage': '/v1/data-import/account-import-process/bulk-create-or-update/',
  'bulk-process': '/v1/data-import/account-import-process/bulk-process/',
}

/** How much an account holds: about 4, 8.5 and 115 KB. */
export const sizes = ['small', 'typical', 'heavy'] as const
export type Size = (typeof sizes)[number]

/** The owner of the accounts, on every system that is measured. */
export const names = { organisation: 'BENCH', supplier: 'LEVANTE', team: 'Altas' } as const

/** Stands in a template where the number of the account goes. */
export const placeholder = '########'

/** The digits that go where `placeholder` stands; accounts are numbered from 0 to 99 999 999. */
export const digitsOf = (index: number): string => String(index).padStart(placeholder.length, '0')

export const numberOf = (index: number): string => `LEV-${digitsOf(index)}`
