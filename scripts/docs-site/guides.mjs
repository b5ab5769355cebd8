import { readdirSync, readFileSync } from 'node:fs'
import markdownIt from 'markdown-it'

const folder = new URL('../../docs/errors/', import.meta.url)
const markdown = markdownIt()

/** An example of payloads: the setting that it needs, the path of its fields. */
const example = /^((?:With the setting .*\n\n)?)Wrong(?:, in (.*))?:$/m

/**
 * The page of a code with a heading for each of its parts. Below the meaning, pages of entries of an answer have a line with the
 * places; an example follows the remedies, and other codes are in the last line.
 */
export const withHeadings = (text) => {
  const [, places] = /^At (.*)\.$/m.exec(text) ?? []
  const list = places === undefined ? '' : `## Places\n\n- ${places.replaceAll(', at ', '\n- ')}\n\n`
  return text
    .replace(/^At .*\n\n/m, '')
    .replace(/^(Causes|Fix):$/gm, '## $1')
    .replace(example, (_, setting, place) => {
      const fields = place === undefined ? '' : `Fields of ${place}.\n\n`
      return `## Example\n\n${fields}${setting}Wrong:`
    })
    .replace(/^See (.*)\.$/m, (_, related) => `${list}## Related\n\n${related}`)
}

/** The sections of each page below its meaning, in their order. Only an entry of an answer has a place. */
const shape = ['Causes', 'Fix', 'Example', 'Places', 'Related']
const optional = new Set(['Places'])

const textOf = ({ children }) =>
  children.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('')

/** The blocks below each heading of a page: paragraphs (`p`), items of lists (`li`), and fences by their language. */
const sectionsOf = (text) => {
  const sections = []
  const tokens = markdown.parse(text, {})
  for (const [index, token] of tokens.entries()) {
    const { type, content, level, info } = token
    if (type === 'inline' && tokens[index - 1].type === 'heading_open')
      sections.push({ heading: content, blocks: [] })
    else if (type === 'inline')
      sections.at(-1).blocks.push({ kind: level === 1 ? 'p' : 'li', text: textOf(token) })
    else if (type === 'fence') sections.at(-1).blocks.push({ kind: info, text: content.trimEnd() })
  }
  return sections
}

/** An example of a payload has the path of its fields; an example of requests has none. */
const exampleOf = (blocks, fail) => {
  const texts = blocks.filter(({ kind }) => kind === 'p').map(({ text }) => text)
  const fences = blocks.filter(({ kind }) => kind === 'json' || kind === 'text')
  const [, place] = /^Fields of (.*)\.$/.exec(texts.at(0)) ?? []
  const [, setting] = /^With the setting (.*)\.$/.exec(texts.at(1)) ?? []
  const labels = ['Wrong:', 'Right:']
  const before = (place === undefined ? 0 : 1) + (setting === undefined ? 0 : 1)
  if (texts.slice(before).join() !== labels.join() || fences.length !== 2 || blocks.length !== before + 4)
    fail('the example is not "Wrong:", a block, "Right:", a block')
  const language = place === undefined ? 'text' : 'json'
  if (fences.some(({ kind }) => kind !== language)) fail(`the blocks of the example are not ${language}`)
  const [bad, good] = fences.map(({ text }) => text)
  return { place: place ?? '', bad, good, setting }
}

const guideOf = (code, page) => {
  const text = withHeadings(page)
  const fail = (fault) => {
    throw new Error(`docs/errors/${code}.md: ${fault}`)
  }
  if (!text.startsWith(`# ${code}\n`)) fail('the title is not the code')
  const [title, ...sections] = sectionsOf(text)
  const [meaning, ...more] = title.blocks
  if (meaning?.kind !== 'p' || more.length > 0) fail('the meaning is not one paragraph')
  const headings = sections.map(({ heading }) => heading)
  const wanted = shape.filter((heading) => headings.includes(heading) || !optional.has(heading))
  if (headings.join() !== wanted.join()) fail(`the sections are not ${wanted.join(', ')}`)
  const blocks = (heading) => sections.find((section) => section.heading === heading)?.blocks ?? []
  const items = (heading) => {
    const found = blocks(heading)
    if (found.some(({ kind }) => kind !== 'li') || (found.length === 0) !== !headings.includes(heading))
      fail(`${heading} is not a list`)
    return found.map(({ text: item }) => item)
  }
  const related = blocks('Related')
  if (related.length !== 1 || related[0].kind !== 'p') fail('Related is not one paragraph of links')
  return {
    means: meaning.text,
    causes: items('Causes'),
    fix: items('Fix'),
    at: items('Places'),
    example: exampleOf(blocks('Example'), fail),
    related: related[0].text.split(', '),
  }
}

/** The guides by code, read from the pages of `docs/errors`. Throws for a page of another structure. */
export const guides = () =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, name.replace(/\.md$/, '')])
      .map(([name, code]) => [code, guideOf(code, readFileSync(new URL(name, folder), 'utf8'))]),
  )
