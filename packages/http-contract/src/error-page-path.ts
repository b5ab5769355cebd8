import type { ErrorCode } from '@account-import/core'

/** Where the service shows what a code means, below its base address. */
export const errorPagePath = (code: ErrorCode): string => `/docs/errors/${code}/`
