import { placeholder } from './stamp.js'

/** Who the accounts of the workload belong to, on every system that is measured. */
export const names = { organisation: 'BENCH', supplier: 'LEVANTE', team: 'Altas' } as const

/** Every second account is a gas account. */
const prefixes = ['LEV-G-', 'LEV-E-'] as const

/** The kind of an account: 0 gas, 1 electricity. */
export const kindOf = (index: number): number => index % prefixes.length

/** The external account number as it stands in a template of this kind. */
export const numberTemplate = (kind: number): string => `${prefixes[kind]}${placeholder}`

/** The external account number of an account. */
export const numberOf = (index: number): string =>
  numberTemplate(kindOf(index)).replace(placeholder, String(index).padStart(placeholder.length, '0'))
