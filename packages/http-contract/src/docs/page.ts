import { Html, html } from '../html.js'
import { longestQuery } from './found.js'
import { pageStyle } from './style.js'

/** A page above another one: where it lies from there, and what it is called. */
type Above = Readonly<{ href: string; title: string }>

/** `root`: the relative link to the first page of the documentation. */
type Parts = Readonly<{
  title: string
  description: string
  root: string
  above: readonly Above[]
  body: Html
}>

const crumb = ({ href, title }: Above): Html => html`<li><a href="${href}">${title}</a></li>`

/** The form that asks the service itself; it works without a script. */
const search = (root: string): Html => html`<form class="search" role="search" action="${root}search/">
<label for="q">Search</label>
<input id="q" name="q" type="search" maxlength="${longestQuery}" autocomplete="off">
<button>Find</button>
</form>`

/** A whole page: no script, nothing loaded, all links relative. */
export const page = ({ title, description, root, above, body }: Parts): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Customer Account Import Service</title>
<meta name="description" content="${description}">
<style>${new Html(pageStyle)}</style>
</head>
<body>
<nav aria-label="Breadcrumb"><ol>${above.map(crumb)}<li aria-current="page">${title}</li></ol></nav>
${search(root)}
<main>
${body}
</main>
<footer>Customer Account Import Service</footer>
</body>
</html>
`.text
