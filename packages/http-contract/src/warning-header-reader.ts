/** One item of the `Import-Warnings` header. */
export type Warning = Readonly<{ attr: string; code: string }>

const item = /"((?:[^"\\]|\\.)*)";code="((?:[^"\\]|\\.)*)"/g
const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1')

/** What `warningHeaders` wrote; an absent header is no warnings. */
export const readWarnings = (header: string | null): readonly Warning[] =>
  [...(header ?? '').matchAll(item)].map(([, attr = '', code = '']) => ({
    attr: unescaped(attr),
    code: unescaped(code),
  }))
