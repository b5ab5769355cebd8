import { E } from '@account-import/core'
import { ca } from './ca.js'
import { emailTemplate, type EmailTemplate, type EmailTexts } from './email-template.js'
import { en } from './en.js'
import { es } from './es.js'

/** A template for each language, by its code. */
export type EmailTemplates = ReadonlyMap<string, EmailTemplate>

const bundled: Readonly<Record<string, EmailTexts>> = { ca, en, es }

/** What a language gets that has no template. */
export const fallbackLanguage = 'en'

/** The templates that come with this package: Catalan, English and Spanish. */
export const bundledTemplates: EmailTemplates = new Map(
  Object.entries(bundled).flatMap(([language, texts]) => {
    const template = emailTemplate(texts)
    return E.isRight(template) ? [[language, template.right] as const] : []
  }),
)
