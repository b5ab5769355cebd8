import type { ErrorCode, FailurePlace, OpenPlace, RunPlace } from '@account-import/core'

/** Bytes of a request body, after decompression. */
export const bodyLimitBytes = 5_242_880

/** Bytes of a GraphQL request, after decompression; it holds one API key or refresh token. */
export const graphqlBodyLimitBytes = 65_536

/** Levels of nested arrays and objects in a body; the outermost value is level 1. */
export const nestingLimit = 32

/** Values of a body that is no account, more than its known fields can have; an account has a limit of its own (`maxValues`). */
export const requestValuesLimit = 500_000

/** Consecutive blank lines in a bulk request. */
export const blankLinesLimit = 1000

/** Items of one page of a list. */
export const pageLimits = { min: 1, max: 1000 } as const

/** First character of the text inside a cursor. It distinguishes this format from later ones. */
export const cursorForm = '1'

/** Encodes the place of the last item of a page, such as its external account number. The cursor is opaque to clients. */
export const cursorText = (place: string): string =>
  Buffer.from(cursorForm + place, 'utf8').toString('base64url')

/** The place of an account in a list in the order of account numbers: the number itself. */
export const asIs = (number: string): string => number

/** The place of a run in its list as a text. */
export const runPlaceText = ({ startedAt, id }: RunPlace): string => `${startedAt} ${id}`

/** The place of a failure in its list as a text. */
export const failurePlaceText = ({ step, line, externalAccountNumber }: FailurePlace): string =>
  `${step} ${line} ${externalAccountNumber}`

/** The place of an open failure in its list as a text: its number, or after a blank its run and line. */
export const openPlaceText = ({ externalAccountNumber, line }: OpenPlace): string =>
  externalAccountNumber || ` ${line}`

/**
 * The path of an endpoint with its parameters filled in, each percent-encoded once: an account number `a/b`
 * becomes the one segment `a%2Fb`. Throws a `TypeError` when a parameter of the path is missing.
 */
export const pathOf = (
  address: Readonly<{ path: string }>,
  params: Readonly<Record<string, string>> = {},
): string =>
  address.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`The path needs the parameter ${name}.`)
    return encodeURIComponent(value)
  })

/** The path of the page that explains a code, relative to the base address of the service. */
export const errorPagePath = (code: ErrorCode): string => `/docs/errors/${code}/`

/** The header by which a request to stage or process names its import run. */
export const importRunHeader = 'Import-Run'

/** The header with the line number, from 1, that the first line of the request has in the source of its run. */
export const importRunLineHeader = 'Import-Run-Line'
