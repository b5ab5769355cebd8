import { E, type Either } from '@account-import/core'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledTemplates, type EmailTemplates } from './bundled-templates.js'
import { emailTemplate, type EmailTemplate, type EmailTexts } from './email-template.js'

const files: Readonly<Record<keyof EmailTexts, string>> = {
  subject: 'subject.txt',
  text: 'body.txt',
  html: 'body.html',
}

const languageName = /^[a-z]{2,3}$/

const templateIn = (folder: string, language: string): Either<string, EmailTemplate> => {
  const texts: Partial<Record<keyof EmailTexts, string>> = {}
  for (const [part, file] of Object.entries(files) as [keyof EmailTexts, string][]) {
    try {
      texts[part] = readFileSync(join(folder, language, file), 'utf8')
    } catch {
      return E.left(`${language}/${file} cannot be read`)
    }
  }
  return E.mapLeft(
    ({ part, fault }: { part: keyof EmailTexts; fault: string }) => `${language}/${files[part]} ${fault}`,
  )(emailTemplate(texts as EmailTexts))
}

/**
 * The bundled templates with those of a folder in their place: a folder for each language, named by its ISO 639 code,
 * with `subject.txt`, `body.txt` and `body.html`. Left: the first thing that is wrong in it, or `undefined` when the folder
 * itself cannot be read.
 */
export const readTemplates = (folder: string): Either<string | undefined, EmailTemplates> => {
  const templates = new Map(bundledTemplates)
  let names: readonly string[]
  try {
    names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    )
  } catch {
    return E.left(undefined)
  }
  for (const language of names.filter((name) => languageName.test(name))) {
    const template = templateIn(folder, language)
    if (E.isLeft(template)) return template
    templates.set(language, template.right)
  }
  return E.right(templates)
}
