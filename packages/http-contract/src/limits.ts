import type { FailurePlace, RunPlace } from '@account-import/core'

/** Bytes of a request body, after decompression. */
export const bodyLimitBytes = 5_242_880

/** Bytes of a GraphQL request, after decompression; it holds one API key or refresh token. */
export const graphqlBodyLimitBytes = 65_536

/** Levels of nested arrays and objects in a body; the outermost value is level 1. */
export const nestingLimit = 32

/** Blank lines of a bulk request that may follow one another. */
export const blankLinesLimit = 1000

/** Items of one page of a list. */
export const pageLimits = { min: 1, max: 1000 } as const

/** First character of the text inside a cursor, so that a later form can be told from this one. */
export const cursorForm = '1'

/** The place in a list where a page ends, opaque to clients: the external account number of its last item, or a text like it. */
export const cursorText = (place: string): string =>
  Buffer.from(cursorForm + place, 'utf8').toString('base64url')

/** The place of a run in its list as a text. */
export const runPlaceText = ({ startedAt, id }: RunPlace): string => `${startedAt} ${id}`

/** The place of a failure in its list as a text. */
export const failurePlaceText = ({ step, line, externalAccountNumber }: FailurePlace): string =>
  `${step} ${line} ${externalAccountNumber}`
