import { createHash } from 'node:crypto'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Documentation changes with a new version only, and holds nothing of anybody. */
export const cacheControl = 'public, max-age=3600'

/** Headers of a document that anybody may read and keep; they take the place of those for personal data. */
export const documentHeaders = (text: string): Readonly<Record<string, string>> => ({
  'Cache-Control': cacheControl,
  ETag: `"${sha256(text).slice(0, 27)}"`,
})

/** Headers of a page: nothing may be loaded or run, only the style of the page itself applies, and it asks the service alone. */
export const pageHeaders = (style: string): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style)}'`,
    "base-uri 'none'",
    // The form that searches the documentation.
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
})

/** Headers of the interactive reference: what it loads, asks and runs comes from the service itself, and nothing is inline. */
export const interactiveHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
