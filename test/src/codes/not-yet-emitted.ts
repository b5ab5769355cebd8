import type { ErrorCode } from '@account-import/core'

/** Codes of requests and checks that are to come; `npm test` fails when one is emitted. */
export const requestsToCome: readonly ErrorCode[] = []
