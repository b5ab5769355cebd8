import { E, escapeHtml, type Either } from '@account-import/core/adapter-kit'
import { parseTemplate, type Template, type TemplateValues } from './template.js'

/** The texts of one language's e-mail. */
export type EmailTexts = Readonly<{ subject: string; text: string; html: string }>

/** The same, able to be filled in; the outcome of `subject` is one line. */
export type EmailTemplate = (values: TemplateValues) => EmailTexts

export type TemplateFault = Readonly<{ part: keyof EmailTexts; fault: string }>

const plain = (value: string): string => value

/** Left: each part that is wrong, and what is wrong with it. */
export const emailTemplate = (texts: EmailTexts): Either<readonly TemplateFault[], EmailTemplate> => {
  const parts: Partial<Record<keyof EmailTexts, Template>> = {}
  const faults: TemplateFault[] = []
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
