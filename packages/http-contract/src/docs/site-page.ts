import { Html } from '../html.js'
import { page } from './page.js'

/** The kinds of pages that are written by hand or from the code, in the order in which a newcomer needs them. */
export const kinds = { tutorials: 'Tutorials', 'how-to': 'How to', reference: 'Reference' } as const

export type SitePageKind = keyof typeof kinds

/** A page that was made from Markdown: `path` is `how-to/operate/`, from the first page of the documentation. */
export type SitePage = Readonly<{ kind: SitePageKind; path: string; title: string; description: string }>

/** The text in a fragment for the relative link to the first page. */
const rootMark = 'href="docs:'

/** A page around the fragment of HTML that its Markdown became. */
export const sitePage = ({ kind, title, description }: SitePage, fragment: string, root: string): string =>
  page({
    title,
    description,
    root,
    above: [
      { href: root, title: 'Documentation' },
      { href: `${root}#${kind}`, title: kinds[kind] },
    ],
    body: new Html(fragment.replaceAll(rootMark, `href="${root}`)),
  })
