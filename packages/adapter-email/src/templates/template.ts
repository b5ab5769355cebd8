import type { SafeForMail } from '@account-import/core'
import { E, type Either } from '@account-import/core/adapter-kit'

/** The values that a template may name; each can be left out. */
export const templateValues = [
  'name',
  'platform_account_number',
  'external_account_number',
  'import_supplier',
  'created_on',
  'sender',
] as const
export type TemplateValue = (typeof templateValues)[number]

export type TemplateValues = Readonly<Record<TemplateValue, SafeForMail | undefined>>

/** Fills a template in; `written` is how a value is written in its kind of text. */
export type Template = (values: TemplateValues, written: (value: string) => string) => string

const isValue = (name: string): name is TemplateValue => templateValues.some((value) => value === name)

/** `{{name}}` is the value; `{{#name}}…{{/name}}` stays where there is a value. */
const section = /\{\{#(\w+)\}\}([^]*?)\{\{\/\1\}\}/g
const placeholder = /\{\{(\w+)\}\}/g

const faultOf = (text: string): string | undefined => {
  const rest = text.replaceAll(section, '{{$1}}$2')
  const unknown = [...rest.matchAll(placeholder)].map(([, name]) => name ?? '').find((name) => !isValue(name))
  if (unknown !== undefined) return `names {{${unknown}}}; there is ${templateValues.join(', ')}`
  return /\{\{|\}\}/.test(rest.replaceAll(placeholder, ''))
    ? 'has braces that do not belong together'
    : undefined
}

/** Reads a template. Left: what is wrong with it, completing a sentence that begins with its name. */
export const parseTemplate = (text: string): Either<string, Template> => {
  const fault = faultOf(text)
  if (fault !== undefined) return E.left(fault)
  const valueOf = (values: TemplateValues, name: string): string =>
    isValue(name) ? (values[name] ?? '') : ''
  return E.right((values, written) =>
    text
      .replaceAll(section, (_, name: string, inner: string) => (valueOf(values, name) === '' ? '' : inner))
      .replaceAll(placeholder, (_, name: string) => written(valueOf(values, name))),
  )
}
