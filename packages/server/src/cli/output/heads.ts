import type { ChainHead } from '@account-import/core'

/** The text in a line for entries that belong to no organisation. */
export const noneText = '-'

export const headJson = ({ organisation, sequence, hash }: ChainHead): unknown => ({
  organisation,
  sequence,
  hash,
})

export const headText = ({ organisation, sequence, hash }: ChainHead): string =>
  `${organisation === '' ? noneText : organisation} ${sequence} ${hash}`
