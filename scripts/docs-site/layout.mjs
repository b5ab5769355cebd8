import { escapeHtml } from './markdown.mjs'
import { groupsOf, kinds } from './start.mjs'

const product = 'Customer Account Import Service'

/** Replaces `docs:` by the relative link to the first page. A page at `how-to/operate/` is two levels below it. */
const rootOf = ({ path }) => '../'.repeat(path.split('/').length - 1) || './'

/** The title of a page; that of an endpoint has a badge for its method. */
const titleOf = ({ label, title }) =>
  label === undefined
    ? escapeHtml(title)
    : label.replace(/^(\w+) (.*)/, (_, method, path) => {
        const kind = method === 'GET' ? 'good' : 'info'
        return `<span class="method ${kind}">${method}</span>${escapeHtml(path).replaceAll('/', '/<wbr>')}`
      })

const link = (href, text, current = false) =>
  `<a href="docs:${href}"${current ? ' aria-current="page"' : ''}>${text}</a>`

const sideBar = (page, pages) =>
  Object.entries(kinds)
    .map(([kind, title]) => {
      // There are too many pages of codes for a list.
      if (kind === 'errors') return link('errors/', title, page.path === 'errors/')
      const lists = groupsOf(kind, pages).map(([group, members]) => {
        const items = members.map((each) => `<li>${link(each.path, titleOf(each), each === page)}</li>`)
        return `${group === undefined ? '' : `<p class="soft">${group}</p>`}<ul>${items.join('')}</ul>`
      })
      return `<details${page.kind === kind || page.path === '' ? ' open' : ''}><summary>${title}</summary>${lists.join('')}</details>`
    })
    .join('\n')

const breadcrumb = ({ path, kind, title }) => {
  const above = [
    ...(path === '' ? [] : [link('', 'Documentation')]),
    ...(kind === undefined || path === 'errors/'
      ? []
      : [link(kind === 'errors' ? 'errors/' : `#${kind}`, kinds[kind])]),
  ]
  return `<ol>${above.map((each) => `<li>${each}</li>`).join('')}<li aria-current="page">${path === '' ? 'Documentation' : escapeHtml(title)}</li></ol>`
}

const onThisPage = ({ sections }) => {
  const items = sections
    .filter(({ level }) => level === 2 || level === 3)
    .map(
      ({ level, anchor, heading }) =>
        `<li${level === 3 ? ' class="deep"' : ''}><a href="#${anchor}">${escapeHtml(heading)}</a></li>`,
    )
  return items.length < 2
    ? ''
    : `<nav class="toc" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}

/** Links to the pages of the same group before and after this one. */
const neighbours = (page, pages) => {
  const group = page.kind === undefined ? [] : pages.filter(({ kind }) => kind === page.kind)
  const at = group.indexOf(page)
  const parts = [
    [group[at - 1], 'Previous: '],
    [group[at + 1], 'Next: '],
  ].map(([to, word]) =>
    to === undefined ? '<span></span>' : `<span>${word}${link(to.path, titleOf(to))}</span>`,
  )
  return group.length < 2
    ? ''
    : `<nav class="next" aria-label="Previous and next page">${parts.join('')}</nav>\n`
}

/**
 * A whole page. It loads only a style and a script of the site, is readable without the script, and all its links are relative.
 * `root`: the relative link to the first page.
 */
export const layout = (page, pages, root = rootOf(page)) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} - ${product}</title>
<meta name="description" content="${escapeHtml(page.description)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs:site.css">
<script src="docs:site.js" type="module"></script>
${page.head ?? ''}</head>
<body${page.isWide ? ' class="wide"' : ''}>
<header>
<a class="brand" href="docs:../">${product}</a>
<nav aria-label="Breadcrumb">${breadcrumb(page)}</nav>
<form class="search" role="search" action="docs:search/">
<input id="q" name="q" type="search" aria-label="Search" placeholder="Search, or press /" maxlength="100" autocomplete="off">
</form>
</header>
<div class="columns">
<main>
${page.html}${neighbours(page, pages)}</main>
${page.isWide ? '' : onThisPage(page)}
<nav class="side" aria-label="All pages">
${sideBar(page, pages)}
</nav>
</div>
<footer>${product}</footer>
</body>
</html>
`.replaceAll('"docs:', `"${root}`)
