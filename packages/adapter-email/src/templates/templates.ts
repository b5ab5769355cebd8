import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SafeForMail } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import { escapeHtml } from '@account-import/core/html'

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
const emailTemplate = (
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

/** Paragraphs of HTML as a whole document that any mail program shows, without external resources. */
const page = (language: string, paragraphs: readonly string[]): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:24px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5;color:#222">
<div style="max-width:36em">
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
</div>
</body>
</html>
`

/** The texts of one language; `previous` and `current` are the labels of the account's numbers. */
type Words = Readonly<{
  subject: string
  hello: string
  moved: string
  previous: string
  current: string
  ask: string
}>

const textsOf = (language: string, { subject, hello, moved, previous, current, ask }: Words): EmailTexts => ({
  subject,
  text: `${hello}

${moved}

{{#external_account_number}}${previous}: {{external_account_number}}
{{/external_account_number}}${current}: {{platform_account_number}}

${ask}
{{#sender}}
{{sender}}
{{/sender}}`,
  html: page(language, [
    hello,
    moved,
    `{{#external_account_number}}${previous}: <b>{{external_account_number}}</b><br>{{/external_account_number}}${current}: <b>{{platform_account_number}}</b>`,
    ask,
    '{{sender}}',
  ]),
})

const ca: Words = {
  subject: 'El vostre compte {{external_account_number}} té un número nou',
  hello: 'Hola{{#name}} {{name}}{{/name}},',
  moved: 'El {{created_on}} hem traspassat el vostre compte a la nostra plataforma. No heu de fer res.',
  previous: 'Número de compte anterior',
  current: 'Número de compte nou',
  ask: "A partir d'ara, indiqueu el número nou quan us poseu en contacte amb nosaltres.",
}

const en: Words = {
  subject: 'Your account {{external_account_number}} has a new number',
  hello: 'Hello{{#name}} {{name}}{{/name}},',
  moved: 'On {{created_on}} we moved your account to our platform. There is nothing you have to do.',
  previous: 'Previous account number',
  current: 'New account number',
  ask: 'Please give the new number from now on when you contact us.',
}

const es: Words = {
  subject: 'Su cuenta {{external_account_number}} tiene un nuevo número',
  hello: 'Hola{{#name}} {{name}}{{/name}}:',
  moved: 'El {{created_on}} hemos traspasado su cuenta a nuestra plataforma. No tiene que hacer nada.',
  previous: 'Número de cuenta anterior',
  current: 'Nuevo número de cuenta',
  ask: 'A partir de ahora, indique el nuevo número cuando se ponga en contacto con nosotros.',
}

/** A template for each language, by its code. */
export type EmailTemplates = ReadonlyMap<string, EmailTemplate>

/** Throws for an invalid template, so that a program with broken ones does not start. */
const bundled = (language: string, words: Words): EmailTemplate => {
  const template = emailTemplate(textsOf(language, words))
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

/** The template of the language, or the English one, with its language. */
export const templateFor = (
  templates: EmailTemplates,
  language: string,
): Readonly<{ language: string; fill: EmailTemplate }> => {
  const own = templates.get(language)
  return own === undefined
    ? { language: 'en', fill: templates.get('en') ?? english }
    : { language, fill: own }
}

const files: Readonly<Record<keyof EmailTexts, string>> = {
  subject: 'subject.txt',
  text: 'body.txt',
  html: 'body.html',
}

const languageName = /^[a-z]{2,3}$/

const templateIn = (folder: string, language: string): Either<readonly string[], EmailTemplate> => {
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
  const template = emailTemplate(texts as EmailTexts)
  return E.isRight(template)
    ? template
    : E.left(template.left.map(({ part, fault }) => `${language}/${files[part]} ${fault}`))
}

/** The folders in the folder, including links, even broken ones. Names that begin with a dot are ignored. */
const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter(
    (name) =>
      !name.startsWith('.') &&
      statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() !== false,
  )

const languageIn = (folder: string, name: string): Either<readonly string[], EmailTemplate> =>
  languageName.test(name)
    ? templateIn(folder, name)
    : E.left([`${name} is no language code of two or three small letters`])

/**
 * The bundled templates, replaced by those of a folder: a folder for each language, named by its ISO 639 code, with
 * `subject.txt`, `body.txt` and `body.html`. Left: all faults in it, empty when the folder itself cannot be read.
 */
export const readTemplates = (folder: string): Either<readonly string[], EmailTemplates> => {
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
