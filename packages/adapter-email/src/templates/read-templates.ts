import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { E, type Either } from '@account-import/core/adapter-kit'
import { bundledTemplates, type EmailTemplates } from './bundled-templates.js'
import { emailTemplate, type EmailTemplate, type EmailTexts, type TemplateFault } from './email-template.js'

const files: Readonly<Record<keyof EmailTexts, string>> = {
  subject: 'subject.txt',
  text: 'body.txt',
  html: 'body.html',
}

const languageName = /^[a-z]{2,3}$/

/** Everything that is wrong in a folder of templates, in words. */
export type TemplateFaults = readonly string[]

const templateIn = (folder: string, language: string): Either<TemplateFaults, EmailTemplate> => {
  const texts: Partial<Record<keyof EmailTexts, string>> = {}
  const missing: string[] = []
  for (const [part, file] of Object.entries(files) as [keyof EmailTexts, string][]) {
    try {
      texts[part] = readFileSync(join(folder, language, file), 'utf8')
    } catch {
      missing.push(`${language}/${file} cannot be read`)
    }
  }
  if (missing.length > 0) return E.left(missing)
  return E.mapLeft((faults: readonly TemplateFault[]): TemplateFaults =>
    faults.map(({ part, fault }) => `${language}/${files[part]} ${fault}`),
  )(emailTemplate(texts as EmailTexts))
}

/** The folders in the folder, links included, even broken ones. Names that begin with a dot are left alone. */
const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter(
    (name) =>
      !name.startsWith('.') &&
      statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() !== false,
  )

const languageIn = (folder: string, name: string): Either<TemplateFaults, EmailTemplate> =>
  languageName.test(name)
    ? templateIn(folder, name)
    : E.left([`${name} is no language code of two or three small letters`])

/**
 * The bundled templates with those of a folder in their place: a folder for each language, named by its ISO 639 code,
 * with `subject.txt`, `body.txt` and `body.html`. Left: everything that is wrong in it, empty when the folder itself
 * cannot be read.
 */
export const readTemplates = (folder: string): Either<TemplateFaults, EmailTemplates> => {
  const templates = new Map(bundledTemplates)
  const faults: string[] = []
  let names: readonly string[]
  try {
    names = foldersIn(folder)
  } catch {
    return E.left([])
  }
  for (const name of names) {
    const template = languageIn(folder, name)
    if (E.isLeft(template)) faults.push(...template.left)
    else templates.set(name, template.right)
  }
  return faults.length > 0 ? E.left(faults) : E.right(templates)
}
