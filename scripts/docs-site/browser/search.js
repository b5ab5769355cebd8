const longestQuery = 100
const mostWords = 8
const mostFound = 30

/** Synonyms: common words, and the words of these pages that replace them if no page has the common word. */
const synonyms = {
  auth: 'token',
  authenticate: 'token',
  backup: 'restore',
  credentials: 'key',
  docker: 'image',
  dry: 'validate',
  gdpr: 'erase',
  install: 'deploy',
  k8s: 'kubernetes',
  login: 'token',
  mail: 'e-mail',
  password: 'key',
  tenant: 'organisation',
  throttle: 'limit',
}

/** The words of a query, in lower case. */
export const wordsOf = (query) =>
  [
    ...new Set(
      query
        .slice(0, longestQuery)
        .toLowerCase()
        .match(/[\p{L}\p{N}_]+/gu) ?? [],
    ),
  ].slice(0, mostWords)

/** Splits names, so that the search finds their words too. */
const plain = (text) => `${text} ${text.replaceAll(/[_/-]/g, ' ')}`.toLowerCase()

const scoreOf = (words, { heading, page, text }) => {
  let score = 0
  for (const word of words) {
    const points =
      (heading.includes(word) ? 8 : 0) + (page.includes(word) ? 2 : 0) + (text.includes(word) ? 1 : 0)
    if (points === 0) return 0
    score += points
  }
  const whole = words.join(' ')
  return score + (heading.includes(whole) ? 10 : 0) + (text.includes(whole) ? 4 : 0)
}

/** The sections that have all words of a query, the best first. A section has a page, a heading and a text. */
export const search = (query, sections) => {
  const prepared = sections.map((section) => ({
    section,
    heading: plain(section.heading),
    page: plain(section.page),
    text: plain(section.text),
  }))
  const isFound = (word) => prepared.some((section) => scoreOf([word], section) > 0)
  const words = wordsOf(query).map((word) => (isFound(word) ? word : (synonyms[word] ?? word)))
  if (words.length === 0) return []
  return prepared
    .map((each) => ({ section: each.section, score: scoreOf(words, each) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, mostFound)
    .map(({ section }) => section)
}

/** Characters shown around the first match. */
const before = 60
const shown = 220

export const excerptOf = (text, words) => {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - before)
  const part = text.slice(from, from + shown)
  return `${from > 0 ? '… ' : ''}${part}${from + shown < text.length ? ' …' : ''}`
}
