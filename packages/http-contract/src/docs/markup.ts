import { escapedHtml } from '../escaped-html.js'

/** Text that is HTML already. */
export type Markup = Readonly<{ html: string }>

const textOf = (part: string | Markup | readonly Markup[]): string => {
  if (typeof part === 'string') return escapedHtml(part)
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/**
 * A template of HTML: text that is put into it is escaped. Not called `html`, as formatters would then move white
 * space about, which counts in examples and in the hash of the style.
 */
export const markup = (
  strings: TemplateStringsArray,
  ...parts: readonly (string | Markup | readonly Markup[])[]
): Markup => ({ html: strings.map((text, index) => text + textOf(parts[index] ?? '')).join('') })

export const nothing: Markup = markup``
