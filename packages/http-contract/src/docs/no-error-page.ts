import { html } from '../html.js'
import { page } from './page.js'

/** The page in place of an unknown code. `up`: see `errorPage`. */
export const noErrorPage = (up: '../' | './'): string =>
  page({
    title: 'No such code',
    description: 'There is no error code of this name.',
    root: `${up}../`,
    above: [
      { href: `${up}../`, title: 'Documentation' },
      { href: up, title: 'Error codes' },
    ],
    body: html`<h1>No such code</h1>
<p class="lead">There is no error code of this name.</p>
<p>Codes are never renamed. Check the spelling, or whether the page of another service was meant.
<a href="${up}">All codes</a></p>`,
  })
