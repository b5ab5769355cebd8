import type { EmailTexts } from './email-template.js'
import { page } from './page.js'

export const ca: EmailTexts = {
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
