import type { ErrorCode } from '@account-import/core'

/**
 * The path of an endpoint with its parameters filled in, each percent-encoded once: an account number `a/b`
 * becomes the one segment `a%2Fb`. Throws a `TypeError` when a parameter of the path is not given.
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

/** Where the service shows what a code means, below its base address. */
export const errorPagePath = (code: ErrorCode): string => `/docs/errors/${code}/`
