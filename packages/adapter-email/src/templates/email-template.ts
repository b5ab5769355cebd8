import type { SafeForMail } from '@account-import/core'
import { E, type Either, escapeHtml } from '@account-import/core/adapter-kit'

/** The values that a template may name; each is optional. */
const templateValues = [
  'name',
  'platform_account_number',
  'external_account_number',
  'import_supplier',
  'created_on',
  'sender',
] as const
export type TemplateValues = Readonly<Record<(typeof templateValues)[number], SafeForMail | undefined>>

/** Fills in a template; `written` escapes a value for its kind of text. */
type Template = (values: TemplateValues, written: (value: string) => string) => string

const isValue = (name: string): name is keyof TemplateValues => templateValues.some((value) => value === name)

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

/** Parses a template. Left: its fault, which completes a sentence that begins with its name. */
const parseTemplate = (text: string): Either<string, Template> => {
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

/** The texts of one language's e-mail. */
export type EmailTexts = Readonly<{ subject: string; text: string; html: string }>

/** Fills in the texts; `subject` becomes one line. */
export type EmailTemplate = (values: TemplateValues) => EmailTexts

const plain = (value: string): string => value

/** Left: the fault of each faulty part. */
export const emailTemplate = (
  texts: EmailTexts,
): Either<readonly Readonly<{ part: keyof EmailTexts; fault: string }>[], EmailTemplate> => {
  const parts: Partial<Record<keyof EmailTexts, Template>> = {}
  const faults: { part: keyof EmailTexts; fault: string }[] = []
  for (const part of ['subject', 'text', 'html'] as const) {
    const parsed = parseTemplate(texts[part])
    if (E.isLeft(parsed)) faults.push({ part, fault: parsed.left })
    else parts[part] = parsed.right
  }
  if (faults.length > 0) return E.left(faults)
  const { subject, text, html: body } = parts as Record<keyof EmailTexts, Template>
  return E.right((values) => ({
    subject: subject(values, plain).replaceAll(/\s+/g, ' ').trim(),
    text: text(values, plain),
    html: body(values, escapeHtml),
  }))
}
