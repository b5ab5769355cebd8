// For every page: examples with the address of this service, buttons to copy them, and the search. Pages are readable without it.
import { excerptOf, search, wordsOf } from './search.js'

const service = new URL('../', import.meta.url).href.replace(/\/$/, '')

for (const code of document.querySelectorAll('pre code'))
  if (code.textContent.includes('http://127.0.0.1:8080'))
    code.textContent = code.textContent.replaceAll('http://127.0.0.1:8080', service)

/** Browsers have a clipboard only on pages from https or localhost. */
if (navigator.clipboard !== undefined)
  for (const pre of document.querySelectorAll('.code pre')) {
    const button = document.createElement('button')
    button.textContent = 'Copy'
    const show = (text) => (button.textContent = text)
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(pre.textContent).then(
        () => show('Copied'),
        () => show('Not allowed'),
      )
      setTimeout(show, 2000, 'Copy')
    })
    pre.after(button)
  }

const field = document.querySelector('#q')
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return
  event.preventDefault()
  field.focus()
})

const element = (name, text, ...children) => {
  const made = document.createElement(name)
  made.append(text, ...children)
  return made
}

const resultOf = ({ href, page, heading, text }, words) => {
  const link = element('a', heading)
  link.href = new URL(href, import.meta.url).href
  return element('li', link, ' ', element('small', page), element('span', excerptOf(text, words)))
}

const showResults = async (list) => {
  const query = new URLSearchParams(location.search).get('q') ?? ''
  field.value = query
  const words = wordsOf(query)
  const sections = await (await fetch(new URL('search.json', import.meta.url))).json()
  const found = search(query, sections)
  const count = found.length === 1 ? '1 place' : `${found.length} places`
  document.querySelector('.lead').textContent =
    words.length === 0 ? 'The query is empty.' : `${count} with: ${words.join(' ')}`
  list.replaceChildren(...found.map((section) => resultOf(section, words)))
}

const results = document.querySelector('#results')
if (results !== null) await showResults(results)
