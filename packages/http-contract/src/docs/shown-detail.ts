import type { CatalogueEntry } from '@account-import/core'
import { textOf } from '@account-import/core/adapter-kit'

/** The texts in place of the values that the rule of a field fills in. */
const words = {
  max: 'N',
  min: 'N',
  allowed: 'A, B or C',
  form: 'what the field takes, such as a date',
} as const

/** The text of a code as pages show it, where no field is meant. */
export const shownDetail = (entry: CatalogueEntry): string => textOf(entry, words)

/** Whether fields fill something in. */
export const isFilledIn = ({ detail }: CatalogueEntry): boolean => /\{\w+\}/.test(detail)
