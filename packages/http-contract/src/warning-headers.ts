import type { FieldError } from '@account-import/core'

const maxItems = 20
const maxBytes = 4096

/** An RFC 8941 string. Any character other than printable ASCII becomes a question mark. */
const structuredString = (text: string): string =>
  `"${text.replace(/[^ -~]/g, '?').replace(/["\\]/g, String.raw`\$&`)}"`

const itemOf = (warning: FieldError): string =>
  `${structuredString(warning.attr)};code=${structuredString(warning.code)}`

/** The first warnings, as many as fit: an RFC 8941 list of strings with the parameter `code`. */
const listOf = (warnings: readonly FieldError[]): string => {
  let list = ''
  for (const warning of warnings.slice(0, maxItems)) {
    const longer = list === '' ? itemOf(warning) : `${list}, ${itemOf(warning)}`
    if (longer.length > maxBytes) break
    list = longer
  }
  return list
}

const none: Readonly<Record<string, string>> = {}

/**
 * `Import-Warnings`, at most 20 items and 4096 bytes, and `Import-Warnings-Total`, the number of all warnings.
 * Without warnings both headers are absent.
 */
export const warningHeaders = (warnings: readonly FieldError[]): Readonly<Record<string, string>> => {
  if (warnings.length === 0) return none
  const list = listOf(warnings)
  const total = { 'Import-Warnings-Total': String(warnings.length) }
  return list === '' ? total : { 'Import-Warnings': list, ...total }
}

/** One item of the `Import-Warnings` header. */
export type Warning = Readonly<{ attr: string; code: string }>

const item = /"((?:[^"\\]|\\.)*)";code="((?:[^"\\]|\\.)*)"/g
const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1')

/** Parses the header `Import-Warnings`; an absent header means no warnings. */
export const readWarnings = (header: string | null): readonly Warning[] =>
  [...(header ?? '').matchAll(item)].map(([, attr = '', code = '']) => ({
    attr: unescaped(attr),
    code: unescaped(code),
  }))
