import { E } from '@account-import/core/adapter-kit'
import { emailTemplate, type EmailTemplate, type EmailTexts, page } from './email-template.js'

const ca: EmailTexts = {
  subject: 'El vostre compte {{external_account_number}} té un número nou',
  text: `Hola{{#name}} {{name}}{{/name}},

El {{created_on}} hem traspassat el vostre compte a la nostra plataforma. No heu de fer res.

{{#external_account_number}}Número de compte anterior: {{external_account_number}}
{{/external_account_number}}Número de compte nou: {{platform_account_number}}

A partir d'ara, indiqueu el número nou quan us poseu en contacte amb nosaltres.
{{#sender}}
{{sender}}
{{/sender}}`,
  html: page('ca', [
    'Hola{{#name}} {{name}}{{/name}},',
    'El {{created_on}} hem traspassat el vostre compte a la nostra plataforma. No heu de fer res.',
    '{{#external_account_number}}Número de compte anterior: <b>{{external_account_number}}</b><br>{{/external_account_number}}Número de compte nou: <b>{{platform_account_number}}</b>',
    "A partir d'ara, indiqueu el número nou quan us poseu en contacte amb nosaltres.",
    '{{sender}}',
  ]),
}

const en: EmailTexts = {
  subject: 'Your account {{external_account_number}} has a new number',
  text: `Hello{{#name}} {{name}}{{/name}},

On {{created_on}} we moved your account to our platform. There is nothing you have to do.

{{#external_account_number}}Previous account number: {{external_account_number}}
{{/external_account_number}}New account number: {{platform_account_number}}

Please give the new number from now on when you contact us.
{{#sender}}
{{sender}}
{{/sender}}`,
  html: page('en', [
    'Hello{{#name}} {{name}}{{/name}},',
    'On {{created_on}} we moved your account to our platform. There is nothing you have to do.',
    '{{#external_account_number}}Previous account number: <b>{{external_account_number}}</b><br>{{/external_account_number}}New account number: <b>{{platform_account_number}}</b>',
    'Please give the new number from now on when you contact us.',
    '{{sender}}',
  ]),
}

const es: EmailTexts = {
  subject: 'Su cuenta {{external_account_number}} tiene un nuevo número',
  text: `Hola{{#name}} {{name}}{{/name}}:

El {{created_on}} hemos traspasado su cuenta a nuestra plataforma. No tiene que hacer nada.

{{#external_account_number}}Número de cuenta anterior: {{external_account_number}}
{{/external_account_number}}Nuevo número de cuenta: {{platform_account_number}}

A partir de ahora, indique el nuevo número cuando se ponga en contacto con nosotros.
{{#sender}}
{{sender}}
{{/sender}}`,
  html: page('es', [
    'Hola{{#name}} {{name}}{{/name}}:',
    'El {{created_on}} hemos traspasado su cuenta a nuestra plataforma. No tiene que hacer nada.',
    '{{#external_account_number}}Número de cuenta anterior: <b>{{external_account_number}}</b><br>{{/external_account_number}}Nuevo número de cuenta: <b>{{platform_account_number}}</b>',
    'A partir de ahora, indique el nuevo número cuando se ponga en contacto con nosotros.',
    '{{sender}}',
  ]),
}

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
