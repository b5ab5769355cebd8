import { E } from '@account-import/core/adapter-kit'
import { ca } from './ca.js'
import { emailTemplate, type EmailTemplate, type EmailTexts } from './email-template.js'
import { en } from './en.js'
import { es } from './es.js'

/** A template for each language, by its code. */
export type EmailTemplates = ReadonlyMap<string, EmailTemplate>

/** Throws when the texts are no template, so that a program with broken ones does not start. */
const bundled = (language: string, texts: EmailTexts): EmailTemplate => {
  const template = emailTemplate(texts)
  if (E.isRight(template)) return template.right
  const faults = template.left.map(({ part, fault }) => `its ${part} ${fault}`).join('; ')
  throw new TypeError(`the bundled e-mail template ${language} is broken: ${faults}`)
}

const english = bundled('en', en)

/** The templates that come with this package: Catalan, English and Spanish. */
export const bundledTemplates: EmailTemplates = new Map([
  ['ca', bundled('ca', ca)],
  ['en', english],
  ['es', bundled('es', es)],
])

/** The template of the language, or the English one, and the language that it is in. */
export const templateFor = (
  templates: EmailTemplates,
  language: string,
): Readonly<{ language: string; fill: EmailTemplate }> => {
  const own = templates.get(language)
  return own === undefined
    ? { language: 'en', fill: templates.get('en') ?? english }
    : { language, fill: own }
}
