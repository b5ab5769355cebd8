import { dirname, join, posix } from 'node:path'
import markdownIt from 'markdown-it'
import { bundledMarkets, catalogueOf } from '../../packages/core/dist/index.js'

const repository = 'https://github.com/account-import/account-import'
const codes = new Set(Object.keys(catalogueOf(bundledMarkets)))

/** The anchor of a heading, equal to that of hosts of repositories. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Pages that the service shows in another form. `docs:` is a link to the first page of the documentation. */
const shownOtherwise = {
  'docs/reference/errors.md': 'docs:errors/',
  'docs/reference/endpoints.md': 'docs:#endpoints',
  'docs/reference/README.md': 'docs:#reference',
  'docs/how-to/README.md': 'docs:#how-to',
}

/** The target of a link: a page of the site, or a file of the repository. */
const targetOf = (href, source, isPage) => {
  if (/^[a-z][a-z+.-]*:/i.test(href) || href.startsWith('#')) return href
  if (source === undefined) throw new Error(`a page without a source links to ${href}`)
  const [path, anchor] = href.split('#')
  const target = posix.normalize(join(dirname(source), path))
  if (shownOtherwise[target] !== undefined) return shownOtherwise[target]
  const [, code] = /^docs\/errors\/(\w+)\.md$/.exec(target) ?? []
  if (codes.has(code)) return `docs:errors/${code}/`
  const end = anchor === undefined ? '' : `#${anchor}`
  if (isPage(target)) return `docs:${target.replace(/^docs\/(.*)\.md$/, '$1/')}${end}`
  const form = /\.\w+$/.test(target) || /\/[A-Z]+$/.test(target) ? 'blob' : 'tree'
  return `${repository}/${form}/main/${target}${end}`
}

const plainText = (token) =>
  (token.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim()

/** Adds anchors to headings, scrolling boxes to tables, targets to links, and links to codes. */
const prepare = (tokens, source, isPage) => {
  const anchors = new Map()
  const lead = tokens.findIndex(({ type }) => type === 'paragraph_open')
  if (tokens[lead - 1]?.tag === 'h1') tokens[lead].attrSet('class', 'lead')
  let tables = 0
  let heading = ''
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      heading = plainText(tokens[index + 1])
      const anchor = anchorOf(heading)
      const before = anchors.get(anchor) ?? 0
      anchors.set(anchor, before + 1)
      token.attrSet('id', before === 0 ? anchor : `${anchor}-${before}`)
    }
    if (token.type === 'table_open') {
      tables += 1
      token.meta = { label: `Table ${tables}: ${heading}` }
    }
    const [first, second] = token.type === 'list_item_open' ? (tokens[index + 2].children ?? []) : []
    // An item that begins with the name of a field, an option or a code.
    if ((first?.type === 'link_open' ? second : first)?.type === 'code_inline')
      token.attrSet('class', 'entry')
    // Columns of numbers: markdown-it would add an inline style, which the policy of the page forbids.
    if (token.attrGet('style') !== null)
      token.attrs = token.attrGet('style') === 'text-align:right' ? [['class', 'num']] : []
    let isInLink = false
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') {
        isInLink = true
        child.attrSet('href', targetOf(child.attrGet('href'), source, isPage))
      }
      if (child.type === 'link_close') isInLink = false
      if (child.type === 'code_inline') child.meta = { isInLink }
    }
  }
}

const markdown = markdownIt({ html: false, linkify: false })
export const { escapeHtml } = markdown.utils
// A page loads nothing from other sites, and contains no pictures.
markdown.disable('image')
markdown.renderer.rules.table_open = (tokens, index) =>
  `<div class="table" role="group" tabindex="0" aria-label="${escapeHtml(tokens[index].meta.label)}"><table>\n`
markdown.renderer.rules.table_close = () => '</table></div>\n'
markdown.renderer.rules.code_inline = (tokens, index) => {
  const { content, meta } = tokens[index]
  // Long names of codes would make a column wider than a phone.
  const text = codes.has(content) ? content.replaceAll('_', '_<wbr>') : escapeHtml(content)
  const code = `<code>${text}</code>`
  // `error` or `null` are words of other meanings too.
  return codes.has(content) && content.includes('_') && !meta.isInLink
    ? `<a href="docs:errors/${content}/">${code}</a>`
    : code
}
const codeBlock = (tokens, index) =>
  `<div class="code"><pre tabindex="0"><code>${escapeHtml(tokens[index].content)}</code></pre></div>\n`
markdown.renderer.rules.fence = codeBlock
markdown.renderer.rules.code_block = codeBlock

/** The sections of a page for the search: the text below each heading, without markup. */
const sectionsIn = (tokens) => {
  const sections = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open')
      sections.push({
        level: Number(token.tag.slice(1)),
        anchor: token.attrGet('id'),
        heading: plainText(tokens[index + 1]),
        text: [],
      })
    else if (token.type === 'inline' && tokens[index - 1].type !== 'heading_open')
      sections.at(-1)?.text.push(plainText(token))
    else if (token.type === 'fence') sections.at(-1)?.text.push(token.content.trim())
  }
  return sections.map(({ text, ...section }) => ({ ...section, text: text.join(' ').replace(/\s+/g, ' ') }))
}

/** A page of Markdown as a fragment of HTML, with its title, its first sentence and its sections. */
export const rendered = (text, source, isPage) => {
  const tokens = markdown.parse(text.replace(/^<!--.*-->$/gm, ''), {})
  prepare(tokens, source, isPage)
  const sections = sectionsIn(tokens)
  const paragraph = tokens.findIndex(({ type }) => type === 'paragraph_open')
  const description = plainText(tokens[paragraph + 1])
    .split(/(?<=\.) /)[0]
    .replace(/:$/, '.')
  return {
    html: markdown.renderer.render(tokens, markdown.options, {}),
    title: sections[0].heading,
    description,
    sections,
  }
}
