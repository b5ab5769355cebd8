import type { Scope } from '@account-import/core'
import { html, type Html, noHtml } from '@account-import/core/html'

/**
 * The surroundings of a page. `root`: the relative address of the folder of `console/` and `docs/`; `scopes`: those of the
 * visitor, none before the login; `hasPage`: whether the documentation has a page of a code.
 */
export type Frame = Readonly<{
  root: string
  scopes: readonly Scope[]
  who: string | undefined
  hasLogOut: boolean
  hasPage: (code: string) => boolean
}>

/** The pages of the menu, by their folder below `console/`, with the scopes that each needs. */
const menu = [
  { folder: '', title: 'Overview', scopes: ['read'] },
  { folder: 'runs/', title: 'Runs', scopes: ['read'] },
  { folder: 'accounts/', title: 'Accounts', scopes: ['read'] },
  { folder: 'check/', title: 'Check a file', scopes: ['validate'] },
  { folder: 'proof/', title: 'Proof', scopes: ['read'] },
] as const satisfies readonly Readonly<{ folder: string; title: string; scopes: readonly Scope[] }>[]

/** Where the visitor is: the page of the menu, which is marked there. */
type Folder = (typeof menu)[number]['folder']

/**
 * A page. `script`: the name of a module in `console/assets/`;
 * `isHeaded`: the parts have the first heading.
 */
export type Page = Readonly<{
  title: string
  folder?: Folder
  parts: Html
  script?: string
  isHeaded?: boolean
}>

const product = 'Customer Account Import Service'

const menuOf = ({ root, scopes: given }: Frame, folder: Folder | undefined): Html => {
  const shown = menu.filter(({ scopes }) => scopes.every((scope) => given.includes(scope)))
  if (shown.length === 0) return noHtml
  return html`<nav aria-label="Console">
    <ul>
      ${shown.map(
        (each) =>
          html`<li>
            <a href="${root}console/${each.folder}"${each.folder === folder ? html` aria-current="page"` : noHtml}>${each.title}</a>
          </li> `,
      )}
      <li><a href="${root}docs/">Documentation</a></li>
    </ul>
  </nav>`
}

const visitor = ({ root, who, hasLogOut }: Frame): Html => {
  if (who === undefined) return noHtml
  const out = html`<form method="post" action="${root}console/log-out/"><button>Log out</button></form>`
  return html`<p class="visitor"><bdi>${who}</bdi></p>
    ${hasLogOut ? out : noHtml}`
}

/** The beginning of a page, up to the first heading; `pageEnd` follows its content. */
export const pageStart = (
  frame: Frame,
  { title, folder, script, isHeaded = false }: Omit<Page, 'parts'>,
): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} - ${product}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="${frame.root}console/assets/console.css" />
      ${script === undefined ? noHtml : html`<script src="${frame.root}console/assets/${script}" type="module"></script>`}
    </head>
    <body>
      <header>
        <a class="brand" href="${frame.root}console/">${product}</a>
        ${visitor(frame)} ${menuOf(frame, folder)}
      </header>
      <main>
        ${isHeaded ? noHtml : html`<h1><bdi>${title}</bdi></h1>`}`

export const pageEnd: Html = html`</main>
      <footer>${product}</footer>
    </body>
  </html> `

export const wholePage = (frame: Frame, page: Page): string =>
  html`${pageStart(frame, page)} ${page.parts} ${pageEnd}`.text
