import { cursor } from './cursor.js'

/**
 * The `Link` header that leads to the next page (RFC 8288). `path` is the percent-encoded path of the list as it
 * was asked for; `after` the external account number of the last item of this page.
 */
export const nextLink = (path: string, limit: number, after: string): string =>
  `<${path.replace(/[<>"]/g, encodeURIComponent)}?limit=${limit}&cursor=${cursor.encode(after)}>; rel="next"`
