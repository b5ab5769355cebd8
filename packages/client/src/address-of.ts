import type { EndpointAddress } from '@account-import/http-contract'
import { pathOf } from '@account-import/http-contract'

/**
 * The URL of an endpoint, `undefined` where no URL can carry the parameters: URLs drop the segments `.` and `..`
 * however they are written, and half a character pair has no encoding.
 */
export const addressOf = (
  baseUrl: string,
  address: Pick<EndpointAddress, 'path'>,
  params: Readonly<Record<string, string>>,
): string | undefined => {
  const values = Object.values(params)
  if (values.some((value) => value === '' || value === '.' || value === '..')) return undefined
  try {
    return baseUrl + pathOf(address, params)
  } catch (cause) {
    if (cause instanceof URIError) return undefined
    throw cause
  }
}
