import { Html, html } from '@account-import/http-contract'

/** The style of all pages; its hash stands in their Content-Security-Policy. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1d2430; --soft: #566072; --back: #fff; --box: #f4f6f9; --line: #d5dbe5;
  --link: #0b57c2; --bad: #b3261e; --good: #1a6e37; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e8ef; --soft: #a3adbd; --back: #12161d; --box: #1b212b;
  --line: #343d4b; --link: #8ab8ff; --bad: #ff9a91; --good: #7fd59a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
nav, main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
nav { padding-top: 1.25rem; font-size: .9rem; color: var(--soft); }
nav ol { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0; padding: 0; list-style: none; }
nav li { min-width: 0; overflow-wrap: anywhere; }
nav li + li::before { content: "/"; margin-right: .5rem; }
h1 { margin: .75rem 0 .5rem; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h1 code { background: none; padding: 0; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
.lead { margin: 0 0 1.5rem; font-size: 1.1rem; color: var(--soft); }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .875em; }
code { background: var(--box); padding: .1em .3em; border-radius: .25em; overflow-wrap: anywhere; }
pre { margin: 0; padding: .9rem 1rem; background: var(--box); border-radius: .4rem; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; font-size: 1em; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; margin: 0; border-top: 1px solid var(--line); }
dt, dd { margin: 0; padding: .55rem 0; border-bottom: 1px solid var(--line); }
dt { padding-right: 1.5rem; color: var(--soft); }
li { margin: .25rem 0; }
p, li, dd { min-width: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
figcaption { margin-bottom: .35rem; font-weight: 600; }
.bad pre { border-left: 4px solid var(--bad); } .bad figcaption { color: var(--bad); }
.good pre { border-left: 4px solid var(--good); } .good figcaption { color: var(--good); }
.codes { padding: 0; list-style: none; } .codes li { padding: .5rem 0; border-bottom: 1px solid var(--line); }
.codes span { display: block; color: var(--soft); font-size: .925rem; overflow-wrap: anywhere; }
.search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; max-width: 46rem; margin: 0 auto; padding: .75rem 1.25rem 0; }
.search label { color: var(--soft); font-size: .9rem; }
input, button { font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--soft);
  border-radius: .3rem; padding: .3rem .6rem; }
input { flex: 1 1 10rem; min-width: 0; } button { background: var(--box); cursor: pointer; }
input:focus-visible, button:focus-visible, .table:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
h3 { margin: 1.5rem 0 .4rem; font-size: 1.02rem; overflow-wrap: anywhere; } h4 { margin: 1.25rem 0 .3rem; }
.table { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th.right, td.right { text-align: right; } td code, th code { overflow-wrap: normal; } td { min-width: 6rem; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 4px solid var(--line); }
footer { margin: 2.5rem auto 1.5rem; padding-top: 1rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; } dt { border: 0; padding-bottom: 0; }
  dd { padding-top: 0; } h1 { font-size: 1.3rem; } }
@media print { :root { color-scheme: light; --text: #000; --soft: #333; --back: #fff; --box: #fff; --line: #999;
  --link: #000; --bad: #000; --good: #000; } nav, footer, .search { display: none; } main { max-width: none; }
  pre { border: 1px solid var(--line); } figure, dl { break-inside: avoid; } }
`

/** The most characters of a query that are looked at. */
export const longestQuery = 100

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
