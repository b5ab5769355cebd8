import { html } from '../html.js'
import { page } from './page.js'

/** The page in place of an unknown page. `root`: the relative link to the first page. */
export const noPage = (root: string): string =>
  page({
    title: 'No such page',
    description: 'There is no page of this name.',
    root,
    above: [{ href: root, title: 'Documentation' }],
    body: html`<h1>No such page</h1>
<p class="lead">There is no page of this name. <a href="${root}">All pages</a></p>`,
  })
