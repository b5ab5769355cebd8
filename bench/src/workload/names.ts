import { placeholder } from './stamp.js'

/** Who the accounts of the workload belong to, on every system that is measured. */
export const names = { organisation: 'BENCH', supplier: 'LEVANTE', team: 'Altas' } as const

/** The external account number as it stands in a template. */
export const numberTemplate = `LEV-${placeholder}`

/** The external account number of an account. */
export const numberOf = (index: number): string =>
  numberTemplate.replace(placeholder, String(index).padStart(placeholder.length, '0'))
