import type { EmailTexts } from './email-template.js'
import { page } from './page.js'

export const es: EmailTexts = {
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
