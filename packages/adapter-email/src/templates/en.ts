import type { EmailTexts } from './email-template.js'
import { page } from './page.js'

export const en: EmailTexts = {
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
