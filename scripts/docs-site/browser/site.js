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

let loading
/** The sections of all pages, loaded at the first query. A failed load is tried again. */
const sectionsOfAll = () => {
  loading ??= fetch(new URL('search.json', import.meta.url)).then((answer) => answer.json())
  loading.catch(() => (loading = undefined))
  return loading
}

const showResults = async (list) => {
  const query = new URLSearchParams(location.search).get('q') ?? ''
  field.value = query
  const words = wordsOf(query)
  const found = search(query, await sectionsOfAll())
  const count = found.length === 1 ? '1 place' : `${found.length} places`
  document.querySelector('.lead').textContent =
    words.length === 0 ? 'The query is empty.' : `${count} with: ${words.join(' ')}`
  list.replaceChildren(...found.map((section) => resultOf(section, words)))
}

/** Results below the field while a query is typed; Enter shows all of them on the page of the search. */
const mostSuggested = 6
const suggested = element('ul', '')
suggested.className = 'codes suggested'
suggested.ariaLabel = 'Results'
suggested.hidden = true
field.after(suggested)
const suggest = async () => {
  const query = field.value
  const found = query.trim().length < 2 ? [] : search(query, await sectionsOfAll())
  // A later query may have been typed while the sections were loaded.
  if (query !== field.value) return
  const words = wordsOf(query)
  suggested.replaceChildren(...found.slice(0, mostSuggested).map((section) => resultOf(section, words)))
  suggested.hidden = found.length === 0
}
field.addEventListener('input', () => void suggest())
const form = field.form
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) suggested.hidden = true
})
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') suggested.hidden = true
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || suggested.hidden) return
  event.preventDefault()
  const stops = [field, ...suggested.querySelectorAll('a')]
  stops[stops.indexOf(document.activeElement) + step]?.focus()
})

/** The language of examples is that of the last choice, on each page. */
for (const choice of document.querySelectorAll('.tabs input')) {
  if (choice.value === localStorage.getItem('language')) choice.checked = true
  choice.addEventListener('change', () => localStorage.setItem('language', choice.value))
}

const results = document.querySelector('#results')
if (results !== null) await showResults(results)
